import type { Command } from '../command.ts'
import { type ClaimList, countsInWords } from '../model/claim.ts'
import { plainText } from '../model/plain.ts'
import type { Rank } from '../model/rank.ts'
import { type Remnant, countsOf } from '../model/remnant.ts'

export default {
  name: 'list',
  kind: 'porcelain',
  summary: 'List the remnants of this repository, the latest first',
  details: 'A remnant that is damaged, or of a schema that this version does not know, is named and skipped.',
  run: async (_args, host) => {
    const store = await host.store()
    const remnants: Listed[] = []
    const broken: { digest: string; fault: string; hint: string | null }[] = []
    for await (const stored of store.readAll()) {
      if ('fault' in stored) broken.push({ digest: stored.digest, fault: stored.fault, hint: stored.hint ?? null })
      else remnants.push(listed(stored.digest, stored.remnant, stored.rank))
    }
    remnants.sort((a, b) => latestFirst(a.observed_until, b.observed_until) || latestFirst(a.digest, b.digest))
    const rows = remnants.map((each) => [each.digest.slice(0, 12), each.observed_until, plainText(each.host, 40), each.rank, countsInWords(each.claims)])
    const lines = [...aligned(rows), ...broken.map(({ digest, fault }) => `${digest.slice(0, 12)}  broken: ${plainText(fault, 300)}`)]
    return { text: lines.length === 0 ? 'no remnants here' : lines.join('\n'), data: { remnants, broken } }
  },
} satisfies Command

interface Listed {
  readonly digest: string
  readonly observed_until: string
  readonly host: string
  readonly session_id: string
  readonly rank: Rank
  readonly claims: Readonly<Record<ClaimList, number>>
}

function listed(digest: string, remnant: Remnant, rank: Rank): Listed {
  const { observed_until, host } = remnant.provenance
  return { digest, observed_until, host, session_id: remnant.session_id, rank, claims: countsOf(remnant) }
}

const latestFirst = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)))
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] as number)).join('  ').trimEnd())
}
