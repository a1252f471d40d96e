import { restsOn } from '../../src/distill/causes.ts'
import { observe } from '../../src/distill/observe.ts'
import { weigh } from '../../src/distill/weigh.ts'
import { ephemera } from '../../src/ephemera.ts'
import { openFiles } from '../../src/host/files.ts'
import { openGit, openRepository } from '../../src/host/git.ts'
import { readKeys } from '../../src/host/keys.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { openWorld } from '../../src/host/world.ts'
import type { Key } from '../../src/model/key.ts'
import { mutations } from '../../src/mutations.ts'
import { probes } from '../../src/probes.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The keys on which a red outcome of a command, or a green one at this tree, would rest. */
export async function inferred(folder: string, command: string): Promise<readonly Key[]> {
  const sets = { formats: [], probes, rules, toolchains, ephemera, mutations }
  const turns = (async function* () {
    yield {
      ...{ host: 'git-remnant', session: 's', record_id: 'r', at: null, kind: 'command' as const, cwd: null, folder, head: null, command },
      ...{ outcome: { is: 'code' as const, code: 0 }, output: '', edits: [], declared: null, keys: {} },
    }
  })()
  const run = (await weigh(observe(turns, toolchains, []), sets, true))?.evidence[0]
  return run === undefined ? [] : [...new Set(restsOn(run))]
}

/** Values of keys here and now; null: it can't be read, which is drift. `ms`: of each probe alone. */
export async function values(repository: string, keys: Iterable<Key>, env: Env): Promise<ReadonlyMap<Key, string | null>> {
  const readings = await readKeys(keys, probes, worldOf(repository, env))
  return new Map([...readings].map(([key, reading]) => [key, 'value' in reading ? reading.value : null]))
}

/** Milliseconds to read each key in a world of its own, and again in the same world. */
export async function costs(repository: string, keys: readonly Key[], env: Env): Promise<readonly { key: Key; first: number; again: number }[]> {
  const costs = []
  for (const key of keys) {
    const world = worldOf(repository, env)
    const took = async (): Promise<number> => {
      const start = process.hrtime.bigint()
      await readKeys([key], probes, world)
      return Number(process.hrtime.bigint() - start) / 1e6
    }
    costs.push({ key, first: await took(), again: await took() })
  }
  return costs
}

function worldOf(folder: string, env: Env) {
  const repository = openRepository(folder, env)
  return openWorld({ repository, git: openGit(repository, env), files: openFiles(), processes: openProcesses(), env, config: {} })
}
