import { RemnantError, codeOf } from '../base/errors.ts'
import { type Key, type KeyValues, type Reading, splitKey } from '../model/key.ts'
import type { Probe, World } from '../model/probe.ts'

const AT_ONCE = 16

/**
 * The value of each key here and now, each read once. A key whose probe fails, or takes longer than the limit (ms), is unreadable:
 * that counts as drift, and hides no other key. Reasons hold no value.
 */
export async function readKeys(keys: Iterable<Key>, probes: readonly Probe[], world: World, limitMs = 2000): Promise<KeyValues> {
  const wanted = [...new Set(keys)]
  const readings = new Map<Key, Reading>(wanted.map((key) => [key, { unreadable: 'it was not read' }]))
  let next = 0
  const work = async (): Promise<void> => {
    while (next < wanted.length) {
      const key = wanted[next++] as Key
      readings.set(key, await readOne(key, probes, world, limitMs))
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, wanted.length) }, work))
  return readings
}

async function readOne(key: Key, probes: readonly Probe[], world: World, limitMs: number): Promise<Reading> {
  const { probe: id, argument } = splitKey(key)
  const probe = probes.find((one) => one.id === id)
  if (probe === undefined) return { unreadable: `no probe is named "${id}"` }
  if ((probe.argument === '') !== (argument === '')) return { unreadable: argument === '' ? `it lacks ${probe.argument}` : 'it takes no argument' }
  const unread = (thrown: unknown): Reading => ({
    unreadable: thrown instanceof RemnantError ? thrown.message + (thrown.hint === undefined ? '' : ` (${thrown.hint})`) : `its probe failed${codeOf(thrown) === undefined ? '' : ` (${codeOf(thrown)})`}`,
  })
  let timer: NodeJS.Timeout | undefined
  const reading = (async () => probe.read(argument, world))().catch(unread)
  // What waits for nothing outside needs no clock.
  const soon = await Promise.race([reading, new Promise<null>((resolve) => void Promise.resolve().then(() => process.nextTick(() => resolve(null))))])
  if (soon !== null) return soon
  const late = new Promise<Reading>((resolve) => {
    timer = setTimeout(() => resolve({ unreadable: `it took over ${limitMs / 1000} s` }), limitMs)
  })
  try {
    return await Promise.race([reading, late])
  } finally {
    clearTimeout(timer)
  }
}
