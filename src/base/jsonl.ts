import { type Json, decodeUtf8 } from './canonical.ts'
import { RemnantError } from './errors.ts'

/** One JSON value of a log. `number` counts lines from 1, `offset` is the line's first byte in the file. */
export interface Record {
  readonly number: number
  readonly offset: number
  readonly value: Json
}

/** Longer lines exist (images in base64), but none that a record of ours could need. */
export const MAX_LINE = 64 * 1024 * 1024

/**
 * The JSON values of a stream of bytes, one line at a time, never the whole. Two values glued on one line are two values.
 * A last line that was cut short (a session still running) ends the reading without a fault.
 * Throws `malformed` with `what` and the line: bytes that are not UTF-8, a NUL byte, a line that is not JSON; with
 * `report` such a line is reported there and left out, and the rest goes on.
 */
export async function* readJsonl(bytes: AsyncIterable<Uint8Array>, what: string, report?: (fault: RemnantError) => void): AsyncGenerator<Record> {
  const refuse = (fault: RemnantError): void => {
    if (report === undefined) throw fault
    report(fault)
  }
  for await (const line of readLines(bytes, what)) {
    const { number, offset } = line
    if (line.bytes.includes(0)) {
      refuse(new RemnantError('malformed', `${what} holds a NUL byte in line ${number}: it is not a text`))
      continue
    }
    let text: string
    try {
      text = textOf(line)
    } catch (cause) {
      refuse(new RemnantError('malformed', `${what} is not UTF-8 in line ${number}`, { cause }))
      continue
    }
    const found = valuesIn(text.trim())
    for (const value of found.values) yield { number, offset, value }
    if (!found.whole && line.ended)
      refuse(new RemnantError('malformed', `${what} is not JSON in line ${number}`, { hint: 'every line of a session log is one JSON object' }))
  }
}

/** The text of a line; a last line may be cut within a character, and goes up to there. */
export const textOf = ({ bytes, ended }: RawLine): string =>
  ended ? decodeUtf8(bytes) : new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })

/** A line's bytes, without its end; `ended`: there was one. */
export interface RawLine {
  readonly number: number
  readonly offset: number
  readonly bytes: Uint8Array
  readonly ended: boolean
}

/** Lines as bytes, split at \n alone. Throws `malformed` with `what` for one over the limit. */
export async function* readLines(chunks: AsyncIterable<Uint8Array>, what: string): AsyncGenerator<RawLine> {
  let held: Uint8Array[] = []
  let heldSize = 0
  let number = 1
  let offset = 0
  for await (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      const bytes = held.length === 0 ? chunk.subarray(from, to) : Buffer.concat([...held, chunk.subarray(from, to)])
      yield { number, offset, bytes, ended: true }
      offset += bytes.byteLength + 1
      number += 1
      held = []
      heldSize = 0
      from = to + 1
    }
    if (from < chunk.byteLength) {
      held.push(chunk.subarray(from))
      heldSize += chunk.byteLength - from
      if (heldSize > MAX_LINE) throw new RemnantError('malformed', `${what} has a line over ${MAX_LINE / 1048576} MiB, line ${number}`)
    }
  }
  if (heldSize > 0) yield { number, offset, bytes: Buffer.concat(held), ended: false }
}

/** The JSON values that a text begins with, one behind the other; `whole` if nothing else is in it. */
export function valuesIn(text: string): { values: Json[]; whole: boolean } {
  const values: Json[] = []
  let rest = text
  try {
    if (rest !== '') values.push(JSON.parse(rest) as Json)
    return { values, whole: true }
  } catch {
    while (rest !== '') {
      const end = endOfObject(rest)
      if (end === null) return { values, whole: false }
      try {
        values.push(JSON.parse(rest.slice(0, end)) as Json)
      } catch {
        return { values, whole: false }
      }
      rest = rest.slice(end).trimStart()
    }
    return { values, whole: true }
  }
}

function endOfObject(text: string): number | null {
  if (text[0] !== '{' && text[0] !== '[') return null
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '\\') i += 1
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '{' || c === '[') depth += 1
    else if (c === '}' || c === ']') {
      depth -= 1
      if (depth === 0) return i + 1
    }
  }
  return null
}
