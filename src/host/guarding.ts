import { relative, sep } from 'node:path'
import { SILENT, type Told, isLedElsewhere, judgeDeadEnd, judgeDeed, sendsFile, under } from '../guard.ts'
import { certainIn, certainMutation, harmfulIn, inLoginShell, readingOf } from '../guard/certain.ts'
import type { DeadEnd, Deed, Entry, Green } from '../guard/entry.ts'
import { commandName, targetName } from '../guard/form.ts'
import { doneHereText, openDeedText } from '../guard/words.ts'
import type { Decision, HookEvent } from '../model/agent.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import type { World } from '../model/probe.ts'
import { readArgv } from '../model/shell.ts'
import { type Files, openFiles } from './files.ts'
import type { Env, Repository } from './git.ts'
import { type GuardConfig, guardConfig } from './guarding/config.ts'
import { type GuardClaims, openGuardClaims } from './guarding/files.ts'
import { type OpenIntent, type Unsealed, commandId, openUnsealed } from './guarding/journal.ts'
import { type Harmful, harmfulOf, intendedBy } from './guarding/harmful.ts'
import { isSameIntent, saysDone, saysNotDone } from './guarding/intended.ts'
import { type GuardKeys, openGuardKeys } from './guarding/keys.ts'
import { type Said, isLetThrough, openSaid } from './guarding/state.ts'
import { openRepository } from './git/repository.ts'
import { type Opened, openReading } from './guarding/world.ts'
import { sameKey } from '../model/temporary-caches.ts'

/** What the guard may reach besides the files of the repository: the environment, and the clock for what it notes. */
export interface GuardOutside {
  readonly env: Env
  now(): Date
}

/**
 * What is known of a call that is about to be made. A harmful mutation's intent is written to the session's journal before this
 * returns. Never throws: any fault of ours is silence, and the call goes on.
 */
export async function decide(event: HookEvent, outside: GuardOutside): Promise<Decision> {
  try {
    return await decided(event, outside)
  } catch {
    return SILENT
  }
}

async function decided(event: HookEvent, { env, now }: GuardOutside): Promise<Decision> {
  if (event.moment !== 'before' || event.command === null || env.REMNANT === '0') return SILENT
  const repository = openRepository(event.cwd, env)
  if (repository.workTree === null) return SILENT
  const claims = openGuardClaims(repository)
  if (claims === null) return SILENT
  try {
    const files = openFiles()
    const config = guardConfig(repository, files)
    const mode = config.guard
    const said = openSaid(event, repository)
    const look = await lookAt(event.command, event.cwd, { claims, repository, env, files, config, call: event, said })
    const ids = [look.decision.claim_id, look.command === null ? null : commandId(look.command)].flatMap((id) => id ?? [])
    const passes = mode === 'off' || look.decision.decision === 'silent' || isLetThrough(ids, event, said, repository)
    const decision = passes ? SILENT : under(mode, look.decision)
    if (decision.claim_id !== null && decision.decision !== 'silent') said.note(decision.claim_id)
    // Where somebody is asked, the deed that is known already tells of it.
    if (look.harmful !== null && (decision.decision === 'silent' || decision.decision === 'note')) {
      const { noteIntent } = await import('./guarding/intent.ts')
      await noteIntent(event, look.harmful, now(), { repository, files, reading: async () => ({ probes: await look.opened().all(), world: look.opened().world }) })
    }
    return decision
  } finally {
    claims.close()
  }
}

/** Who asks: a call of a session, which is told a thing once; or nobody, who is told all. */
export interface Asking {
  readonly claims: Pick<GuardClaims, 'mutations' | 'about'>
  readonly repository: Repository
  readonly env: Env
  readonly files: Files
  /** Read already; else it is when it is needed. */
  readonly config?: GuardConfig
  readonly call: HookEvent | null
  /** What its session was told; null with nobody. */
  readonly said: Said | null
}

export interface Look {
  readonly decision: Decision
  /** What the decision is about; null: nothing certain. */
  readonly command: CanonicalCommand | null
  readonly harmful: Harmful | null
  readonly opened: () => Opened
}

/** What is known of a command line here. Writes nothing. `cwd` is absolute. */
export async function lookAt(typed: string | readonly string[], cwd: string, asking: Asking): Promise<Look> {
  const { repository, env, files, claims, call, said } = asking
  const workTree = repository.workTree as string
  const way = relative(workTree, cwd).split(sep).join('/')
  const place = { folder: way === '' ? '.' : way === '..' || way.startsWith('../') ? cwd : way, root: workTree }
  const text = typeof typed === 'string' ? typed : typed.join(' ')
  const reading = typeof typed === 'string' ? readingOf(typed, place) : readArgv(typed, place)
  const opened = once(() => openReading(repository, env, files, asking.config))
  const keys = openGuardKeys(repository, opened)
  const unsealed = once(() => openUnsealed(call ?? { host: '', session: '' }, workTree, repository))

  const command = certainIn(text, reading)
  // Where another PATH may hold, nothing is stopped because a program is missing here, or is of this version; where the shell is not
  // the one in which it was missing, nothing is said of that at all.
  const login = inLoginShell(text)
  const known = command === null ? SILENT : await deadEndDecision(command, login && call?.ownShell !== true, claims, keys, unsealed, said, () => opened().world)
  const deadEnd = call?.ownShell === true || login ? under('note', known) : known
  if (!mayChange(text, claims.mutations)) return { decision: deadEnd, command, harmful: null, opened }
  const { mutations } = await import('../mutations.ts')
  const certain = certainMutation(text, reading, mutations)
  const harmful = certain ?? harmfulIn(reading, mutations)[0] ?? null
  const found = harmful === null ? null : await harmfulOf(harmful, opened().world)
  if (deadEnd.decision !== 'silent' || certain === null || found === null) return { decision: deadEnd, command, harmful: found, opened }
  return { decision: await deedDecision(found, asking, keys, unsealed), command: found.command, harmful: found, opened }
}

