import { sha256 } from '../base/digest.ts'
import type { Answer, Arguments, Command, Host } from '../command.ts'
import { reseal } from '../distill/reseal.ts'
import { approvalsHere, mayRun } from '../host/trust/approvals.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { type Here, resolveHere } from '../host/here.ts'
import { type Answered, type Findings, hintFor, reasonInWords, reproduce, stillStanding, valueOf } from '../host/trial/reproduce.ts'
import { type Ground, groundOf } from '../host/trial/rerun.ts'
import type { Key, KeyValues } from '../model/key.ts'
import type { Resolved } from '../model/verdict.ts'
import { claimsNamed } from '../resolve/chosen.ts'
import type { Keyed } from '../resolve/judge.ts'
import { type Plan, type Suspended, planOf, suspendedIn } from '../resolve/plan.ts'
import { command as inWords, data, stated } from '../resolve/words.ts'

export default {
  name: 'reprobe',
  kind: 'porcelain',
  summary: 'Run the commands of suspended claims again, and seal what holds',
  details: [
    'Runs nothing but the approved or signed commands of claims that are suspended here, in this work tree and environment. What held is sealed',
    'under today\'s keys, what broke is sealed with what it says now; the rest stays suspended, with the reason. A change of the outside',
    'is never repeated, a dead end is tried only where that is known to be harmless. A new remnant answers exactly those claims, in one step.',
  ].join('\n'),
  options: {
    claim: { type: 'string', many: true, value: 'ID', describe: 'only this claim, or the claims of this remnant; at least 4 digits' },
    'dry-run': { type: 'boolean', describe: 'say what would be run, and run nothing' },
  },
  statuses: { 1: 'a claim stays suspended, or is not here', 74: 'the store is damaged or can not be written', 77: 'nothing that was asked for is approved' },
  async run(args, host) {
    const here = await resolveHere(host)
    const asked = namesIn(args, here)
    if (asked.missing.length > 0) return { text: asked.missing.map((name) => `no claim and no remnant here begins with "${name}"`).join('\n'), data: { ...NOTHING }, status: 1 }
    const suspended = suspendedIn(here.resolution).filter(({ here: { claim } }) => asked.ids === null || asked.ids.has(claim.claim_id))
    if (suspended.length === 0) return { text: 'nothing is suspended; nothing was run', data: { ...NOTHING } }
    const { toolchains, mutations } = await host.sets()
    const approvals = await approvalsHere(host)
    const plan = planOf(suspended, { toolchains, mutations, isApproved: mayRun(approvals) }, here.current)
    return args.flag('dry-run') ? announced(plan) : answer(plan, await reprobe(plan, host))
  },
} satisfies Command

const NOTHING = { digest: null, ref: null, held: [], falsified: [], fell: [], suspended: [] }

/** The claims that were asked for; null: all. */
function namesIn(args: Arguments, { held, skipped }: Here): { ids: ReadonlySet<string> | null; missing: readonly string[] } {
  const names = args.list('claim')
  if (names.length === 0) return { ids: null, missing: [] }
  const chosen = names.map((name) => claimsNamed(name, [...held, ...skipped]))
  return { ids: new Set(chosen.flat().map(({ claim }) => claim.claim_id)), missing: names.filter((_, i) => chosen[i]?.length === 0) }
}

/** What became of the claims; nothing has been written but in `write`. */
interface Outcome {
  readonly digest: string | null
  readonly ref: string | null
  readonly held: readonly string[]
  readonly falsified: readonly string[]
  readonly fell: readonly string[]
  readonly suspended: readonly { readonly claim_id: string; readonly reason: string }[]
}

async function reprobe(plan: Plan, host: Host): Promise<Outcome> {
  const ground = await groundOf(host, 'reprobe')
  const findings = await reproduce(plan, ground, (command, number) => host.progress(`${number} of ${plan.probes.length}  ${inWords(command)}`))
  return sealed(findings, ground, host)
}

