import * as z from 'zod/mini'
import { decodeUtf8, parseStrict } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import { check } from '../base/schema.ts'
import type { Command } from '../command.ts'
import { PROBE_LIMIT_MS } from '../host/here.ts'
import { readKeys } from '../host/keys.ts'
import { type InputLine, answerEach, inputLines, inputOf } from '../host/log/lines.ts'
import { Key, type KeyValues } from '../model/key.ts'
import { fingerprintOf } from '../model/remnant.ts'

const Request = z.strictObject({ keys: z.array(Key) })

export default {
  name: 'fingerprint',
  kind: 'plumbing',
  summary: 'Values of environment keys, here and now',
  details: [
    'Reads {"keys":[KEY…]} a line (or one document) and answers {"keys":{KEY:VALUE…},"environment_fingerprint"}.',
    'A key that can\'t be read has no value; it stands with the reason under "unreadable".',
  ].join('\n'),
  positionals: [{ name: 'file', describe: 'JSON lines; standard input if not given, or -' }],
  async run(args, host) {
    const { probes } = await host.sets()
    return answerEach(documents(inputLines(inputOf(args.text('file'), host))), async (text) => {
      const { keys } = check(Request, parseStrict(text), 'request', 'a line is {"keys":["platform","file:PATH"]}')
      return answerFor(await readKeys([...new Set(keys)].sort(), probes, await host.world(), PROBE_LIMIT_MS))
    })
  },
} satisfies Command

function answerFor(values: KeyValues): Record<string, unknown> {
  const keys: [Key, string][] = []
  const unreadable: [Key, string][] = []
  for (const [key, reading] of values) 'value' in reading ? keys.push([key, reading.value]) : unreadable.push([key, reading.unreadable])
  return {
    keys: Object.fromEntries(keys.sort(byKey)),
    environment_fingerprint: fingerprintOf(keys.map(([key, value]) => [key, sha256(value)])),
    ...(unreadable.length > 0 && { unreadable: Object.fromEntries(unreadable.sort(byKey)) }),
  }
}

const byKey = ([a]: readonly [Key, string], [b]: readonly [Key, string]): number => (a < b ? -1 : a > b ? 1 : 0)

/** Lines; but where the first is no JSON value and all of them together are one, that one document. */
async function* documents(lines: AsyncIterable<InputLine>): AsyncGenerator<InputLine> {
  const held: InputLine[] = []
  let spread: boolean | null = null
  for await (const line of lines) {
    spread ??= !isJson(line.bytes)
    if (spread) held.push(line)
    else yield line
  }
  const bytes = held.some((line) => line.bytes === null) ? null : Buffer.concat(held.flatMap((line) => [line.bytes as Uint8Array, NEWLINE]))
  if (held.length > 1 && isJson(bytes)) yield { number: 1, bytes }
  else yield* held
}

const NEWLINE = Buffer.from('\n')

function isJson(bytes: Uint8Array | null): boolean {
  if (bytes === null) return false
  try {
    JSON.parse(decodeUtf8(bytes))
    return true
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof RemnantError) return false
    throw thrown
  }
}
