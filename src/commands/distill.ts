import * as z from 'zod/mini'
import { type Json, canonical, decodeUtf8, parseStrict } from '../base/canonical.ts'
import { EXIT, RemnantError } from '../base/errors.ts'
import { Sha256, Text, check } from '../base/schema.ts'
import type { Command, Host } from '../command.ts'
import { draft, seal } from '../distill.ts'
import { type InputLine, inputLines, inputOf } from '../host/log/lines.ts'
import { AMBIENT, Key, type Reading, STRUCTURAL } from '../model/key.ts'
import { JournalLine, Observation, type Turn, turnOf } from '../model/observation.ts'

export default {
  name: 'distill',
  kind: 'plumbing',
  summary: 'Observations and key values in, a remnant out; nothing is stored',
  details:
    'Reads observation lines, as "observe" writes them, then one line {"keys":{KEY:VALUE}}: what the environment was when the ' +
    'session ended. Writes the remnant in its canonical form. A malformed line is answered by an error and left out.',
  positionals: [{ name: 'file', describe: 'JSON lines; standard input if not given, or -' }],
  statuses: { 66: 'nothing irreducible to keep' },
  run: async (args, host) => {
    let status = 0
    const lines = distilled(inputLines(inputOf(args.text('file'), host)), host, (worse) => {
      if (status !== EXIT.malformed) status = worse
    })
    return { lines, status: () => status }
  },
} satisfies Command

/** The line that ends the input: the values that the caller vouches for, as they are or as `fingerprint` answers them. */
const KeysLine = z.strictObject({ keys: z.record(Key, Text), environment_fingerprint: z.optional(Sha256), unreadable: z.optional(z.record(Key, Text)) })

async function* distilled(source: AsyncIterable<InputLine>, host: Host, fail: (status: number) => void): AsyncGenerator<unknown> {
  const given = new Map<Key, Reading>()
  const faults: RemnantError[] = []
  const made = await draft(turnsIn(source, given, faults), await host.sets(), { journal: true, roots: [], ambient: AMBIENT, structural: STRUCTURAL })
  for (const fault of faults) yield answerTo(fault)
  if (faults.length > 0) fail(EXIT.malformed)
  const { remnant, purged } = seal(made, given, 'here')
  if (remnant !== null) {
    yield JSON.parse(canonical(remnant))
    return
  }
  fail(EXIT.nothing)
  yield answerTo(new RemnantError('nothing', `nothing irreducible to keep: ${purged.length} of ${purged.length} candidates were purged`))
}

async function* turnsIn(source: AsyncIterable<InputLine>, given: Map<Key, Reading>, faults: RemnantError[]): AsyncGenerator<Turn> {
  for await (const { number, bytes } of source) {
    try {
      if (bytes === null) throw new RemnantError('malformed', 'it is too long')
      const value = parseStrict(decodeUtf8(bytes))
      if (isKeysLine(value)) for (const [key, reading] of Object.entries(check(KeysLine, value, 'the line of keys').keys)) given.set(key, { value: reading })
      else yield turnOf(check(isJournalLine(value) ? JournalLine : Observation, value, 'observation'))
    } catch (cause) {
      if (!(cause instanceof RemnantError)) throw cause
      faults.push(new RemnantError(cause.fault, `line ${number}: ${cause.message}`, cause.hint === undefined ? {} : { hint: cause.hint }))
    }
  }
}

const isKeysLine = (value: Json): boolean => typeof value === 'object' && value !== null && 'keys' in value && !('schema' in value)
const isJournalLine = (value: Json): boolean => typeof value === 'object' && value !== null && 'worktree' in value

const answerTo = ({ fault, message, hint }: RemnantError) => ({ error: { fault, message, hint: hint ?? null } })
