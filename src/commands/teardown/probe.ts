import { relative } from 'node:path'
import type { Answer, Host } from '../../command.ts'
import type { Purge } from '../../distill/candidate.ts'
import type { Draft } from '../../distill/draft.ts'
import { knowing } from '../../distill/known.ts'
import { reseal } from '../../distill/reseal.ts'
import { type Distillation, claimOf } from '../../distill/seal.ts'
import { approvalsHere } from '../../host/trust/approvals.ts'
import { resolveHere } from '../../host/here.ts'
import { reasonInWords, hintFor, reproduce, stillStanding } from '../../host/trial/reproduce.ts'
import { groundOf } from '../../host/trial/rerun.ts'
import { allowing } from '../../host/trust/typed.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import { type Remnant, claimsOf, countsOf } from '../../model/remnant.ts'
import type { Sets } from '../../model/sets.ts'
import type { Written } from '../../model/store.ts'
import { type Doubted, commandFor, obstacleToApproval, planOf } from '../../resolve/plan.ts'
import { command as inWords, data } from '../../resolve/words.ts'
import { refOf } from '../../store/git/recipe.ts'

/** What running a log's commands again showed of the claims on whose keys nobody had looked. */
interface Probed {
  /** What was sealed, else the remnant that states what is `known`; null: neither. */
  readonly remnant: Remnant | null
  readonly written: Written | null
  /** Ids of the claims that were reproduced and sealed now. */
  readonly held: readonly string[]
  /** Ids of those that an earlier remnant of this clone states here already: nothing was run for them. */
  readonly known: readonly string[]
  /** For which nothing was sealed, sorted by id. */
  readonly stays: readonly { readonly claim_id: string; readonly command: CanonicalCommand | null; readonly reason: string }[]
  /** The folder of the repository in which it was asked for. */
  readonly from: string
}

interface Unsealed extends Doubted {
  readonly command: CanonicalCommand | null
}

/**
 * Runs the approved commands of a log again, here and now, and seals what holds as reproduced (DESIGN 6), in one write.
 * Only what is known to check something is run; a mutation never is. `own`: the log is known to be of this clone, so
 * that its words count too. `sealed`: what the log by itself has shown.
 */
async function probeUnsealed({ draft, sealed, own }: { readonly draft: Draft; readonly sealed: Remnant | null; readonly own: boolean }, host: Host): Promise<Probed> {
  const sets = await host.sets()
  const from = relative((await host.repository()).workTree ?? host.cwd, host.cwd).replaceAll('\\', '/') || '.'
  const unsealed = unsealedIn(draft, sealed, own)
  const stating = unsealed.length === 0 ? [] : await statingHere(host)
  const stated = new Set(stating.flatMap(({ claims }) => [...claims]))
  const known = unsealed.map(idOf).filter((id) => stated.has(id)).sort()
  const open = unsealed.filter((one) => !stated.has(idOf(one)))
  const stays = open.flatMap((one) => (isCheck(one, sets) ? [] : [{ one, reason: 'not-verifying' }]))
  const checks = open.filter((one) => isCheck(one, sets))
  if (checks.length === 0) return { ...statedBy(stating, known), held: [], known, stays: told(stays), from }

  const approvals = await approvalsHere(host)
  const plan = planOf(checks, { toolchains: sets.toolchains, mutations: sets.mutations, isApproved: (command) => approvals.isApproved(command) }, new Map())
  const ground = await groundOf(host, 'probe')
  const findings = await reproduce(plan, ground, (command, number) => host.progress(`${number} of ${plan.probes.length}  ${inWords(command)}`))
  const held = findings.answered.filter(({ as }) => as === 'held')
  const { standing, moved, ambient, values } = await stillStanding({ ...findings, answered: held }, [], ground)
  const remnant = reseal({
    session_id: ground.session,
    observed_until: findings.at,
    head: ground.head,
    claims: standing.flatMap(({ claims }) => claims),
    answers: new Map(),
    structural: ground.setting.structural,
    ambient,
    values,
    excluded: findings.excluded,
  })
  const written = remnant === null ? null : await (await host.store()).write(remnant)
  stays.push(
    ...findings.stays.map(({ suspended, reason }) => ({ one: suspended, reason })),
    ...findings.answered.filter(({ as }) => as !== 'held').map(({ suspended, as }) => ({ one: suspended, reason: as })),
    ...moved.map(({ suspended }) => ({ one: suspended, reason: 'keys-changed' })),
  )
  const sealedNow = written === null ? statedBy(stating, known) : { remnant, written }
  return { ...sealedNow, held: written === null ? [] : [...new Set(standing.map(({ suspended }) => idOf(suspended)))].sort(), known, stays: told(stays), from }
}

/** Each candidate that no seal holds, once. */
function unsealedIn(draft: Draft, sealed: Remnant | null, own: boolean): Unsealed[] {
  const done = new Set(sealed === null ? [] : claimsOf(sealed).map(({ claim_id }) => claim_id))
  const found = new Map<string, Unsealed>()
  for (const candidate of draft.candidates) {
    if (done.has(candidate.claim_id) || found.has(candidate.claim_id)) continue
    const claim = claimOf(candidate, draft)
    // What a run itself shows is believed, as it is of signed claims; that a command was signed for is nobody's word here.
    found.set(claim.claim_id, { held: { rank: own ? 'own' : 'signed' }, here: { claim, keys: candidate.keys, holds: false, contradicted: false }, command: commandFor(claim) })
  }
  return [...found.values()]
}

/** This clone's own remnants, and the claims of theirs that hold here. */
interface Stating {
  readonly digest: string
  readonly remnant: Remnant
  readonly claims: ReadonlySet<string>
}

