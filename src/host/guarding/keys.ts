import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import type { Entry, Ground, Here } from '../../guard/entry.ts'
import { type Key, type Reading, splitKey } from '../../model/key.ts'
import { isTrusted } from '../../model/rank.ts'
import type { Repository } from '../git.ts'
import { stampOf } from './files.ts'
import type { Opened } from './world.ts'
import { readKeys } from '../keys.ts'

/** For what goes through the whole tree, together; for each of the others. */
const TREE_MS = 300
const PATIENCE_MS = 1500

export interface GuardKeys {
  /** Whether what an entry rests on is as it was; null: that can't be told in time. */
  here<E extends Entry>(entry: E): Promise<Here<E>>
  /** Whether a key has this value. */
  is(key: Key, value: string): Promise<boolean>
}

/** Keys by what they cost: a look, then git's word on a file, then what goes through the whole tree. Each is read once. */
const COST: readonly (readonly string[])[] = [
  ['platform', 'privilege', 'os-release', 'env', 'absent', 'absent-tool', 'exists'],
  ['repository', 'file', 'tool'],
  ['target', 'interface'],
  ['alike', 'lock', 'makefiles', 'manifests', 'names', 'tree'],
]

/** `opened`: what reads keys; asked for once a stamp does not tell. */
export function openGuardKeys(repository: Repository, opened: () => Opened): GuardKeys {
  const read = new Map<Key, Promise<Reading>>()
  let began: number | undefined
  const readOne = (key: Key): Promise<Reading> => {
    const known = read.get(key)
    if (known !== undefined) return known
    const reading = (async (): Promise<Reading> => {
      const { world, cheap, all } = opened()
      const { probe } = splitKey(key)
      const wide = COST.at(-1)?.includes(probe) === true
      if (wide) began ??= performance.now()
      const left = wide ? TREE_MS - (performance.now() - (began ?? 0)) : PATIENCE_MS
      if (left <= 0) return { unreadable: 'there was no time' }
      const probes = cheap.some(({ id }) => id === probe) ? cheap : await all()
      return (await readKeys([key], probes, world, left)).get(key) ?? { unreadable: 'it was not read' }
    })()
    read.set(key, reading)
    return reading
  }
  const isSame = async (ground: Ground, trusted: boolean): Promise<boolean | null> => {
    const { probe, argument } = splitKey(ground.key)
    if (ground.stamp !== null && repository.workTree !== null && stampOf(join(repository.workTree, argument)) === ground.stamp) return true
    // No program is started, and no tree gone through, because a stranger names it.
    if (!trusted && (probe === 'tool' || probe === 'interface')) return null
    const reading = await readOne(ground.key)
    if ('unreadable' in reading) return null
    return ground.value === null ? sha256(reading.value) === ground.sealed : reading.value === ground.value
  }
  return {
    async is(key, value) {
      const reading = await readOne(key)
      return 'value' in reading && reading.value === value
    },
    async here(entry) {
      const trusted = isTrusted(entry.rank)
      let holds: boolean | null = true
      for (const ground of [...entry.grounds].sort((a, b) => costOf(a) - costOf(b))) {
        const same = await isSame(ground, trusted)
        if (same === false) return { entry, holds: false }
        holds = same === null ? null : holds
        // What can't be told is silence: whatever costs more is not looked at.
        if (holds === null && entry.is !== 'green') break
      }
      return { entry, holds }
    },
  }
}

function costOf({ key }: Ground): number {
  const { probe } = splitKey(key)
  const cost = COST.findIndex((probes) => probes.includes(probe))
  return cost === -1 ? COST.length : cost
}
