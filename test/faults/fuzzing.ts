import fc from 'fast-check'
import { RemnantError } from '../../src/base/errors.ts'
import type { Door } from './doors.ts'
import { mutants } from './mutants.ts'

/** What came of many mutated inputs at one door. */
export interface Fuzzed {
  readonly door: string
  readonly runs: number
  /** How many were taken in; the others were refused with a clear message. */
  readonly taken: number
  readonly slowest: number
  /** What was thrown that is no refusal, and the input in base64. */
  readonly crash: { readonly error: string; readonly input: string } | null
  readonly slow: { readonly ms: number; readonly input: string } | null
}

export const MOST_MS = 2000

/** Sends `runs` mutants of a door's seeds through it; the same seed, the same mutants. */
export async function fuzz(door: Door, runs: number, seed: number): Promise<Fuzzed> {
  let [taken, slowest, done] = [0, 0, 0]
  let slow: Fuzzed['slow'] = null
  let crash: Fuzzed['crash'] = null
  const property = fc.asyncProperty(mutants(door.seeds), async (bytes) => {
    const began = performance.now()
    try {
      await door.enter(bytes)
      taken += 1
    } catch (thrown) {
      if (!(thrown instanceof RemnantError) || thrown.message.trim() === '') {
        crash ??= { error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown), input: Buffer.from(bytes).toString('base64') }
        return false
      }
    } finally {
      done += 1
      const took = performance.now() - began
      if (took > slowest) slowest = took
      if (took > MOST_MS) slow ??= { ms: took, input: Buffer.from(bytes).toString('base64') }
    }
    return true
  })
  await fc.check(property, { numRuns: runs, seed, endOnFailure: true })
  return { door: door.name, runs: done, taken, slowest: Math.round(slowest), crash, slow }
}
