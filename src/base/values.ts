import { decodeUtf8 } from './canonical.ts'
import { RemnantError } from './errors.ts'
import { MAX_LINE, type Record, readJsonl, readLines, textOf, valuesIn } from './jsonl.ts'

/** A document is parsed whole, so it is no longer than the longest line. */
export const MAX_DOCUMENT = MAX_LINE

type Report = (fault: RemnantError) => void

/**
 * The values of a log, whatever its shape, told by its first line that is not blank. JSON lines: one value a line, streamed.
 * One JSON document over several lines: that value, parsed whole, at most 64 MiB. A text whose first line `isText` knows:
 * every line of it, as a string, streamed.
 * Throws `malformed` with `what` and the line; with `report` what can't be read is reported there and left out.
 */
export async function* readValues(bytes: AsyncIterable<Uint8Array>, what: string, isText: (firstLine: string) => boolean, report?: Report): AsyncGenerator<Record> {
  const chunks = bytes[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  try {
    const first = await firstLineOf(chunks, held)
    const all = rejoined(held, chunks)
    if (first !== null && isText(first.text)) yield* readText(all, what, report)
    else if (first !== null && startsDocument(first)) yield* readDocument(all, first, what, report)
    else yield* readJsonl(all, what, report)
  } finally {
    await chunks.return?.()
  }
}

/** The first line that is not blank, and the one behind it; null: that one has not come yet. */
interface First {
  readonly text: string
  readonly next: string | null
  readonly number: number
  readonly offset: number
}

/** Reads on until the first line and its neighbour are known; null: there is no whole first line within the limit of one. */
async function firstLineOf(chunks: AsyncIterator<Uint8Array>, held: Uint8Array[]): Promise<First | null> {
  let size = 0
  for (;;) {
    const { value, done } = await chunks.next()
    if (done !== true) {
      held.push(value)
      size += value.byteLength
      if (size <= MAX_LINE && value.indexOf(10) === -1) continue
    }
    const found = linesAt(held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held))
    if (found !== null && (found.next !== null || found.text === '{' || found.text === '[' || !mayStartDocument(found.text))) return found
    if (done === true || size > MAX_LINE) return found
  }
}

function linesAt(bytes: Uint8Array): First | null {
  let number = 1
  for (let from = 0, to = bytes.indexOf(10); to !== -1; from = to + 1, to = bytes.indexOf(10, from), number += 1) {
    const text = roughly(bytes.subarray(from, to))
    if (text === '') continue
    const end = bytes.indexOf(10, to + 1)
    return { text, next: end === -1 ? null : roughly(bytes.subarray(to + 1, end)), number, offset: from }
  }
  return null
}

/** Good enough to tell a shape; whether the bytes are a text is seen when they are read. */
const roughly = (bytes: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).trim()

const mayStartDocument = (text: string): boolean => /^[[{]/.test(text) && !valuesIn(text).whole

/** A line that opens a value and does not close it; where the next line is a whole object, it is only a broken line of many. */
function startsDocument({ text, next }: First): boolean {
  if (text === '{' || text === '[') return true
  return mayStartDocument(text) && !(next !== null && next.startsWith('{') && valuesIn(next).whole)
}

async function* rejoined(held: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let part = held.shift(); part !== undefined; part = held.shift()) yield part
  for (;;) {
    const { value, done } = await rest.next()
    if (done === true) return
    yield value
  }
}

async function* readDocument(bytes: AsyncIterable<Uint8Array>, { number, offset }: First, what: string, report?: Report): AsyncGenerator<Record> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part)
    size += part.byteLength
    if (size > MAX_DOCUMENT) throw new RemnantError('malformed', `${what} is one JSON document over ${MAX_DOCUMENT / 1048576} MiB`)
  }
  const whole = Buffer.concat(parts)
  parts.length = 0
  const found = valuesIn(decoded(whole, what).trim())
  for (const value of found.values) yield { number, offset, value }
  if (!found.whole) refuse(new RemnantError('malformed', `${what} is a JSON document that is cut short or broken`), report)
}

function decoded(bytes: Uint8Array, what: string): string {
  if (bytes.includes(0)) throw new RemnantError('malformed', `${what} holds a NUL byte: it is not a text`)
  try {
    return decodeUtf8(bytes)
  } catch (cause) {
    throw new RemnantError('malformed', `${what} is not UTF-8`, { cause })
  }
}

async function* readText(bytes: AsyncIterable<Uint8Array>, what: string, report?: Report): AsyncGenerator<Record> {
  for await (const line of readLines(bytes, what)) {
    let text: string
    try {
      text = textOf(line)
    } catch (cause) {
      refuse(new RemnantError('malformed', `${what} is not UTF-8 in line ${line.number}`, { cause }), report)
      continue
    }
    yield { number: line.number, offset: line.offset, value: text.endsWith('\r') ? text.slice(0, -1) : text }
  }
}

function refuse(fault: RemnantError, report?: Report): void {
  if (report === undefined) throw fault
  report(fault)
}
