import { type Key, type KeyValues, type Reading, splitKey } from '../model/key.ts'
import type { Probe, World } from '../model/probe.ts'
import { isTrusted } from '../model/rank.ts'
import type { Held, Store, Stored } from '../model/store.ts'
import type { Resolution } from '../model/verdict.ts'
import type { Live } from '../resolve/claims.ts'
import { keysOfLive, liveAmong, resolveLive } from '../resolve.ts'
import { readKeys } from './keys.ts'
import { type Memory, openMemo, readingsOf } from './memo.ts'

/** A probe that takes longer counts as unreadable. */
export const PROBE_LIMIT_MS = 2000

/** Opened only as far as what is stored asks for it. */
export interface Place {
  store(): Promise<Store>
  sets(): Promise<{ readonly probes: readonly Probe[] }>
  world(): Promise<World>
}

/** What is stored, and what it is worth in this working tree now. `skipped`: remnants that could not be read. */
export interface Here {
  readonly held: readonly Held[]
  readonly skipped: readonly { readonly digest: string; readonly fault: string; readonly hint?: string }[]
  readonly current: KeyValues
  readonly resolution: Resolution
}

/** Reads every stored remnant, then each key that they want once, and resolves. One bad remnant hides no other. */
export const resolveHere = async (host: Place): Promise<Here> => resolveAll((await host.store()).readAll(), reader(host))

/**
 * What `tell` makes of the same, from outlines: for those who show verdicts, ids, keys and their public texts, and nothing else of a
 * remnant. What it told is remembered, as JSON, while everything stored lies as it did and every key reads as it did.
 */
export async function verdictsHere<T>(host: Place & Memory, tell: (here: Here) => T): Promise<T> {
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
  const here = await resolveAll(await outlook.outlines(last !== null), read, seen)
  const told = tell(here)
  if (outlook.mark !== null && here.skipped.length === 0) memo.keep({ mark: outlook.mark, ...here.wanted, readings: readingsOf(here.current) }, told)
  return told
}

async function resolveAll(all: AsyncIterable<Stored> | Iterable<Stored>, read: Reader, seen: KeyValues = new Map()): Promise<Here & { readonly wanted: Wanted }> {
  const held: Held[] = []
  const skipped: Here['skipped'][number][] = []
  for await (const stored of all) 'remnant' in stored ? held.push(stored) : skipped.push(stored)
  const live = liveAmong(held)
  const wanted = wantedBy(live)
  const current = await readRest(wanted, seen, read)
  return { held, skipped, current, resolution: resolveLive(live, current), wanted }
}

/** `passed`: keys that are not read, since a program would be started because a stranger named it. */
interface Wanted {
  readonly asked: readonly Key[]
  readonly passed: readonly Key[]
}

/** What a stranger's remnant names is looked at, but no program is started because a stranger named it. */
function wantedBy(live: readonly Live[]): Wanted {
  const trusted = keysOfLive(live.filter(({ rank }) => isTrusted(rank)))
  const others = keysOfLive(live.filter(({ rank }) => !isTrusted(rank)))
  const asked = new Set([...trusted, ...others.filter((key) => !startsProgram(key))])
  return { asked: [...asked].sort(), passed: others.filter((key) => !asked.has(key)) }
}

type Reader = (keys: readonly Key[]) => Promise<KeyValues>

/** All that it reads is read in one world, which is one moment. */
function reader(host: Place): Reader {
  let world: Promise<World> | undefined
  return async (keys) => (keys.length === 0 ? new Map() : readKeys(keys, (await host.sets()).probes, await (world ??= host.world()), PROBE_LIMIT_MS))
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