/** Seals in one write. What changed while other commands ran is no baseline, and its claims stay where they are. */
async function sealed(findings: Findings<Suspended>, ground: Ground, host: Host): Promise<Outcome> {
  const { setting, session, head } = ground
  const carried = retainedBeside(findings.answered)
  const { standing, moved, ambient, values } = await stillStanding(findings, carried.map(({ claim }) => claim), ground)

  const touched = new Set(standing.map(({ suspended }) => suspended.held.digest))
  const retained = carried.filter(({ held, claim: { keys } }) => touched.has(held.digest) && keys.every((key) => isStillSealed(key, held, values)))
  const answers = new Map<string, string[]>()
  for (const [digest, id] of [...standing.map(({ suspended }) => [suspended.held.digest, suspended.here.claim.claim_id] as const), ...retained.map(({ held, claim }) => [held.digest, claim.claim.claim_id] as const)])
    answers.set(digest, [...(answers.get(digest) ?? []), id])
  const remnant = reseal({
    session_id: session,
    observed_until: findings.at,
    head,
    claims: [...standing.flatMap(({ claims }) => claims), ...retained.map(({ claim }) => claim)],
    answers,
    structural: setting.structural,
    ambient,
    values,
    excluded: [...findings.excluded, ...[...new Set(retained.map(({ held }) => held))].map(({ remnant: { ephemeral_exclusion_list } }) => ephemeral_exclusion_list)],
  })
  const written = remnant === null ? null : await (await host.store()).write(remnant)
  if (written !== null) await rebuildGuardIndex(host)
  const done = written === null ? [] : standing
  const stays = [
    ...findings.stays,
    ...moved.map(({ suspended }) => ({ suspended, reason: 'keys-changed' })),
    ...(written === null ? standing.map(({ suspended }) => ({ suspended, reason: 'nothing-left' })) : []),
  ]
  const of = (as: Answered<Suspended>['as']): string[] => [...new Set(done.filter((one) => one.as === as).map(({ suspended }) => suspended.here.claim.claim_id))].sort()
  const settled = new Set(done.map(({ suspended }) => suspended.here.claim.claim_id))
  const suspended = new Map(stays.map(({ suspended, reason }) => [suspended.here.claim.claim_id, reason]))
  return {
    digest: written?.digest ?? null,
    ref: written?.ref ?? null,
    held: of('held'),
    falsified: of('falsified'),
    fell: of('fell'),
    suspended: [...suspended].filter(([id]) => !settled.has(id)).map(([claim_id, reason]) => ({ claim_id, reason })).sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1)),
  }
}

/** What still holds of this clone's own remnants that are answered in part. Others' claims are theirs until a run shows them here. */
const retainedBeside = (answered: readonly Answered<Suspended>[]): { held: Resolved; claim: Keyed }[] =>
  [...new Set(answered.map(({ suspended }) => suspended.held))]
    .filter(({ rank }) => rank === 'own')
    .flatMap((held) => held.claims.filter(({ holds }) => holds).map((claim) => ({ held, claim })))

const isStillSealed = (key: Key, { remnant }: Resolved, values: KeyValues): boolean => {
  const value = valueOf(key, values)
  return value !== null && remnant.baseline_key_hashes.some(([sealed, hash]) => sealed === key && hash === sha256(value))
}

function announced(plan: Plan): Answer {
  const would = plan.probes.map(({ command, claims }) => ({ command, claims: [...new Set(claims.map(({ here }) => here.claim.claim_id))].sort() }))
  const suspended = plan.stays.map(({ suspended, reason }) => ({ claim_id: suspended.here.claim.claim_id, reason }))
  return {
    text: [
      ...would.map(({ command, claims }) => `would run  ${inWords(command)}  for ${claims.map(short).join(' ')}`),
      ...plan.looked.map(({ suspended }) => `looked  ${short(suspended.here.claim.claim_id)}  nothing need be run`),
      ...staysLines(plan.stays),
      'nothing was run',
    ].join('\n'),
    data: { ...NOTHING, dry_run: true, would_run: would, suspended },
  }
}

function answer(plan: Plan, outcome: Outcome): Answer {
  const claims = new Map([...plan.probes.flatMap(({ claims }) => claims), ...plan.looked.map(({ suspended }) => suspended), ...plan.stays.map(({ suspended }) => suspended)].map((one) => [one.here.claim.claim_id, one]))
  const line = (label: string) => (id: string): string => `${label}  ${short(id)}  ${stated((claims.get(id) as Suspended).here.claim)}`
  const { digest, ref, held, falsified, fell, suspended } = outcome
  const refused = suspended.length > 0 && suspended.every(({ reason }) => reason === 'not-approved')
  return {
    text: [
      ...held.map(line('held     ')),
      ...falsified.map(line('falsified')),
      ...fell.map(line('fell     ')),
      ...staysLines(suspended.map(({ claim_id, reason }) => ({ suspended: claims.get(claim_id) as Suspended, reason }))),
      digest === null ? 'nothing was sealed' : `sealed ${short(digest)}  ${ref}`,
    ].join('\n'),
    data: { ...outcome },
    status: suspended.length === 0 ? 0 : refused && digest === null ? 77 : 1,
  }
}

/** A line for each, and one safe next step below the first of each reason. */
function staysLines(stays: readonly { readonly suspended: Suspended; readonly reason: string }[]): string[] {
  const told = new Set<string>()
  return stays.flatMap(({ suspended: { here: { claim } }, reason }) => {
    const hint = told.has(reason) ? [] : [`  hint: ${hintFor(reason, short(claim.claim_id))}`]
    told.add(reason)
    return [`suspended  ${short(claim.claim_id)}  ${data(reasonInWords(reason))}`, ...hint]
  })
}

const short = (id: string): string => id.slice(0, 12)
