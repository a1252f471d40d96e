import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { countsInWords } from '../model/claim.ts'
import { countsOf } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import { data } from '../resolve/words.ts'
import { named } from '../store/named.ts'
import { refOf } from '../store/git/recipe.ts'

export default {
  name: 'log',
  kind: 'porcelain',
  summary: 'Which remnant answered which claims of which, the latest first',
  details: [
    'The lineage of remnants is git history: what a remnant answers are the parents of its commit. A remnant stands before all that it',
    'answers. With DIGEST: that remnant and its ancestors, as "git log refs/remnants/<digest>" would go through them.',
  ].join('\n'),
  positionals: [{ name: 'DIGEST', describe: 'the remnant, by its first digits, four or more' }],
  statuses: { 1: 'there is no such remnant', 74: 'it is damaged' },
  async run(args, host) {
    const store = await host.store()
    const name = args.text('DIGEST')
    const from = name === undefined ? null : await named(store, name)
    if (name !== undefined && from === null) return { text: `no remnant "${data(name)}" here`, data: { remnants: [], broken: [] }, status: 1 }
    const held = new Map<string, Held>()
    const broken: { digest: string; fault: string; hint: string | null }[] = []
    for await (const stored of store.readAll()) {
      if ('remnant' in stored) held.set(stored.digest, stored)
      else if (stored.digest === from) throw new RemnantError('corrupt', stored.fault, stored.hint === undefined ? {} : { hint: stored.hint })
      else broken.push({ digest: stored.digest, fault: stored.fault, hint: stored.hint ?? null })
    }
    const remnants = inOrder(from === null ? [...held.keys()] : ancestry(from, held), held)
    const skipped = from === null ? broken : []
    const later = answersTo([...held.values()])
    return {
      text: [...remnants.map((one) => entry(one, later)), ...skipped.map(({ digest, fault }) => `${short(digest)}  broken: ${data(fault)}`)].join('\n') || 'no remnants here',
      data: { remnants: remnants.map((one) => documentOf(one, later)), broken: skipped },
    }
  },
} satisfies Command

/** A remnant and all that it answers, near or far. */
function ancestry(from: string, held: ReadonlyMap<string, Held>): string[] {
  const found = new Set([from])
  for (const digest of found) for (const [older] of held.get(digest)?.remnant.supersedes ?? []) if (held.has(older)) found.add(older)
  return [...found]
}

/** The latest first, and none before what answers it. A circle, which no digest can close, would be left out. */
function inOrder(digests: readonly string[], held: ReadonlyMap<string, Held>): Held[] {
  const open = new Map(digests.map((digest) => [digest, 0]))
  const olderOf = (digest: string): string[] => (held.get(digest)?.remnant.supersedes ?? []).map(([older]) => older).filter((older) => open.has(older))
  for (const digest of digests) for (const older of olderOf(digest)) open.set(older, (open.get(older) ?? 0) + 1)
  const latestFirst = (a: string, b: string): number => (moment(held, a) < moment(held, b) || (moment(held, a) === moment(held, b) && a < b) ? 1 : -1)
  const ready = digests.filter((digest) => open.get(digest) === 0).sort(latestFirst)
  const ordered: Held[] = []
  for (let next = ready.shift(); next !== undefined; next = ready.shift()) {
    ordered.push(held.get(next) as Held)
    for (const older of olderOf(next)) {
      open.set(older, (open.get(older) ?? 0) - 1)
      if (open.get(older) !== 0) continue
      const at = ready.findIndex((one) => latestFirst(older, one) < 0)
      ready.splice(at === -1 ? ready.length : at, 0, older)
    }
  }
  return ordered
}

const moment = (held: ReadonlyMap<string, Held>, digest: string): number => Date.parse(held.get(digest)?.remnant.provenance.observed_until ?? '')

type Answers = ReadonlyMap<string, readonly { readonly digest: string; readonly claims: readonly string[] }[]>

/** By digest: which remnants answer it, and which of its claims. */
function answersTo(held: readonly Held[]): Answers {
  const answers = new Map<string, { digest: string; claims: readonly string[] }[]>()
  for (const { digest, remnant } of held)
    for (const [older, claims] of remnant.supersedes) answers.set(older, [...(answers.get(older) ?? []), { digest, claims }])
  return answers
}

function entry(one: Held, later: Answers): string {
  const { provenance, session_id, supersedes } = one.remnant
  return [
    `${short(one.digest)}  ${provenance.observed_until}  ${one.rank}  ${data(`${provenance.host} ${session_id}`)}`,
    `  ${countsInWords(countsOf(one.remnant)) || 'no claims'}`,
    ...supersedes.map(([older, ids]) => `  answers ${short(older)}: ${ids.map(short).join(' ')}`),
    ...(later.get(one.digest) ?? []).map(({ digest, claims }) => `  answered by ${short(digest)}: ${claims.map(short).join(' ')}`),
  ].join('\n')
}

const documentOf = (one: Held, later: Answers) => ({
  digest: one.digest,
  ref: refOf(one.digest),
  rank: one.rank,
  host: one.remnant.provenance.host,
  session_id: one.remnant.session_id,
  observed_until: one.remnant.provenance.observed_until,
  claims: countsOf(one.remnant),
  answers: one.remnant.supersedes.map(([digest, claims]) => ({ digest, claims })),
  answered_by: later.get(one.digest) ?? [],
})

const short = (digest: string): string => digest.slice(0, 12)
