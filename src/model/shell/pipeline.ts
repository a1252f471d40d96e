import type { CommandNode, PipelineNode } from 'unbash'
import type { ShellCommand } from './command.ts'
import { lesser } from './output.ts'
import { capped, writing } from './redirection.ts'
import type { Scope } from './scope.ts'
import { type Entry, NOTHING, type Part } from './status.ts'

/**
 * A pipeline of members that are read already; they run in subshells. Filters at the end are left out; what reads from a pipe
 * can't be told by its words.
 */
export function piped(commands: readonly CommandNode[], members: readonly Part[], { pipefail }: Scope): Part {
  const heads = headsOf(commands, members)
  const filters = members.slice(heads).map((part) => part.entries.at(-1) as Entry)
  const left = filters.reduce<ShellCommand['shows']>((shows, entry) => lesser(shows, lesser(entry.filter?.holds ?? 'part', entry.shows)), 'all')
  const through = throughOf(filters)
  const steady = filters.every((entry) => entry.filter?.steady === true)
  const alone = heads === 1
  const [filter] = filters
  const [head, ...others] = members[0]?.entries ?? []
  const lines = alone && filters.length === 1 && filter?.shows === 'all' && others.length === 0 && head?.lines === undefined ? filter.filter?.lines : undefined
  const entries = members.flatMap((part, i) => {
    if (i >= heads) return part.entries.slice(0, -1)
    const shown = capped(part.entries, i < heads - 1 ? 'nothing' : filters.length > 0 ? left : 'all').map((entry): Entry => (through === null || i < heads - 1 ? entry : { ...entry, through }))
    const told = shown.map(
      ({ first: _, lines: __, ...entry }): Entry =>
        i === 0
          ? { ...entry, ...(lines !== undefined && { lines }), first: { zero: entry.zero, nonzero: entry.nonzero } }
          : { ...entry, symbolic: true, ...(entry.symbolic ? {} : { worded: true }) },
    )
    if (pipefail === 'on') return told.map((entry) => ({ ...entry, nonzero: alone && steady ? entry.nonzero : null }))
    return filters.length > 0 || i < heads - 1 || pipefail === 'maybe' ? told.map((entry) => ({ ...entry, zero: null, nonzero: null })) : told
  })
  return { ...NOTHING, entries: writing(entries, filters.flatMap((entry) => entry.writes ?? [])), fails: true, plain: members.every((part) => part.plain) }
}

/** What comes out behind the filters: lines that were printed (null), a number, or other lines. */
const throughOf = (filters: readonly Entry[]): 'count' | 'other' | null =>
  filters.reduce<'count' | 'other' | null>((so, { filter }) => (filter?.makes === undefined || (so === 'count' && filter.makes === 'shorter') ? so : filter.makes === 'count' ? 'count' : 'other'), null)

/** `! a | b`. */
export const isNegated = (node: PipelineNode): boolean => node.type === 'Pipeline' && node.prefixes.filter((prefix) => prefix.type === 'Negation').length % 2 === 1

/** How many members stand before the filters at the end. */
function headsOf(commands: readonly CommandNode[], members: readonly Part[]): number {
  let heads = members.length
  while (heads > 1 && commands[heads - 1]?.type === 'Command' && members[heads - 1]?.entries.at(-1)?.filter != null) heads -= 1
  return heads
}
