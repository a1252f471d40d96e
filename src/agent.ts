import { readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Json } from './base/canonical.ts'
import { agents } from './agents.ts'
import copilotCli from './agents/copilot-cli.ts'
import type { Host } from './command.ts'
import { openFiles } from './host/files.ts'
import { withoutGit } from './host/git.ts'
import { decide } from './host/guarding.ts'
import { openRepository } from './host/git/repository.ts'
import { type Agent, type HookEvent, type HookAnswer, PASS } from './model/agent.ts'
import type { Sets } from './model/sets.ts'

/**
 * What an agent's hook starts: `agent.cjs HOST EVENT`, the host's payload on standard input. It prints the host's own kind of
 * answer and nothing else. Whatever goes wrong with us, the call goes on: nothing is printed, and the status is 0.
 */
process.on('uncaughtException', () => process.exit(0))
void main().then(answer, () => process.exit(0))

async function main(): Promise<HookAnswer> {
  if (process.env.REMNANT === '0') return PASS
  const payload = JSON.parse(readFileSync(0, 'utf8')) as Json
  const speaking = agents.filter((agent) => agent.recognise(payload))
  const [agent] = speaking
  if (agent === undefined || speaking.length > 1) return PASS
  const event = agent.read(payload, process.argv[3] ?? '')
  return event === null ? PASS : await at(event, tellerOf(agent))
}

/** Copilot takes any status but 0 for a refusal: where it started us, it is told in its own way, whatever its payload looks like. */
function tellerOf(agent: Agent): Agent {
  return process.argv[2] === copilotCli.id ? copilotCli : agent
}

async function at(event: HookEvent, agent: Agent): Promise<HookAnswer> {
  const env = withoutGit(process.env)
  const now = new Date()
  switch (event.moment) {
    case 'before':
      return agent.tell(event, await decide(event, { env, now: () => new Date() }))
    case 'after': {
      const { witness } = await import('./host/witnessing.ts')
      const seen = witness(event, now, openRepository(event.cwd, env), openFiles())
      if (seen === null) return PASS
      const [host, { witnessKeys }, sets] = await Promise.all([hostIn(event.cwd, env), import('./host/witnessing/keys.ts'), setsForKeys()])
      await witnessKeys(seen, sets, host)
      return PASS
    }
    case 'start': {
      const [host, { sessionStart }] = await Promise.all([hostIn(event.cwd, env), import('./commands/hook/session-start.ts')])
      return agent.brief(event, await sessionStart(event, host))
    }
    case 'mark':
      return PASS
  }
}

/** What tells the keys of a command; to say them needs no more. */
async function setsForKeys(): Promise<Sets> {
  const [{ toolchains }, { mutations }, { probes }] = await Promise.all([import('./signatures.ts'), import('./mutations.ts'), import('./probes.ts')])
  return { formats: [], rules: [], toolchains, ephemera: [], mutations, probes }
}

async function hostIn(cwd: string, env: Readonly<Record<string, string | undefined>>): Promise<Host> {
  const { openHost } = await import('./cli/host.ts')
  return openHost(
    {
      env,
      installation: dirname(import.meta.dirname),
      interactive: () => false,
      cwd: () => cwd,
      now: () => new Date(),
      stdin: () => process.stdin,
      print: async () => {},
      warn: () => {},
    },
    cwd,
    false,
  )
}

/** By the system call alone, whole. */
function answer({ stdout, stderr, status }: HookAnswer): never {
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
