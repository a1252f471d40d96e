import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { type Here, resolveHere } from '../host/here.ts'
import type { Claim } from '../model/claim.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import { type Telling, claimInWords, tellingOf } from '../resolve/why.ts'

export default {
  name: 'why',
  kind: 'porcelain',
  summary: 'What a claim rests on, and whether it holds here',
  details: 'Follows a claim back to its receipt and forward to its verdict. A remnant\'s digest stands for all of its claims.',
  positionals: [{ name: 'claim', required: true, describe: 'a claim\'s id or a remnant\'s digest, or at least its first 4 digits' }],
  statuses: { 1: 'there is no such claim', 74: 'the remnant that was asked for is damaged' },
  async run(args, host) {
    const name = args.text('claim') ?? ''
    if (!/^[0-9a-f]{4,64}$/.test(name)) throw new RemnantError('misuse', 'claim is not 4 to 64 hexadecimal digits', { hint: '"git remnant brief" and "git remnant list" show ids' })
    const here = await resolveHere(host)

    const claims = chosen(name, here).map(({ claim, held }) => ({ claim, tellings: held.map((one) => tellingOf(one, claim, here)) }))
    if (claims.length === 0) return { text: `no claim and no remnant here begins with "${name}"`, data: { claims: [] }, status: 1 }
    return {
      text: claims.map(({ claim, tellings }) => claimInWords(claim, tellings)).join('\n\n'),
      data: { claims: claims.map(({ claim, tellings }) => ({ ...documentOf(claim), remnants: tellings.map(remnantOf) })) },
    }
  },
} satisfies Command

/** The claims that the name stands for, each with the remnants that hold it. */
function chosen(name: string, { held, skipped }: Here): { claim: Claim; held: Held[] }[] {
  const byId = new Map<string, { claim: Claim; held: Held[] }>()
  const remnants = [...held, ...skipped].filter(({ digest }) => digest.startsWith(name))
  const asked = new Set(remnants.map(({ digest }) => digest))
  for (const one of held)
    for (const claim of claimsOf(one.remnant)) {
      if (!claim.claim_id.startsWith(name) && !asked.has(one.digest)) continue
      const known = byId.get(claim.claim_id) ?? { claim, held: [] }
      byId.set(claim.claim_id, { ...known, held: [...known.held, one] })
    }
  const claims = [...byId.values()]
  const named = claims.filter(({ claim }) => claim.claim_id.startsWith(name)).length + remnants.length
  if (named > 1) throw new RemnantError('misuse', `"${name}" begins the names of ${named} claims and remnants`, { hint: 'give more digits' })
  const [remnant] = remnants
  if (remnant !== undefined && 'fault' in remnant) throw new RemnantError('corrupt', remnant.fault, { hint: remnant.hint ?? '"git remnant verify" says what can be done' })
  return claims
}

function documentOf(claim: Claim): Record<string, unknown> {
  const { list, ...fields } = claim
  return { kind: list, ...fields }
}

/** The receipt, the rules passed and the keys are each remnant's own: two sessions may prove one claim by different means. */
const remnantOf = ({ held, claim, state, overruled_by, verdict, reason, keys }: Telling) => ({
  digest: held.digest,
  own: held.own,
  state,
  overruled_by,
  verdict,
  reason,
  verification_receipt: claim.verification_receipt,
  keys,
})
