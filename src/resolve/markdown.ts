import type { Claim } from '../model/claim.ts'
import { RANKS, type Rank } from '../model/rank.ts'
import type { Resolution } from '../model/verdict.ts'
import { speaking } from './told.ts'
import { isDeclared, stated } from './words.ts'

/** What a comment on a pull request may be long; GitHub takes 65,536 characters. */
const MOST = 60_000

/**
 * What was proved, what is dead and what was done, of the claims that hold in this working tree, as Markdown for a comment.
 * Every recorded text stands in a code span that it can't end: no mention, link, image, heading or HTML comes of it.
 * An empty text where nothing holds.
 */
export function markdownOf({ remnants }: Resolution): string {
  const facts = factsOf({ remnants })
  const suspended = new Set(remnants.flatMap(({ claims }) => claims.map(({ claim }) => claim.claim_id).filter((id) => !facts.has(id))))
  if (facts.size === 0 && suspended.size === 0) return ''
  const sections = SECTIONS.flatMap(([title, holds]) =>
    RANKS.flatMap((rank) => {
      const lines = [...facts.values()].filter((fact) => fact.rank === rank && holds(fact.claim)).map(({ claim }) => lineOf(claim))
      return lines.length === 0 ? [] : [{ title: `### ${title}${SOURCE[rank]}`, lines }]
    }),
  )
  const count = suspended.size === 0 ? [] : ['', `Suspended in this working tree, so not stated: ${suspended.size}.`]
  return [`## What sessions recorded, and holds here`, ...bounded(sections), ...count].join('\n')
}

type Fact = { readonly rank: Rank; readonly claim: Claim }

/** Each claim once, as those tell it who speak for it; in the order of ids. */
function factsOf({ remnants }: Resolution): Map<string, Fact> {
  const words = new Map<string, Fact[]>()
  for (const { rank, claims } of remnants) for (const { claim, holds } of claims) if (holds) words.set(claim.claim_id, [...(words.get(claim.claim_id) ?? []), { rank, claim }])
  return new Map([...words].map(([id, all]): [string, Fact] => [id, speaking(all)[0] as Fact]).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const SECTIONS: readonly (readonly [string, (claim: Claim) => boolean])[] = [
  ['Proved', (claim) => (claim.list === 'verified_invariants' && !isDeclared(claim.verification_receipt)) || isProven(claim)],
  ['Fixed, and the gate that guards it', (claim) => claim.list === 'debug_residuals' && !isProven(claim)],
  ['Dead ends', (claim) => claim.list === 'falsified_boundaries'],
  ['Done', (claim) => claim.list === 'non_idempotent_commits'],
  ['Open', (claim) => claim.list === 'unresolved_handoffs'],
  ['Declared', (claim) => claim.list === 'verified_invariants' && isDeclared(claim.verification_receipt)],
]

/** A cause that somebody declared is proved once "prove" showed its gate red on the parent and green on the fix. */
const isProven = (claim: Claim): boolean => claim.list === 'debug_residuals' && claim.proof === 'PROVEN'

const SOURCE: Readonly<Record<Rank, string>> = { own: '', signed: ' (signed)', reported: ' (reported, unsigned)', other: ' (from others, unsigned)' }

const lineOf = (claim: Claim): string => `- ${codeSpan(stated(claim))} · ${claim.verification_receipt.strength} · \`${claim.claim_id.slice(0, 12)}\``

/** A text in as many backquotes as none of its own runs has (CommonMark 6.1). */
export function codeSpan(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length))
  let width = 1
  while (runs.has(width)) width += 1
  const fence = '`'.repeat(width)
  return `${fence} ${text} ${fence}`
}

/** As many lines as a comment takes, and how many it has no room for. */
function bounded(sections: readonly { readonly title: string; readonly lines: readonly string[] }[]): string[] {
  const kept: string[] = []
  let room = MOST
  let left = 0
  for (const { title, lines } of sections) {
    const fitting = lines.filter((line) => (room -= line.length + 1) > title.length)
    if (fitting.length > 0) kept.push('', title, '', ...fitting)
    left += lines.length - fitting.length
  }
  return left === 0 ? kept : [...kept, '', `Left out for want of room: ${left}.`]
}
