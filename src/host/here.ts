import { type Key, type KeyValues, type Reading, splitKey } from '../model/key.ts'
import type { Probe, World } from '../model/probe.ts'
import { isTrusted } from '../model/rank.ts'
import type { Held, Store, Unread } from '../model/store.ts'
import type { Outlined } from '../model/outline.ts'
import type { Resolution } from '../model/verdict.ts'
import { type Judged, type LiveOutline, keysOf, liveOutlines, outlinedOf, remembered, resolveLive, touchedBy, verdictsOf } from '../resolve.ts'
import { readKeys } from './keys.ts'
import { type Memory, type Remembered, openMemo, readingsOf } from './memo.ts'
import { type Texts, type Told, replaced, textsOf, toldIn } from './told.ts'

/** A probe that takes longer counts as unreadable. */
export const PROBE_LIMIT_MS = 2000

/** Opened only as far as what is stored asks for it. */
export interface Place {
  store(): Promise<Store>
  sets(): Promise<{ readonly probes: readonly Probe[] }>
  /** Them alone; they are asked for first. */
  probes?(): Promise<readonly Probe[]>
  world(): Promise<World>
}

/** What is stored, and what it is worth in this working tree now. `skipped`: remnants that could not be read. */
export interface Here {
  readonly held: readonly Held[]
  readonly skipped: readonly Unread[]
  readonly current: KeyValues
  readonly resolution: Resolution
}

/** Reads every stored remnant, then each key that they want once, and resolves. One bad remnant hides no other. */
export async function resolveHere(host: Place): Promise<Here> {
  const held: Held[] = []
  const skipped: Unread[] = []
  for await (const stored of (await host.store()).readAll()) 'fault' in stored ? skipped.push(stored) : held.push(stored)
  const live = liveOutlines(outlinedOf(held))
  const current = await readRest(wantedBy(live), new Map(), reader(host))
  return { held, skipped, current, resolution: resolveLive(live, current) }
}

/** What was told of the verdicts on all that is stored, and no more of it than they rest on. */
export interface VerdictsHere<D, B> {
  /** The digests of what could be read. */
  readonly held: readonly string[]
  readonly skipped: readonly Unread[]
  /** What is told of remnants with a live claim: the documents as a JSON list, or all of it. */
  readonly documents: string
  remnants(): readonly Told<D, B>[]
}

/**
 * What `tell` makes of the verdict on each remnant that is stored: for those who show ids, keys and their public texts, and nothing else of
 * a remnant. What it told is remembered while everything stored lies as it did; where some keys read otherwise now, it tells anew of those
 * remnants which that may touch.
 */
export async function verdictsHere<D, B>(host: Place & Memory, tell: (judged: Judged) => Told<D, B>): Promise<VerdictsHere<D, B>> {
  const memo = await openMemo(host)
  const last = memo.last(NAMES)
  const read = reader(host)
  // Git answers while the store is looked at.
  const early = read(last?.asked.filter((key) => !startsProgram(key)) ?? [])
  const outlook = await (await host.store()).outlook()
  const seen = new Map(await early)
  if (last !== null && outlook.mark === last.mark) {
    const current = await readRest(last, seen, read)
    const readings = readingsOf(current)
    const again = toldAgain(last, readings, current, tell)
    if (again !== null && again !== last.text) memo.keep({ mark: last.mark, asked: last.asked, passed: last.passed, readings }, all(again))
    if (again !== null) return hereBy(again, [])
  }
  const held: Outlined[] = []
  const skipped: Unread[] = []
  for (const stored of await outlook.outlines()) 'fault' in stored ? skipped.push(stored) : held.push(stored)
  const live = liveOutlines(held)
  const wanted = wantedBy(live)
  const current = await readRest(wanted, seen, read)
  const told = textsOf(verdictsOf(live, current).map(tell))
  const digests = held.map(({ digest }) => digest).join('\n')
  if (outlook.mark !== null && skipped.length === 0)
    memo.keep({ mark: outlook.mark, ...wanted, readings: readingsOf(current) }, { ...told, held: digests, live: remembered(live) })
  return hereBy((name) => ({ ...told, held: digests, live: '' })[name], skipped)
}

