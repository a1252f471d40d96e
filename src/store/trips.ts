import { REFS } from './recipe.ts'

/** One connection that brings objects: for these refs, by asking for these. */
export interface Trip {
  readonly refs: readonly [ref: string, oid: string][]
  readonly asked: readonly string[]
  /** Each stands in `asked` by its name. */
  readonly named: boolean
}

/** So many refs may be named one by one: git needs time for each times all that the remote has. */
const FEW = 200
/** As many as one connection brings. */
const MOST = 5000

/** Each named by itself. */
export const tripOf = (refs: readonly [string, string][]): Trip => ({ refs, asked: refs.map(([ref]) => ref), named: true })

/**
 * How to ask for these refs: many by patterns, which git matches in linear time, without what is not wanted among them; where that
 * is much too, each by its name. `there`: all refs of the remote; `isHere`: it is here already as it is there, so that nothing is sent.
 */
export function tripsFor(wanted: readonly [string, string][], there: readonly string[], isHere: (ref: string) => boolean): Trip[] {
  if (wanted.length <= FEW) return wanted.length === 0 ? [] : [tripOf(wanted)]
  const names = new Set(wanted.map(([ref]) => ref))
  const groups = new Map<string, { refs: [string, string][]; without: string[] }>()
  const groupOf = (ref: string): { refs: [string, string][]; without: string[] } => {
    const start = startOf(ref)
    const known = groups.get(start) ?? { refs: [], without: [] }
    groups.set(start, known)
    return known
  }
  for (const one of wanted) groupOf(one[0]).refs.push(one)
  for (const ref of there) if (!names.has(ref) && !isHere(ref)) groupOf(ref).without.push(ref)
  const trips: { refs: [string, string][]; asked: string[]; named: false }[] = []
  const byName: Trip[] = []
  for (const [start, { refs, without }] of groups) {
    if (refs.length === 0) continue
    if (without.length > FEW || !without.every((ref) => PLAIN.test(ref))) {
      for (let at = 0; at < refs.length; at += FEW) byName.push(tripOf(refs.slice(at, at + FEW)))
      continue
    }
    const asked = [`${start}*`, ...without.map((ref) => `^${ref}`)]
    const last = trips.at(-1)
    if (last === undefined || last.refs.length + refs.length > MOST) trips.push({ refs, asked, named: false })
    else {
      last.refs.push(...refs)
      last.asked.push(...asked)
    }
  }
  return [...trips, ...byName]
}

/** What a remote calls its refs is its own affair; only a name that is nothing else goes into a refspec. */
const PLAIN = /^[\w./-]+$/

/** One character of the name that follows: digests are spread evenly over sixteen. */
function startOf(ref: string): string {
  const folder = ref.startsWith(`${REFS}sig/`) ? `${REFS}sig/` : REFS
  return ref.slice(0, folder.length + 1)
}
