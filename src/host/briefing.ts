import { type Key, splitKey } from '../model/key.ts'
import { type Brief, briefOf } from '../resolve/brief.ts'
import type { Git } from './git.ts'
import type { Sets } from '../model/sets.ts'
import type { Resolution } from '../model/verdict.ts'
import { type Here, type Place, resolveHere } from './here.ts'
import { isKnownAgain } from './guarding/harmful.ts'

/** In tokens. */
export const DEFAULT_BUDGET = 300

export interface Briefing {
  readonly brief: Brief
  readonly skipped: Here['skipped']
}

/** What a successor may rely on here. `path`: what it is about to work on, from the work tree's top; null: nobody said. */
export async function briefHere(host: Briefed, budget: number, path: string | null): Promise<Briefing> {
  const { resolution, skipped } = await resolveHere(host)
  if (resolution.remnants.length === 0) return { brief: briefOf(resolution, { budget, touches: () => false, tokensOf: () => 0 }), skipped }
  const [{ estimateTokenCount }, atHand, anew] = await Promise.all([import('tokenx'), pathsAtHand(host), deedsMadeAnew(resolution, host)])
  const asked = path === null ? null : near([path])
  const brief = briefOf(resolution, { budget, touches: asked ?? (() => false), atHand: near(atHand), tokensOf: estimateTokenCount, isKnownAgain: (claim) => !anew.has(claim) })
  return { brief, skipped }
}

interface Briefed extends Place {
  sets(): Promise<Pick<Sets, 'probes' | 'mutations'>>
  git(): Promise<Git>
}

/** The ids of the deeds that hold here and that the guard would not know again: nothing names them before they are made. */
async function deedsMadeAnew({ remnants }: Resolution, host: Briefed): Promise<ReadonlySet<string>> {
  const deeds = new Map(remnants.flatMap(({ claims }) => claims.flatMap(({ claim, holds }) => (holds && claim.list === 'non_idempotent_commits' && claim.repeat === 'harmful' ? [[claim.claim_id, claim] as const] : []))))
  if (deeds.size === 0) return new Set()
  const [{ mutations }, world] = await Promise.all([host.sets(), host.world()])
  const known = await Promise.all([...deeds].map(async ([id, deed]) => ((await isKnownAgain(deed, mutations, world).catch(() => false)) ? [] : [id])))
  return new Set(known.flat())
}

/** What differs from the last commit, and what this branch has changed since it left its upstream: where work goes on. */
async function pathsAtHand(host: { git(): Promise<Git> }): Promise<readonly string[]> {
  try {
    const git = await host.git()
    const [status, branch] = await Promise.all([
      git.try(['status', '--porcelain=v1', '-z', '--no-renames', '--ignore-submodules=all']),
      git.try(['diff', '--name-only', '--no-renames', '--no-ext-diff', '-z', '@{upstream}...HEAD']),
    ])
    const changed = status.status === 0 ? listIn(status.stdout).map((entry) => entry.slice(3)) : []
    const committed = branch.status === 0 ? listIn(branch.stdout) : []
    return [...new Set([...changed, ...committed].map((path) => path.replace(/\/$/, '')))].filter((path) => !path.startsWith('.remnants')).slice(0, MOST_PATHS)
  } catch {
    // It only decides an order.
    return []
  }
}

const MOST_PATHS = 2000

const listIn = (bytes: Uint8Array): string[] =>
  Buffer.from(bytes)
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '')

/** Whether a claim's folder or keys lie within one of the paths, or around it. The work tree's top is around everything, so it says nothing. */
function near(paths: readonly string[]): (folder: string, keys: readonly Key[]) => boolean {
  const exact = new Set(paths)
  const around = new Set(paths.flatMap(foldersOf))
  const touches = (place: string): boolean => place !== '' && place !== '.' && (exact.has('.') || exact.has(place) || around.has(place) || foldersOf(place).some((folder) => exact.has(folder)))
  return (folder, keys) => touches(folder) || keys.some((key) => touches(placeIn(key)))
}

/** The path that a key is about; empty for a key of something else. */
const placeIn = (key: Key): string => {
  const { probe, argument } = splitKey(key)
  return OF_PATHS.has(probe) ? argument : ''
}
const OF_PATHS: ReadonlySet<string> = new Set(['file', 'tree', 'absent'])

/** `a/b/c` lies in `a` and `a/b`. */
const foldersOf = (path: string): string[] => {
  const steps = path.split('/')
  return steps.slice(1).map((_, i) => steps.slice(0, i + 1).join('/'))
}
