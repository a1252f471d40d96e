import { table } from '../../base/table.ts'
import { type Key, type KeyValues, ROOT_LOCKFILES } from '../../model/key.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import type { Remnant } from '../../model/remnant.ts'
import { type Keyed, judge } from '../../resolve/judge.ts'
import type { Doubted, Plan } from '../../resolve/plan.ts'
import { readKeys } from '../keys.ts'
import { type Ground, rerun } from './rerun.ts'

/** A claim that is answered, and what may be sealed in its place. */
export interface Answered<S extends Doubted> {
  readonly suspended: S
  readonly as: 'held' | 'falsified' | 'fell'
  readonly claims: readonly Keyed[]
}

/** What running a plan's commands again showed; nothing has been sealed. */
export interface Findings<S extends Doubted> {
  readonly answered: readonly Answered<S>[]
  readonly stays: readonly { readonly suspended: S; readonly reason: string }[]
  /** What the keys were when the commands ran. */
  readonly seen: ReadonlyMap<Key, string>
  readonly excluded: readonly Remnant['ephemeral_exclusion_list'][]
  /** When the last command ended. */
  readonly at: string
}

/** Runs each command of a plan again, in this work tree, one after another, and judges the claims that its outcome answers. */
export async function reproduce<S extends Doubted>(plan: Plan<S>, ground: Ground, progress: (command: CanonicalCommand, number: number) => void): Promise<Findings<S>> {
  const answered: Answered<S>[] = plan.looked.map(({ suspended, isThere }) => ({ suspended, as: isThere ? 'fell' : 'held', claims: isThere ? [] : [suspended.here] }))
  const stays: { suspended: S; reason: string }[] = [...plan.stays]
  const seen = new Map<Key, string>()
  const excluded: Remnant['ephemeral_exclusion_list'][] = []
  let last = ''
  for (const [i, probing] of plan.probes.entries()) {
    progress(probing.command, i + 1)
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
  return { answered, stays, seen, excluded, at: last === '' ? ground.host.now().toISOString() : last }
}

/** Answered claims under the values of this moment: what changed while other commands ran is no baseline, and its claims have `moved`. */
export interface Standing<S extends Doubted> {
  readonly standing: readonly Answered<S>[]
  readonly moved: readonly Answered<S>[]
  readonly ambient: readonly Key[]
  /** Of all keys that a seal over the answered claims, and those beside them, has to name. */
  readonly values: KeyValues
}

/** `beside`: other claims that the same seal is to hold. */
export async function stillStanding<S extends Doubted>({ answered, seen }: Findings<S>, beside: readonly Keyed[], { host, sets, setting }: Ground): Promise<Standing<S>> {
  const ambient = [...setting.ambient, ...ROOT_LOCKFILES.map((name): Key => `file:${name}`)]
  const wanted = [...answered.flatMap(({ claims }) => claims), ...beside].flatMap(({ keys }) => keys)
  const values = await readKeys([...wanted, ...setting.structural, ...ambient], sets.probes, await host.world())
  const isSame = (key: Key): boolean => valueOf(key, values) !== null && (seen.get(key) ?? valueOf(key, values)) === valueOf(key, values)
  const standing = answered.filter(({ claims }) => claims.every(({ keys }) => [...keys, ...setting.structural].every(isSame)))
  return { standing, moved: answered.filter((one) => !standing.includes(one)), ambient, values }
}

/** null: it can not be read. */
export const valueOf = (key: Key, values: KeyValues): string | null => {
  const reading = values.get(key)
  return reading !== undefined && 'value' in reading ? reading.value : null
}

/** Why a claim is not answered, for a person; a reason that is not here is the id of the rule that refused. */
export const reasonInWords = (reason: string): string => REASONS[reason] ?? `refused by ${reason}`

const REASONS: Readonly<Record<string, string>> = table({
  mutation: 'a change of the outside is never made again',
  'no-command': 'somebody declared it, and no command shows it by itself',
  declared: 'it was declared, and names no check of its own: only a claim declared with --gate CMD can be run again',
  'not-runnable': 'its command can not be run from here',
  'not-harmless': 'a dead end is tried only where that is known to be harmless',
  'not-verifying': 'its command is not known to check something and no more',
  unsigned: 'others recorded it, and no accepted key signed it',
  'not-approved': 'its command is not approved in this clone',
  'time-out': 'its command took too long',
  transient: 'what befell its command passes: try again',
  unclear: "its command's outcome proves nothing",
  flaky: 'its command does not end the same way twice',
  unclassified: 'its command fails in a way whose end no key could show',
  'keys-changed': 'something that it rests on changed meanwhile',
  unsealed: 'a key that it rests on can not be read',
  precondition: 'a key that it rests on is not what it must be',
  'nothing-left': 'it is answered, but there is nothing to seal in its place',
  falsified: 'its command says otherwise here',
  fell: 'its command passes here',
})

/** One safe next step for whoever reads why a claim is not answered. `claim`: its id, as it is shown. */
export const hintFor = (reason: string, claim: string): string => (HINTS[reason] ?? WHY).replaceAll('CLAIM', claim)

const WHY = '"git remnant why CLAIM" shows on what it rests'
const BY_HAND = '"git remnant why CLAIM" names its command; what you run yourself, as git remnant run -- CMD, is witnessed and sealed anew'
const AGAIN = 'try again, when nothing else is at work here: git remnant reprobe --claim CLAIM'
const HINTS: Readonly<Record<string, string>> = table({
  mutation: 'look at the target itself; "git remnant why CLAIM" says what was done there',
  'no-command': 'see for yourself that it is so, then declare it here: git remnant claim "…" --by CMD',
  declared: 'once CMD passes, declare it again with --gate CMD in place of --effect',
  'not-runnable': BY_HAND,
  'not-harmless': BY_HAND,
  'not-verifying': BY_HAND,
  unsigned: '"git remnant why CLAIM" names its command: run it under "git remnant run --", or accept its signer with "git remnant allow SIGNER"',
  'not-approved': 'read its command and approve it: git remnant allow CLAIM',
  'time-out': 'a longer limit is "gate": {"timeout_s": N} in .remnants/config.json',
  transient: AGAIN,
  unclear: BY_HAND,
  flaky: BY_HAND,
  'keys-changed': AGAIN,
  unsealed: '"git remnant resolve" says which key, and why',
  precondition: '"git remnant resolve" says which key',
  'nothing-left': WHY,
})
