import { type Key, type KeyValues, splitKey } from '../model/key.ts'
import type { Probe, World } from '../model/probe.ts'
import type { Held, Store } from '../model/store.ts'
import type { Resolution } from '../model/verdict.ts'
import { resolve, wantedKeys } from '../resolve.ts'
import { readKeys } from './keys.ts'

/** A probe that takes longer counts as unreadable. */
export const PROBE_LIMIT_MS = 2000

/** Opened only as far as what is stored asks for it. */
interface Place {
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
export async function resolveHere(host: Place): Promise<Here> {
  const held: Held[] = []
  const skipped: Here['skipped'][number][] = []
  const store = await host.store()
  for await (const stored of store.readAll()) 'remnant' in stored ? held.push(stored) : skipped.push(stored)
  const current = await readWanted(held, host)
  return { held, skipped, current, resolution: resolve(held, current) }
}

/** What a stranger's remnant names is looked at, but no program is started because a stranger named it. */
async function readWanted(held: readonly Held[], host: Place): Promise<KeyValues> {
  const own = new Set(wantedKeys(held.filter((remnant) => remnant.own)))
  const keys = wantedKeys(held)
  if (keys.length === 0) return new Map()
  const passed = keys.filter((key) => !own.has(key) && startsProgram(key))
  const asked = passed.length === 0 ? keys : keys.filter((key) => !passed.includes(key))
  const current = new Map(await readKeys(asked, (await host.sets()).probes, await host.world(), PROBE_LIMIT_MS))
  for (const key of passed) current.set(key, { unreadable: 'a remnant of others names it, and it is not started for them' })
  return current
}

function startsProgram(key: Key): boolean {
  const { probe, argument } = splitKey(key)
  return probe === 'tool' && !KNOWN_TOOLS.has(argument.slice(argument.lastIndexOf('/') + 1))
}

/** Programs that only tell their version when they are asked for it. */
const KNOWN_TOOLS = new Set(
  ('bash bun cargo clang cmake composer deno dotnet eslint g++ gcc gem gh git go gradle java javac jest make mocha mvn ninja node npm npx perl php pip pip3 ' +
    'pnpm poetry prettier pytest python python3 ruby ruff rustc rustup sh tsc uv vite vitest yarn zsh').split(' '),
)
