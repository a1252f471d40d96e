import { agents } from '../../src/agents.ts'
import type { Json } from '../../src/base/canonical.ts'
import { openHost } from '../../src/cli/host.ts'
import { openFiles } from '../../src/host/files.ts'
import { withoutGit } from '../../src/host/git.ts'
import { decide } from '../../src/host/guarding.ts'
import { openRepository } from '../../src/host/git/repository.ts'
import { witness } from '../../src/host/witnessing.ts'
import { witnessKeys } from '../../src/host/witnessing/keys.ts'
import { mutations } from '../../src/mutations.ts'
import { probes } from '../../src/probes.ts'
import { toolchains } from '../../src/signatures.ts'

const sets = { formats: [], rules: [], toolchains, ephemera: [], mutations, probes }

/** What `hooks/guard` answers to a payload before or after a call, without a process of its own. */
export async function hooked(payload: Json, event: string, environment: Readonly<Record<string, string | undefined>>, installation: string): Promise<{ stdout: string; stderr: string; status: number }> {
  const pass = { stdout: '', stderr: '', status: 0 }
  const agent = agents.find((one) => one.recognise(payload))
  const read = agent?.read(payload, event) ?? null
  if (agent === undefined || read === null) return pass
  const env = withoutGit(environment)
  if (read.moment === 'before') return agent.tell(read, await decide(read, { env, now: () => new Date() }))
  const seen = witness(read, new Date(), openRepository(read.cwd, env), openFiles())
  if (seen === null) return pass
  const here = { env, installation, interactive: () => false, cwd: () => read.cwd, now: () => new Date(), stdin: () => process.stdin, print: async () => {}, warn: () => {} }
  await witnessKeys(seen, sets, openHost(here, read.cwd, false))
  return pass
}