async function deadEndDecision(command: CanonicalCommand, otherShell: boolean, claims: Asking['claims'], keys: GuardKeys, unsealed: () => Unsealed | null, said: Said | null, world: () => World): Promise<Decision> {
  const key = sameKey(command)
  const entries = claims.about(commandName(key)).filter((entry) => entry.is !== 'deed' && entry.command === key)
  const deadEnds = entries.filter((entry): entry is DeadEnd => entry.is === 'dead-end' && !(otherShell && entry.class === 'program-missing'))
  if (deadEnds.length === 0) return SILENT
  const here = await Promise.all(deadEnds.map((entry) => keys.here(entry)))
  if (!here.some(({ holds }) => holds === true)) return SILENT
  // A subcommand may be a program of its own by now.
  const [program = '', word = ''] = command.argv
  if (deadEnds.some((entry) => entry.class === 'usage') && /^[\w.+]+$/.test(program) && /^[\w.-]+$/.test(word) && !word.startsWith('-') && (await world().program(`${program}-${word}`, command.folder)) !== null) return SILENT
  const greens = await Promise.all(entries.filter((entry) => entry.is === 'green').map((entry: Green) => keys.here(entry)))
  const journals = unsealed()
  const last = journals === null ? 'unknown' : journals.last(command)
  // What a journal tells is newer than what the index knows.
  const told = (claim: string): Told => {
    if (last === 'passed') return 'passed'
    if (said === null) return 'asked'
    return last === 'unknown' && said.of(claim) === 'before' ? 'now' : said.of(claim)
  }
  return judgeDeadEnd(shown(command), here, greens, told)
}

async function deedDecision(harmful: Harmful, { claims, repository, call, env }: Asking, keys: GuardKeys, unsealed: () => Unsealed | null): Promise<Decision> {
  const what = intendedBy(harmful)
  if (what === null || isLedElsewhere(Object.keys(env).filter((name) => env[name]))) return SILENT
  const deeds = claims.about(targetName(what.target)).filter((entry: Entry): entry is Deed => entry.is === 'deed' && entry.target === what.target)
  const decision = judgeDeed(what, await Promise.all(deeds.map((deed) => keys.here(deed))))
  if (decision.decision !== 'silent' || call === null || sendsFile(what.identifier)) return decision
  const holds = async ({ keys: noted }: OpenIntent): Promise<boolean> => {
    const place = noted[`target:${what.target}`]
    return place === undefined || (await keys.is(`target:${what.target}`, place))
  }
  // Not sealed: this session did it, by what its tool said; a call that is still under way has said nothing.
  if (what.identifier !== null)
    for (const intent of unsealed()?.ended(call.call) ?? [])
      if (isSameIntent(intent, what, harmful.mutation, repository.workTree as string) && saysDone(intent, harmful.command, harmful.mutation, what) && (await holds(intent)))
        return { ...SILENT, decision: 'ask', text: doneHereText(what.target, what.identifier) }
  // Not sealed: another session was about to do the same, and at the same place as far as it noted it.
  for (const intent of unsealed()?.open() ?? []) {
    if (!isSameIntent(intent, what, harmful.mutation, repository.workTree as string) || saysNotDone(intent, harmful.command, harmful.mutation)) continue
    if (await holds(intent)) return { ...SILENT, decision: 'ask', text: openDeedText(what.target, what.identifier) }
  }
  return SILENT
}

/** Whether a text may be about a mutation at all, by its words: the mutations themselves take longer to load. */
const mayChange = (text: string, names: readonly string[]): boolean => names.some((name) => holds(text, name.slice(name.indexOf(' ') + 1)))

/** Whether a word stands in a text, and not as a part of a longer one or of an option. A name that a damaged index left empty may stand anywhere. */
export function holds(text: string, word: string): boolean {
  if (word === '') return true
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) if (!/\w/.test(text[at - 1] ?? '') && !/\w/.test(text[at + word.length] ?? '') && !isInOption(text, at)) return true
  return false
}

/** `--push` is no `push`, nor is `--no-push`: what a mutation goes by it goes by whole. */
function isInOption(text: string, at: number): boolean {
  let begin = at
  while (begin > 0 && /[\w-]/.test(text[begin - 1] as string)) begin--
  return begin < at && text[begin] === '-' && /^$|\s/.test(text[begin - 1] ?? '')
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
