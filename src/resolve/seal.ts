import { sha256 } from '../base/digest.ts'
import type { Key, KeyValues } from '../model/key.ts'
import type { Seal } from '../model/outline.ts'
import { fingerprintOf } from '../model/remnant.ts'

/** A seal, held against what was read here. */
export interface SealHere {
  /** It contradicts its baselines. */
  readonly isBroken: boolean
  readonly isEmpty: boolean
  /** Keys with a baseline that drifted, sorted. */
  readonly drifted: readonly Key[]
  /** Whether a key drifted; undefined: it has no baseline. */
  drifts(key: Key): boolean | undefined
  /** What these keys come to; whoever asks for the same list twice may be told what was told before. */
  of(keys: readonly Key[]): Touch
}

/** Some keys under a seal. `touched`: one of them drifted, which one without a baseline has. */
export interface Touch {
  readonly isTouched: boolean
  readonly unsealed: readonly Key[]
}

/**
 * Baselines under their seal, held against the hashes of what was read. Both mostly name the same keys in one order: so they are walked in
 * step, and where all that was read is sealed, it says itself which keys are.
 */
export function sealOver(fingerprint: string, baselines: Seal['baselines'], current: ReadonlyMap<Key, string>): SealHere {
  const isBroken = fingerprintOf(baselines) !== fingerprint
  const drifted: Key[] = []
  const walk = current[Symbol.iterator]()
  let next = walk.next()
  let inStep = 0
  if (!isBroken)
    for (const [key, hash] of baselines) {
      let read: string | undefined
      if (next.done !== true && next.value[0] === key) {
        read = next.value[1]
        next = walk.next()
        inStep += 1
      } else read = current.get(key)
      if (read !== hash) drifted.push(key)
    }
  const gone: Keys = drifted.length === 0 ? NO_KEYS : new Set(drifted)
  const named: Keys = isBroken ? NO_KEYS : inStep === current.size ? current : new Set(baselines.map(([key]) => key))
  const drifts = (key: Key): boolean | undefined => (gone.has(key) ? true : named.has(key) ? false : undefined)
  return { isBroken, isEmpty: baselines.length === 0, drifted: sorted(drifted), drifts, of: (keys) => touchOf(keys, gone, named) }
}

interface Keys {
  has(key: Key): boolean
}

const NO_KEYS: Keys = new Set<Key>()

/** `gone`: keys that drifted; of all others those are steady that are `named`. */
function touchOf(keys: readonly Key[], gone: Keys, named: Keys): Touch {
  let isTouched = false
  let unsealed: Key[] | null = null
  for (const key of keys) {
    if (gone.has(key)) isTouched = true
    else if (!named.has(key)) (unsealed ??= []).push(key)
  }
  return unsealed !== null ? { isTouched: true, unsealed } : isTouched ? TOUCHED : UNTOUCHED
}

const TOUCHED: Touch = { isTouched: true, unsealed: [] }
const UNTOUCHED: Touch = { isTouched: false, unsealed: [] }

/** Seals by themselves, and lists of keys too: remnants share both. */
export function sealsHere(current: KeyValues): (seal: Seal) => SealHere {
  const hashes = hashesOf(current)
  const known = new Map<Seal, SealHere>()
  return (seal) => {
    const before = known.get(seal)
    if (before !== undefined) return before
    const here = remembering(sealOver(seal.fingerprint, seal.baselines, hashes))
    known.set(seal, here)
    return here
  }
}

function remembering(seal: SealHere): SealHere {
  const known = new Map<readonly Key[], Touch>()
  return {
    ...seal,
    of(keys) {
      const before = known.get(keys)
      if (before !== undefined) return before
      const touch = seal.of(keys)
      known.set(keys, touch)
      return touch
    },
  }
}

function hashesOf(current: KeyValues): Map<Key, string> {
  const hashes = new Map<Key, string>()
  for (const [key, reading] of current) if ('value' in reading) hashes.set(key, sha256(reading.value))
  return hashes
}

/** The very list, where it is sorted. */
export function sorted(texts: readonly string[]): readonly string[] {
  for (let i = 1; i < texts.length; i++) if ((texts[i - 1] as string) > (texts[i] as string)) return [...texts].sort()
  return texts
}