async function statingHere(host: Host): Promise<Stating[]> {
  const { resolution } = await resolveHere(host)
  return resolution.remnants.flatMap(({ digest, remnant, rank, claims }) =>
    rank === 'own' ? [{ digest, remnant, claims: new Set(claims.filter(({ holds }) => holds).map(({ claim }) => claim.claim_id)) }] : [],
  )
}

/** The remnant that states most of what is known. */
function statedBy(stating: readonly Stating[], known: readonly string[]): Pick<Probed, 'remnant' | 'written'> {
  const count = ({ claims }: Stating): number => known.filter((id) => claims.has(id)).length
  const best = stating.reduce<Stating | null>((most, one) => (count(one) > (most === null ? 0 : count(most)) ? one : most), null)
  return best === null ? { remnant: null, written: null } : { remnant: best.remnant, written: { digest: best.digest, ref: refOf(best.digest), written: false } }
}

/** Its command is known to check something and to change nothing; why another may not run at all, the plan says. */
function isCheck({ here: { claim }, command }: Unsealed, sets: Sets): boolean {
  if (command === null || obstacleToApproval(claim, sets) !== null) return true
  return claim.list === 'falsified_boundaries' || knowing(sets.toolchains)(command).invocation?.verifies === true
}

const idOf = ({ here }: Unsealed): string => here.claim.claim_id

const told = (stays: readonly { readonly one: Unsealed; readonly reason: string }[]): Probed['stays'] =>
  stays.map(({ one, reason }) => ({ claim_id: idOf(one), command: one.command, reason })).sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))

/** One session as teardown left it. */
export interface Session {
  readonly made: Draft
  readonly distillation: Distillation
  readonly own: boolean
}

/** The sessions after their logs' commands were run again, less the purges of what held, and what came of each. */
export async function probeSessions<S extends Session>(sessions: readonly S[], host: Host): Promise<{ readonly sessions: readonly S[]; readonly probed: readonly Probed[] }> {
  const probed: Probed[] = []
  for (const { made, distillation, own } of sessions) probed.push(await probeUnsealed({ draft: made, sealed: distillation.remnant, own }, host))
  return { sessions: sessions.map((one, i) => ({ ...one, distillation: { ...one.distillation, purged: purgedStill(one, probed[i] as Probed) } })), probed }
}

/** Not what was run again and held. */
function purgedStill({ made, distillation }: Session, { held, known }: Probed): readonly Purge[] {
  const answered = new Set([...held, ...known])
  const records = new Set(made.candidates.filter(({ claim_id }) => answered.has(claim_id)).map(({ proof, list }) => `${list} ${proof.receipt.record_id}`))
  return distillation.purged.filter(({ rule, list, record_id }) => !((rule === 'unsealed' || rule === 'precondition') && records.has(`${list} ${record_id}`)))
}

/**
 * The verb's answer with what the probes showed: `probed` beside the rest of its document, and their remnant as its digest
 * where the log by itself gave none. 77: nothing was sealed, and something was not approved.
 */
export function withProbes(plain: Answer, probed: readonly Probed[]): Answer {
  const best = probed.find(({ written }) => written !== null) ?? probed[0]
  if (best === undefined) return plain
  const { digest, sessions, ...rest } = plain.data ?? {}
  const alone = typeof digest !== 'string'
  const instead = alone && best.written !== null && best.remnant !== null ? { ...best.written, claims: countsOf(best.remnant) } : { digest: digest ?? null }
  const text = (plain.text ?? '').split('\n').filter((line) => !(alone && best.written !== null && line.startsWith('nothing irreducible to keep')))
  const refused = probed.some(({ stays }) => stays.some(({ reason }) => reason === 'not-approved'))
  return {
    ...plain,
    text: [...text, ...probed.flatMap(inLines)].join('\n'),
    data: { ...rest, ...instead, probed: documentOf(best), ...(Array.isArray(sessions) && { sessions: sessions.map((one: object, i) => ({ ...one, probed: documentOf(probed[i] as Probed) })) }) },
    status: !alone || best.written !== null ? 0 : refused ? 77 : (plain.status ?? 0),
  }
}

const documentOf = ({ written, held, known, stays }: Probed) => ({ digest: written?.digest ?? null, ref: written?.ref ?? null, held, known, stays })

function inLines({ written, held, known, stays, from }: Probed): string[] {
  const told = new Set<string>()
  const approval = ({ command, reason }: Probed['stays'][number]): string[] => {
    if (reason === 'no-command' && !told.has(reason)) {
      told.add(reason)
      return [`    hint: ${hintFor(reason, '')}`]
    }
    if (reason !== 'not-approved' || command === null || told.has(commandKey(command))) return []
    told.add(commandKey(command))
    return [`    hint: ${allowing(command, from)?.replace(/^/, 'read it, then: ') ?? 'what you run yourself, as git remnant run -- CMD, is approved'}`]
  }
  return [
    ...(written === null ? [] : [`${written.written ? 'reproduced' : 'already reproduced'} ${written.digest.slice(0, 12)}  ${written.ref}`]),
    ...(held.length === 0 ? [] : [`  kept    ${counted(held.length)}, run again here`]),
    ...(known.length === 0 ? [] : [`  known   ${counted(known.length)} held here before; nothing was run for them`]),
    ...stays.flatMap((one) => [`  not     ${one.claim_id.slice(0, 12)}  ${one.command === null ? '' : `${inWords(one.command)}: `}${data(reasonInWords(one.reason))}`, ...approval(one)]),
  ]
}

const counted = (count: number): string => `${count} ${count === 1 ? 'claim' : 'claims'}`
