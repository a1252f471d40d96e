import { resolve } from 'node:path'
import { decodeUtf8 } from '../../base/canonical.ts'
import { EXIT, RemnantError, type Fault } from '../../base/errors.ts'
import type { Files } from '../files.ts'

/** One line of a plumbing verb's input, counted from 1; `null`: it is too long to be taken. */
export interface InputLine {
  readonly number: number
  readonly bytes: Uint8Array | null
}

/** A line of plumbing holds one request, never a log. */
export const MAX_INPUT_LINE = 16 * 1024 * 1024

/** What stands in the place of an answer that a malformed line can't have. */
export interface LineError {
  readonly error: { readonly fault: Fault; readonly message: string; readonly hint: string | null }
}

/** The bytes of FILE, or of standard input where it is not given or `-`. */
export const inputOf = (
  file: string | undefined,
  host: { readonly cwd: string; readonly files: Files; readonly stdin: AsyncIterable<Uint8Array | string> },
): AsyncIterable<Uint8Array | string> => (file === undefined || file === '-' ? host.stdin : host.files.stream(resolve(host.cwd, file)))

/** The lines of a stream that are not blank, one at a time. A line that is too long is passed over, and the next one read. */
export async function* inputLines(source: AsyncIterable<Uint8Array | string>, limit = MAX_INPUT_LINE): AsyncGenerator<InputLine> {
  let held: Uint8Array[] = []
  let size = 0
  let number = 1
  const whole = (): InputLine | null => {
    const bytes = size > limit ? null : Buffer.concat(held)
    held = []
    size = 0
    return bytes !== null && isBlank(bytes) ? null : { number, bytes }
  }
  const hold = (part: Uint8Array) => {
    size += part.byteLength
    if (size > limit) held = []
    else held.push(part)
  }
  for await (const chunk of source) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk
    let from = 0
    for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
      hold(bytes.subarray(from, to))
      const line = whole()
      if (line !== null) yield line
      number += 1
      from = to + 1
    }
    if (from < bytes.byteLength) hold(bytes.subarray(from))
  }
  const last = whole()
  if (last !== null) yield last
}

/**
 * One answer for each line, in its order. A line that throws a RemnantError is answered by that error in its place and the
 * rest goes on; `status()` is then 65, else 0. Settle it when `lines` have ended. Anything else that is thrown is a bug of ours.
 */
export function answerEach(source: AsyncIterable<InputLine>, answer: (text: string) => unknown): { lines: AsyncIterable<unknown>; status: () => number } {
  let status = 0
  async function* lines(): AsyncGenerator<unknown> {
    for await (const line of source) {
      let answered: unknown
      try {
        answered = await answer(textOf(line))
      } catch (thrown) {
        if (!(thrown instanceof RemnantError)) throw thrown
        status = EXIT.malformed
        answered = lineError(thrown, line.number)
      }
      yield answered
    }
  }
  return { lines: lines(), status: () => status }
}

function textOf({ bytes }: InputLine): string {
  if (bytes === null) throw new RemnantError('malformed', `line is over ${MAX_INPUT_LINE / 1048576} MiB`, { hint: 'give one JSON value a line' })
  return decodeUtf8(bytes)
}

const lineError = ({ fault, message, hint }: RemnantError, number: number): LineError => ({
  error: { fault, message: `line ${number}: ${message}`, hint: hint ?? null },
})

const isBlank = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 32 || byte === 9 || byte === 13)
