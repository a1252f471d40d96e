import { dirname } from 'node:path'
import { type Later, answerPayload } from './agent/answering.ts'
import type { Host } from './command.ts'
import { openFiles } from './host/files.ts'
import { openRepository } from './host/git/repository.ts'
import { PASS } from './model/agent.ts'
import type { Sets } from './model/sets.ts'

/**
 * What an agent's hook starts: `agent.cjs HOST EVENT`, the host's payload on standard input. It prints the host's own kind of
 * answer and nothing else. Whatever goes wrong with us, the call goes on: nothing is printed, and the status is 0.
 */
const later: Later = async (event, agent, env, now) => {
  if (event.moment === 'start') {
    const [host, { sessionStart }] = await Promise.all([hostIn(event.cwd, env), import('./commands/hook/session-start.ts')])
    return agent.brief(event, await sessionStart(event, host))
  }
  const { witness } = await import('./host/witnessing.ts')
  const seen = witness(event, now, openRepository(event.cwd, env), openFiles())
  if (seen === null) return PASS
  const [host, { witnessKeys }, sets] = await Promise.all([hostIn(event.cwd, env), import('./host/witnessing/keys.ts'), setsForKeys()])
  await witnessKeys(seen, sets, host)
  return PASS
}

answerPayload(later)

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
