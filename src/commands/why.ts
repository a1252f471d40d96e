import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { type Here, resolveHere } from '../host/here.ts'
import type { Claim } from '../model/claim.ts'
import type { Place } from '../model/observation.ts'
import { plainText } from '../model/plain.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Held } from '../model/store.ts'
import { type Beside, type Telling, claimInWords, tellingOf } from '../resolve/why.ts'
import { proofsOf } from '../host/proofs/recorded.ts'
import { logFor, placeOf, purgedOf } from './why/record.ts'

export default {
  name: 'why',
  kind: 'porcelain',
  summary: 'What a claim rests on, and whether it holds here',
  details: [
    'Follows a claim back to its receipt, and to the line of the log where that is still here, and forward to its verdict. A remnant\'s',
    'digest stands for all of its claims. A record of a log stands for what "teardown" purged of it, and says by which rule; the',
    'text that was purged is written down nowhere.',
  ].join('\n'),
  positionals: [{ name: 'claim', required: true, describe: 'a claim\'s id or a remnant\'s digest, or at least its first 4 digits; or a record\'s id' }],
  options: { transcript: { type: 'string', value: 'FILE', describe: 'the log of the session, where the host does not keep it for this folder' } },
  statuses: { 1: 'there is no such claim, or nothing is known of that record', 74: 'the remnant that was asked for is damaged' },
  async run(args, host) {
    const name = args.text('claim') ?? ''
    const isDigits = /^[0-9a-f]{4,64}$/.test(name)
    const purged = isDigits ? null : await purgedOf(name, host)
    if (purged !== null) return { text: purged.text, data: { claims: [], purged: purged.data } }
    if (!isDigits && !RECORD.test(name)) throw new RemnantError('misuse', 'claim is not 4 to 64 hexadecimal digits', { hint: '"git remnant brief" and "git remnant list" show ids' })
    const here = await resolveHere(host)
    if (!isDigits) return ofRecordKept(name, here)

    const claims: { claim: Claim; tellings: Telling[]; beside: Beside }[] = []
    for (const { claim, held } of chosen(name, here)) {
      const tellings = held.map((one) => tellingOf(one, claim, here))
      claims.push({ claim, tellings, beside: { proofs: claim.list === 'debug_residuals' ? await proofsOf(claim, host) : [], places: await placesOf(tellings, args.text('transcript'), host) } })
    }
    const ofRecord = claims.length === 0 ? await purgedOf(name, host) : null
    if (ofRecord !== null) return { text: ofRecord.text, data: { claims: [], purged: ofRecord.data } }
    if (claims.length === 0) return { text: `no claim and no remnant here begins with "${name}"`, data: { claims: [] }, status: 1 }
    return {
      text: claims.map(({ claim, tellings, beside }) => claimInWords(claim, tellings, beside)).join('\n\n'),
      data: { claims: claims.map(({ claim, tellings, beside }) => ({ ...documentOf(claim), noted: beside.proofs.map(({ outcome, commit }) => ({ outcome, commit })), remnants: tellings.map((one) => remnantOf(one, beside)) })) },
    }
  },
} satisfies Command

/** A name that a host gives to a record, and that could be nothing else: long, and with a digit. */
const RECORD = /^(?=.*\d)[\w:.~-]{5,200}$/

/** What a record proves of which nothing was purged; nothing, where no remnant names it. */
function ofRecordKept(record: string, { held }: Here): Answer {
  const proven = held.filter(({ rank }) => rank === 'own').flatMap(({ remnant }) => claimsOf(remnant).filter(({ verification_receipt }) => verification_receipt.record_id === record))
  const ids = [...new Set(proven.map(({ claim_id }) => claim_id))].sort()
  const nothing = `nothing of record ${plainText(record, 200)} was purged in this clone`
  const text =
    ids.length > 0
      ? `${nothing}: it proves ${ids.map((id) => `claim ${id.slice(0, 12)}`).join(', ')}; "git remnant why ${(ids[0] as string).slice(0, 12)}" says more`
      : `${nothing}, and no remnant of this clone names it: nothing could be concluded from it, or its session was not torn down here`
  return { text, data: { claims: [], purged: [], proves: ids }, status: ids.length > 0 ? 0 : 1 }
}

/** Of what this clone itself sealed: a stranger's record names none of its logs. */
async function placesOf(tellings: readonly Telling[], named: string | undefined, host: Host): Promise<ReadonlyMap<string, Place>> {
  const places = new Map<string, Place>()
  for (const { held, claim } of tellings) {
    if (held.rank !== 'own') continue
    const path = await logFor(held.remnant, claim.verification_receipt, named, host)
    const place = path === null ? null : await placeOf(claim.verification_receipt.record_id, path, host)
    if (place !== null) places.set(held.digest, place)
  }
  return places
}

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
const remnantOf = ({ held, claim, state, overruled_by, verdict, reason, keys }: Telling, { places }: Beside) => ({
  digest: held.digest,
  rank: held.rank,
  state,
  overruled_by,
  verdict,
  reason,
  verification_receipt: claim.verification_receipt,
  log: places.get(held.digest) ?? null,
  keys,
})
