import { randomUUID } from 'node:crypto'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Arguments, Command, Host } from '../command.ts'
import { reseal } from '../distill/reseal.ts'
import { approvalsHere } from '../host/approvals.ts'
import { type Here, resolveHere } from '../host/here.ts'
import { readKeys } from '../host/keys.ts'
import { settingFor } from '../host/setting.ts'
import { type Key, type KeyValues, ROOT_LOCKFILES } from '../model/key.ts'
import type { Remnant } from '../model/remnant.ts'
import type { Resolved } from '../model/verdict.ts'
import { claimsNamed } from '../resolve/chosen.ts'
import { type Keyed, judge } from '../resolve/judge.ts'
import { type Plan, type Suspended, planOf, suspendedIn } from '../resolve/plan.ts'
import { command as inWords, data, stated } from '../resolve/words.ts'
import { type Ground, rerun } from './reprobe/rerun.ts'

export default {
  name: 'reprobe',
  kind: 'porcelain',
  summary: 'Run the commands of suspended claims again, and seal what holds',
  details: [
    'Runs nothing but the approved commands of claims that are suspended here, in this work tree and environment. What held is sealed',
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
    const plan = planOf(suspended, { toolchains, mutations, isApproved: approvals.isApproved }, here.current)
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

/** A claim that is answered, and what is sealed in its place. */
interface Answered {
  readonly suspended: Suspended
  readonly as: 'held' | 'falsified' | 'fell'
  readonly claims: readonly Keyed[]
}

async function reprobe(plan: Plan, host: Host): Promise<Outcome> {
  const ground = await groundOf(host)
  const answered: Answered[] = plan.looked.map(({ suspended, isThere }) => ({ suspended, as: isThere ? 'fell' : 'held', claims: isThere ? [] : [suspended.here] }))
  const stays: { suspended: Suspended; reason: string }[] = [...plan.stays]
  const seen = new Map<Key, string>()
  const excluded: Remnant['ephemeral_exclusion_list'][] = []
  let last = ''

  for (const [i, probing] of plan.probes.entries()) {
    host.progress(`${i + 1} of ${plan.probes.length}  ${inWords(probing.command)}`)
    const ended = await rerun(probing, ground)
    if (ended.is === 'stays') {
      stays.push(...probing.claims.map((suspended) => ({ suspended, reason: ended.reason })))
      continue
    }
    last = ended.at > last ? ended.at : last
    excluded.push(ended.excluded)
    for (const suspended of probing.claims) {
      const judged = judge(suspended, ended.shown)
      if (judged.is === 'stays') stays.push({ suspended, reason: judged.reason })
      else answered.push({ suspended, as: judged.is === 'broken' ? 'falsified' : judged.is, claims: judged.is === 'held' ? [judged.claim] : judged.instead })
    }
    for (const [key, reading] of ended.shown.values) if ('value' in reading && !seen.has(key)) seen.set(key, reading.value)
  }
  return sealed({ answered, stays, seen, excluded, at: last === '' ? host.now().toISOString() : last }, ground)
}

async function groundOf(host: Host): Promise<Ground> {
  const { workTree } = await host.repository()
  if (workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree' })
  const config = await host.config()
  const git = await host.git()
  const head = await git.try(['rev-parse', '--verify', '--quiet', 'HEAD'])
  return {
    host,
    sets: await host.sets(),
    setting: await settingFor(git, config, true),
    worktree: workTree,
    session: `reprobe-${randomUUID()}`,
    head: head.status === 0 ? Buffer.from(head.stdout).toString('utf8').trim() : null,
    limit: config.gate?.timeout_s ?? 120,
  }
}

interface Findings {
  readonly answered: readonly Answered[]
  readonly stays: readonly { readonly suspended: Suspended; readonly reason: string }[]
  /** What the keys were when the commands ran. */
  readonly seen: ReadonlyMap<Key, string>
  readonly excluded: readonly Remnant['ephemeral_exclusion_list'][]
  readonly at: string
}

/** Seals in one write. What changed while other commands ran is no baseline, and its claims stay where they are. */
async function sealed(findings: Findings, { host, sets, setting, session, head }: Ground): Promise<Outcome> {
  const carried = retainedBeside(findings.answered)
  const ambient = [...setting.ambient, ...ROOT_LOCKFILES.map((name): Key => `file:${name}`)]
  const wanted = [...findings.answered.flatMap(({ claims }) => claims), ...carried.map(({ claim }) => claim)].flatMap(({ keys }) => keys)
  const values = await readKeys([...wanted, ...setting.structural, ...ambient], sets.probes, await host.world())
  const isSame = (key: Key): boolean => valueOf(key, values) !== null && (findings.seen.get(key) ?? valueOf(key, values)) === valueOf(key, values)
  const standing = findings.answered.filter(({ claims }) => claims.every(({ keys }) => [...keys, ...setting.structural].every(isSame)))
  const moved = findings.answered.filter((one) => !standing.includes(one))

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
  const done = written === null ? [] : standing
  const stays = [
    ...findings.stays,
    ...moved.map(({ suspended }) => ({ suspended, reason: 'keys-changed' })),
    ...(written === null ? standing.map(({ suspended }) => ({ suspended, reason: 'nothing-left' })) : []),
  ]
  const of = (as: Answered['as']): string[] => [...new Set(done.filter((one) => one.as === as).map(({ suspended }) => suspended.here.claim.claim_id))].sort()
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
const retainedBeside = (answered: readonly Answered[]): { held: Resolved; claim: Keyed }[] =>
  [...new Set(answered.map(({ suspended }) => suspended.held))]
    .filter(({ own }) => own)
    .flatMap((held) => held.claims.filter(({ holds }) => holds).map((claim) => ({ held, claim })))

const isStillSealed = (key: Key, { remnant }: Resolved, values: KeyValues): boolean => {
  const value = valueOf(key, values)
  return value !== null && remnant.baseline_key_hashes.some(([sealed, hash]) => sealed === key && hash === sha256(value))
}

const valueOf = (key: Key, values: KeyValues): string | null => {
  const reading = values.get(key)
  return reading !== undefined && 'value' in reading ? reading.value : null
}

function announced(plan: Plan): Answer {
  const would = plan.probes.map(({ command, claims }) => ({ command, claims: [...new Set(claims.map(({ here }) => here.claim.claim_id))].sort() }))
  const suspended = plan.stays.map(({ suspended, reason }) => ({ claim_id: suspended.here.claim.claim_id, reason }))
  return {
    text: [
      ...would.map(({ command, claims }) => `would run  ${inWords(command)}  for ${claims.map(short).join(' ')}`),
      ...plan.looked.map(({ suspended }) => `looked  ${short(suspended.here.claim.claim_id)}  nothing need be run`),
      ...plan.stays.map(({ suspended, reason }) => staysLine(suspended, reason)),
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
      ...suspended.map(({ claim_id, reason }) => staysLine(claims.get(claim_id) as Suspended, reason)),
      digest === null ? 'nothing was sealed' : `sealed ${short(digest)}  ${ref}`,
      ...(suspended.some(({ reason }) => reason === 'not-approved') ? ['hint: "git remnant allow CLAIM" shows a claim\'s command and approves it'] : []),
    ].join('\n'),
    data: { ...outcome },
    status: suspended.length === 0 ? 0 : refused && digest === null ? 77 : 1,
  }
}

const staysLine = ({ here: { claim } }: Suspended, reason: string): string => `suspended  ${short(claim.claim_id)}  ${data(REASONS[reason] ?? `refused by ${reason}`)}`

const REASONS: Readonly<Record<string, string>> = {
  mutation: 'a change of the outside is never made again',
  'no-command': 'no command proves it',
  'not-runnable': 'its command can not be run from here',
  'not-harmless': 'a dead end is tried only where that is known to be harmless',
  'not-approved': 'its command is not approved in this clone',
  'time-out': 'its command took too long',
  transient: 'what befell its command passes: try again',
  unclear: 'its command\'s outcome proves nothing',
  flaky: 'its command does not end the same way twice',
  unclassified: 'its command fails in a way whose end no key could show',
  'keys-changed': 'something that it rests on changed meanwhile',
  unsealed: 'a key that it rests on can not be read',
  precondition: 'a key that it rests on is not what it must be',
  'nothing-left': 'it is answered, but there is nothing to seal in its place',
}

const short = (id: string): string => id.slice(0, 12)