/** What is remembered of verdicts: what was told, what is stored, and what is live. */
const NAMES = ['documents', 'lengths', 'besides', 'held', 'live'] as const satisfies readonly (keyof Texts | string)[]
type Name = (typeof NAMES)[number]
type TextBy = (name: Name) => string

/** What is told now, where keys alone may have changed: the very same where none has; null: what is remembered does not fit together. */
function toldAgain<D, B>({ readings: before, text }: Remembered<Name>, readings: Readonly<Record<Key, string>>, current: KeyValues, tell: (judged: Judged) => Told<D, B>): TextBy | null {
  const changed = new Set(Object.keys(readings).filter((key) => readings[key] !== before[key]))
  if (changed.size === 0) return text
  try {
    const live = text('live')
    const touched = touchedBy(changed, live)
    const places = [...touched.keys()]
    const judged = verdictsOf([...touched.values()], current)
    const told = replaced({ documents: text('documents'), lengths: text('lengths'), besides: text('besides') }, new Map(judged.map((one, i) => [places[i] as number, tell(one)])))
    return (name) => (name === 'live' ? live : name === 'held' ? text(name) : told[name])
  } catch {
    return null
  }
}

const all = (text: TextBy): Record<string, string> => Object.fromEntries(NAMES.map((name) => [name, text(name)]))

const hereBy = <D, B>(text: TextBy, skipped: readonly Unread[]): VerdictsHere<D, B> => ({
  get held() {
    return text('held').split('\n').filter((digest) => digest !== '')
  },
  skipped,
  get documents() {
    return text('documents')
  },
  remnants: () => toldIn({ documents: text('documents'), besides: text('besides') }),
})

/** `passed`: keys that are not read, since a program would be started because a stranger named it. */
interface Wanted {
  readonly asked: readonly Key[]
  readonly passed: readonly Key[]
}

/** What a stranger's remnant names is looked at, but no program is started because a stranger named it. */
function wantedBy(live: readonly LiveOutline[]): Wanted {
  const trusted = keysOf(live.filter(({ one }) => isTrusted(one.rank)))
  const others = keysOf(live.filter(({ one }) => !isTrusted(one.rank)))
  const asked = new Set([...trusted, ...others.filter((key) => !startsProgram(key))])
  return { asked: [...asked].sort(), passed: others.filter((key) => !asked.has(key)) }
}

type Reader = (keys: readonly Key[]) => Promise<KeyValues>

/** All that it reads is read in one world, which is one moment. */
function reader(host: Place): Reader {
  let world: Promise<World> | undefined
  return async (keys) => {
    if (keys.length === 0) return new Map()
    const probes = host.probes === undefined ? (await host.sets()).probes : await host.probes()
    return readKeys(keys, probes, await (world ??= host.world()), PROBE_LIMIT_MS)
  }
}

/** `seen`: what was read already. */
async function readRest({ asked, passed }: Wanted, seen: KeyValues, read: Reader): Promise<KeyValues> {
  const rest = await read(asked.filter((key) => !seen.has(key)))
  const current = new Map(asked.map((key) => [key, (seen.get(key) ?? rest.get(key)) as Reading]))
  for (const key of passed) current.set(key, { unreadable: 'a remnant of others names it, and it is not started for them' })
  return current
}

function startsProgram(key: Key): boolean {
  const { probe, argument } = splitKey(key)
  return probe === 'interface' || (probe === 'tool' && !KNOWN_TOOLS.has(argument.slice(argument.lastIndexOf('/') + 1)))
}

/** Programs that only tell their version when they are asked for it. */
const KNOWN_TOOLS = new Set(
  ('bash bun cargo clang cmake composer deno dotnet eslint g++ gcc gem gh git go gradle java javac jest make mocha mvn ninja node npm npx perl php pip pip3 ' +
    'pnpm poetry prettier pytest python python3 ruby ruff rustc rustup sh tsc uv vite vitest yarn zsh').split(' '),
)
