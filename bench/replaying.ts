import { estimateTokenCount } from 'tokenx'
import { draft, seal } from '../src/distill.ts'
import { observe } from '../src/distill/observe.ts'
import { parse } from '../src/distill/parse.ts'
import { ephemera } from '../src/ephemera.ts'
import { formats } from '../src/formats.ts'
import { type Told, judgeDeadEnd, judgeDeed, under } from '../src/guard.ts'
import { certainIn, certainMutation, harmfulIn, inLoginShell, operationOf } from '../src/guard/certain.ts'
import type { DeadEnd, Deed, Entry, Green, Here } from '../src/guard/entry.ts'
import { openFiles } from '../src/host/files.ts'
import { knownIn } from '../src/host/guarding/indexing.ts'
import { openLog } from '../src/host/log.ts'
import { commandKey, shown } from '../src/model/command.ts'
import { AMBIENT, type KeyValues, STRUCTURAL } from '../src/model/key.ts'
import type { Turn } from '../src/model/observation.ts'
import { verdictOf } from '../src/model/outcome.ts'
import { encodeRemnant } from '../src/model/remnant.ts'
import type { Sets } from '../src/model/sets.ts'
import { outcomesIn, type ShellReading } from '../src/model/shell.ts'
import { mutations } from '../src/mutations.ts'
import { liveAmong, resolve } from '../src/resolve.ts'
import { briefOf } from '../src/resolve/brief.ts'
import { rules } from '../src/rules.ts'
import { toolchains } from '../src/signatures.ts'

const sets: Sets = { formats, probes: [], rules, toolchains, ephemera, mutations }
const setting = { journal: false, roots: [], ambient: AMBIENT, structural: STRUCTURAL }

/** How many prefixes of one log are distilled at most: the calls after that are asked about with what was known then. */
const MOST_DRAFTS = 60

/** Hosts that make each call in a login shell, or in one that lives on. */
const OWN_SHELLS: ReadonlySet<string> = new Set(['codex', 'copilot-cli'])

/** One call on which the guard would have spoken. `passed`: how the call then ended; null: the log does not show it. */
export interface Spoken {
  readonly decision: 'note' | 'ask' | 'deny'
  readonly command: string
  readonly text: string
  readonly record: string
  readonly passed: boolean | null
}

export interface Replayed {
  readonly calls: number
  readonly spoken: readonly Spoken[]
  /** Calls that may repeat something, and were asked about with an older index. */
  readonly stale: number
  /** Tokens of the brief that the log leads to; null: it says nothing. */
  readonly brief: number | null
}

/**
 * Walks a log with the guard, fed only by what came before. What was known before a call is what its prefix distils to, with a
 * stand-in for the machine: a key holds unless the log shows a change that may touch it. What changed unseen by the log, the real guard
 * would see, so that this one speaks more often. A deed that only the files would name is not seen at all.
 */
