import { readFileSync, writeSync } from 'node:fs'
import { agents } from '../agents.ts'
import copilotCli from '../agents/copilot-cli.ts'
import type { Json } from '../base/canonical.ts'
import { withoutGit } from '../host/git.ts'
import { decide } from '../host/guarding.ts'
import { type Agent, type HookAnswer, type HookEvent, PASS } from '../model/agent.ts'

/** What a moment needs that no call waits for. `now`: when the hook began. */
export type Later = (event: HookEvent, agent: Agent, env: Readonly<Record<string, string | undefined>>, now: Date) => Promise<HookAnswer>

/** Answers the payload on standard input, in the way of the host that wrote it, and ends the process. Any fault of ours is silence and status 0. */
export function answerPayload(later: Later): void {
  process.on('uncaughtException', () => process.exit(0))
  void answerOf(later).then(give, () => process.exit(0))
}

async function answerOf(later: Later): Promise<HookAnswer> {
  if (process.env.REMNANT === '0') return PASS
  const payload = JSON.parse(readFileSync(0, 'utf8')) as Json
  const speaking = agents.filter((agent) => agent.recognise(payload))
  const [agent] = speaking
  if (agent === undefined || speaking.length > 1) return PASS
  const event = agent.read(payload, process.argv[3] ?? '')
  return event === null ? PASS : await at(event, tellerOf(agent), later)
}

/** Copilot takes any status but 0 for a refusal: where it started us, it is told in its own way, whatever its payload looks like. */
function tellerOf(agent: Agent): Agent {
  return process.argv[2] === copilotCli.id ? copilotCli : agent
}

async function at(event: HookEvent, agent: Agent, later: Later): Promise<HookAnswer> {
  if (event.moment === 'mark') return PASS
  const env = withoutGit(process.env)
  if (event.moment !== 'before') return await later(event, agent, env, new Date())
  return agent.tell(event, await decide(event, { env, now: () => new Date() }))
}

/** By the system call alone, whole. */
function give({ stdout, stderr, status }: HookAnswer): never {
  for (const [stream, text] of [[1, stdout], [2, stderr]] as const)
    for (let bytes = Buffer.from(text); bytes.length > 0; ) {
      try {
        bytes = bytes.subarray(writeSync(stream, bytes))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') process.exit(0)
      }
    }
  process.exit(status)
}
