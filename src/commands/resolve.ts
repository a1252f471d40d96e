import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { type Here, resolveHere } from '../host/here.ts'
import type { Resolved, VerdictReason } from '../model/verdict.ts'
import { driftInWords } from '../resolve/drift.ts'
import { data } from '../resolve/words.ts'

export default {
  name: 'resolve',
  kind: 'porcelain',
  summary: 'Which stored claims still hold in this working tree',
  details: [
    'Compares every stored remnant\'s sealed keys with this working tree and gives a verdict for each, over live claims.',
    'Nothing is run and nothing is stored. DIGEST is a remnant\'s name, or at least its first 4 digits.',
  ].join('\n'),
  positionals: [{ name: 'digest', many: true, describe: 'only these remnants' }],
  statuses: { 1: 'a remnant that was asked for is not here', 74: 'a remnant that was asked for is damaged' },
  async run(args, host) {
    const here = await resolveHere(host)
    const asked = args.list('digest').map((name) => named(name, here))
    const missing = args.list('digest').filter((_, i) => asked[i] === null)
    const chosen = new Set(asked)
    const remnants = here.resolution.remnants.filter(({ digest }) => asked.length === 0 || chosen.has(digest))
    const settled = here.held.map(({ digest }) => digest).filter((digest) => chosen.has(digest) && !remnants.some((live) => live.digest === digest))

    const blocks = [
      ...remnants.map(blockOf),
      ...settled.map((digest) => `${short(digest)}  no live claim: later remnants answer all of it`),
      ...missing.map((name) => `no remnant here begins with "${name}"`),
      ...(asked.length === 0 ? here.skipped.map(({ digest, fault }) => `${short(digest)}  skipped: ${data(fault)}`) : []),
      ...(asked.length === 0 && here.held.length + here.skipped.length === 0 ? ['no remnant is stored here'] : []),
    ]
    return {
      text: blocks.join('\n'),
      data: { remnants: remnants.map(documentOf), skipped: asked.length === 0 ? here.skipped.map(({ digest, fault }) => ({ digest, fault })) : [] },
      status: missing.length > 0 ? 1 : 0,
    }
  },
} satisfies Command

/** The one digest that begins so; null: none does. */
function named(name: string, { held, skipped }: Here): string | null {
  if (!/^[0-9a-f]{4,64}$/.test(name)) throw new RemnantError('misuse', 'digest is not 4 to 64 hexadecimal digits', { hint: '"git remnant list" shows what is stored' })
  const matches = [...held, ...skipped].filter(({ digest }) => digest.startsWith(name))
  if (matches.length > 1) throw new RemnantError('misuse', `digest "${name}" begins ${matches.length} remnants' names`, { hint: 'give more digits' })
  const [match] = matches
  if (match === undefined) return null
  if ('fault' in match) throw new RemnantError('corrupt', match.fault, { hint: match.hint ?? '"git remnant verify" says what can be done' })
  return match.digest
}

function blockOf(resolved: Resolved): string {
  const holding = resolved.claims.filter(({ holds }) => holds)
  const suspended = resolved.claims.length - holding.length
  const deeds = holding.filter(({ claim }) => !resolved.retained_claims.includes(claim.claim_id)).length
  const against = resolved.claims.filter(({ contradicted }) => contradicted)
  return [
    `${short(resolved.digest)}  ${resolved.verdict}${resolved.own ? '' : '  (from others, unsigned)'}`,
    ...(resolved.reason === null ? [] : [`  ${REASONS[resolved.reason]}`]),
    ...resolved.drift.map((drift) => `  drifted  ${driftInWords(drift)}`),
    ...against.map(({ claim }) => `  contradicted  ${short(claim.claim_id)}`),
    `  ${holding.length} of ${resolved.claims.length} live claims ${holding.length === 1 ? 'holds' : 'hold'}, ${suspended} suspended`,
    ...(deeds === 0 ? [] : [`  ${deeds} of those that hold ${deeds === 1 ? 'is a deed' : 'are deeds'} done for good: the target is the same`]),
  ].join('\n')
}

const REASONS: Readonly<Record<Exclude<VerdictReason, null>, string>> = {
  'seal-contradiction': 'the seal contradicts the baselines: nothing of this record is believed',
  'no-manifest': 'the record names no keys or no claims to compare',
  structural: 'a structural key drifted',
  'no-baseline': 'a structural key has no baseline',
  'all-claims': 'every live claim touches a drifted key',
  contradiction: 'other evidence, as good, says the opposite here: suspended until probed',
}

const documentOf = ({ digest, verdict, reason, drifted_keys, retained_claims, invalidated_claims }: Resolved) => ({
  digest,
  verdict,
  reason,
  drifted_keys,
  retained_claims,
  invalidated_claims,
})

const short = (digest: string): string => digest.slice(0, 12)