export async function replay(path: string, budget: number): Promise<Replayed> {
  const log = await openLog(path, formats, openFiles(), () => {})
  const turns: Turn[] = []
  for await (const turn of parse(log.lines, log.format, () => {})) turns.push(turn)

  const ownShell = OWN_SHELLS.has(log.format.id)
  const told = new Map<string, number>()
  const last = new Map<string, boolean | null>()
  const failed = new Set<string>()
  let harmful = 0
  const spoken: Spoken[] = []
  let [calls, taken, drafts, stale] = [0, 0, 0, 0]
  let known: readonly Entry[] = []
  let knownAt = -1
  const knownBefore = async (count: number): Promise<readonly Entry[]> => {
    if (knownAt === count) return known
    if (drafts >= MOST_DRAFTS) {
      stale++
      return known
    }
    drafts++
    ;[known, knownAt] = [await entriesOf(turns.slice(0, count)), count]
    return known
  }
  async function* counted(): AsyncGenerator<Turn> {
    for (const turn of turns) {
      taken++
      yield turn
    }
  }

  for await (const { observation, reading } of observe(counted(), toolchains, [])) {
    if (observation.kind !== 'command' || observation.command === null || reading === null) continue
    calls++
    const text = observation.command
    const results = outcomesIn(reading, observation.outcome, observation.output)
    const certain = certainIn(text, reading)
    const key = certain === null ? null : commandKey(certain)
    const ended = (name: string): boolean | null => results.flatMap(({ command, outcome }) => (commandKey(command.command) === name ? [verdictOf(outcome)] : [])).at(-1) ?? null
    const note = (decision: Spoken['decision'], command: string, words: string, passed: boolean | null): void =>
      void spoken.push({ decision, command, text: words, record: observation.record_id, passed })

    if (certain !== null && key !== null && failed.has(key)) {
      const about = (await knownBefore(taken - 1)).filter((entry) => entry.is !== 'deed' && entry.command === key)
      const here = about.filter((entry): entry is DeadEnd => entry.is === 'dead-end').map(holding)
      const greens = about.filter((entry): entry is Green => entry.is === 'green').map(holding)
      const was = (claim: string): Told => (last.get(key) === true ? 'passed' : (told.get(claim) ?? 0) === 0 ? 'never' : last.get(key) === null ? 'now' : 'before')
      const judged = judgeDeadEnd(shown(certain), here, greens, was)
      const decision = inLoginShell(text) || ownShell ? under('note', judged) : judged
      if (decision.decision !== 'silent') note(decision.decision, shown(certain), decision.text, ended(key))
      if (decision.claim_id !== null) told.set(decision.claim_id, (told.get(decision.claim_id) ?? 0) + 1)
    }
    const mutation = certainMutation(text, reading, mutations)
    if (mutation !== null && harmful > 0) {
      const intended = mutation.mutation.intends(mutation.command)
      const target = intended?.target ?? null
      if (intended !== null && target !== null) {
        const what = {
          ...{ command: commandKey(mutation.command), operation: mutation.mutation.operation ?? operationOf(mutation.command), target: `${target.kind}/${target.id}` },
          ...{ identifier: intended.identifier, state_hash: intended.state_hash ?? null, named: false },
        }
        const deeds = (await knownBefore(taken - 1)).filter((entry): entry is Deed => entry.is === 'deed')
        const decision = judgeDeed(what, deeds.map(holding))
        if (decision.decision !== 'silent') note(decision.decision, shown(mutation.command), decision.text, ended(what.command))
      }
    }
    remember(reading, results)
  }

  function remember(reading: ShellReading, results: ReturnType<typeof outcomesIn>): void {
    harmful += harmfulIn(reading, mutations).length
    for (const { command, outcome } of results) {
      if (command.symbolic) continue
      const key = commandKey(command.command)
      const verdict = verdictOf(outcome)
      last.set(key, verdict)
      if (verdict === false) failed.add(key)
    }
  }
  return { calls, spoken, stale, brief: await briefTokens(turns, budget) }
}

const holding = <E extends Entry>(entry: E): Here<E> => ({ entry, holds: true })

async function remnantOf(turns: readonly Turn[]) {
  const made = await draft(asked(turns), sets, setting)
  return { remnant: seal(made, valuesOf(made.wanted), 'here').remnant, values: valuesOf(made.wanted) }
}

async function* asked(turns: readonly Turn[]): AsyncGenerator<Turn> {
  yield* turns
}

async function entriesOf(turns: readonly Turn[]): Promise<readonly Entry[]> {
  const { remnant } = await remnantOf(turns)
  return remnant === null ? [] : knownIn(liveAmong([{ digest: encodeRemnant(remnant).digest, remnant, rank: 'own' }]), mutations).map(({ entry }) => entry)
}

async function briefTokens(turns: readonly Turn[], budget: number): Promise<number | null> {
  const { remnant, values } = await remnantOf(turns)
  if (remnant === null) return null
  const { text, tokens, claims } = briefOf(resolve([{ digest: encodeRemnant(remnant).digest, remnant, rank: 'own' }], values), { budget, touches: () => false, tokensOf: estimateTokenCount })
  return claims.length === 0 || text === '' ? null : tokens
}

const valuesOf = (wanted: readonly string[]): KeyValues => new Map(wanted.map((key) => [key, { value: key.startsWith('absent') ? 'absent' : `value of ${key}` }]))
