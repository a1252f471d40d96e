import { type Key, type KeyValues, type Reading, splitKey } from '../model/key.ts'
import type { Probe, World } from '../model/probe.ts'
import { isTrusted } from '../model/rank.ts'
import type { Held, Store, Unread } from '../model/store.ts'
import type { Outlined } from '../model/outline.ts'
import type { Resolution } from '../model/verdict.ts'
import { type Judged, type LiveOutline, keysOf, liveOutlines, outlinedOf, resolveLive, verdictsOf } from '../resolve.ts'
import { readKeys } from './keys.ts'
import { type Memory, openMemo, readingsOf } from './memo.ts'

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

/** Verdicts, and no more of what is stored than they rest on. */
export interface VerdictsHere {
  readonly held: readonly { readonly digest: string }[]
  readonly skipped: readonly Unread[]
  readonly judged: readonly Judged[]
}

/**
 * What `tell` makes of the verdicts on all that is stored: for those who show ids, keys and their public texts, and nothing else of a
 * remnant. What it told is remembered, as JSON, while everything stored lies as it did and every key reads as it did.
 */
export async function verdictsHere<T>(host: Place & Memory, tell: (here: VerdictsHere) => T): Promise<T> {
  const memo = await openMemo(host)
  const last = memo.last()
  const read = reader(host)
  // Git answers while the store is looked at.
  const early = read(last?.asked.filter((key) => !startsProgram(key)) ?? [])
  const outlook = await (await host.store()).outlook()
  const seen = new Map(await early)
  if (last !== null && outlook.mark === last.mark) {
    const current = await readRest(last, seen, read)
    if (readingsOf(current) === last.readings) return last.told() as T
  }
  const held: Outlined[] = []
  const skipped: Unread[] = []
  for (const stored of await outlook.outlines()) 'fault' in stored ? skipped.push(stored) : held.push(stored)
  const live = liveOutlines(held)
  const wanted = wantedBy(live)
  const current = await readRest(wanted, seen, read)
  const told = tell({ held, skipped, judged: verdictsOf(live, current) })
  if (outlook.mark !== null && skipped.length === 0) memo.keep({ mark: outlook.mark, ...wanted, readings: readingsOf(current) }, told)
  return told
}

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
