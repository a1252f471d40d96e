import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { valuesIn } from '../../src/base/jsonl.ts'
import { parse } from '../../src/distill/parse.ts'
import { formats } from '../../src/formats.ts'
import { openLogFrom } from '../../src/host/log.ts'
import type { Turn } from '../../src/model/observation.ts'
import { verdictOf } from '../../src/model/outcome.ts'
import { distilledOf } from '../distill/session.ts'
import { isLog, readBy } from './reading.ts'

/** What every format keeps, whatever becomes of a log. Our own lines are checked by their schema, and so break earlier. */
const here = import.meta.dirname
const logs = formats
  .filter(({ id }) => id !== 'observation')
  .flatMap((format) => readdirSync(join(here, format.id)).filter(isLog).map((name) => ({ format, id: format.id, name, text: readFileSync(join(here, format.id, name), 'utf8') })))
const inLines = logs.filter(({ name }) => name.endsWith('.jsonl'))
const documents = logs.filter(({ name }) => !name.endsWith('.jsonl') && !name.endsWith('.md'))
const SECRET = 'hunter2-correct-horse'

interface Seen {
  readonly turns: readonly Turn[]
  readonly faults: readonly RemnantError[]
}

/** Everything that a log gives, read as standard input is; a log that is refused gives nothing and its fault. */
async function read(text: string): Promise<Seen> {
  const faults: RemnantError[] = []
  const turns: Turn[] = []
  const bytes = Buffer.from(text)
  const report = (fault: RemnantError) => void faults.push(fault)
  try {
    const source = (async function* () { for (let i = 0; i < bytes.length; i += 1777) yield bytes.subarray(i, i + 1777) })()
    const log = await openLogFrom(source, formats, report)
    for await (const turn of parse(log.lines, log.format, report)) turns.push(turn)
  } catch (fault) {
    if (!(fault instanceof RemnantError)) throw fault
    faults.push(fault)
  }
  return { turns, faults }
}

/** What a log proves: the commands whose outcome says something, and which one it was. */
const proofsIn = (turns: readonly Turn[]): string[] =>
  turns.filter(({ kind, outcome }) => kind === 'command' && verdictOf(outcome) !== null).map(({ record_id, command, outcome }) => JSON.stringify([record_id, command, outcome]))

const idsOf = (turns: readonly Turn[]): string[] => turns.map(({ session, record_id }) => `${session} ${record_id}`)
const withoutTimes = (turns: readonly Turn[]) => turns.map(({ at: _at, began: _began, ...turn }) => turn)

/** Another field in every object, but where names of fields are somebody's file names. */
function withMore(value: Json, name = ''): Json {
  if (Array.isArray(value)) return value.map((one: Json) => withMore(one))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withMore(one as Json, key)]))
  return name === 'changes' || name === '$set' ? fields : { ...fields, of_a_later_version: { deep: [SECRET, 1, null] } }
}

describe.each(logs)('$id/$name', ({ format, name, text }) => {
  it('cut anywhere is read up to there or refused, and proves nothing that the whole does not', async () => {
    const whole = new Set(proofsIn((await read(text)).turns))
    const step = Math.max(1, Math.floor(text.length / 40))
    for (let end = 0; end < text.length; end += step) {
      const { turns, faults } = await read(text.slice(0, end))
      expect(proofsIn(turns).filter((proof) => !whole.has(proof))).toEqual([])
      expect(new Set(idsOf(turns)).size).toBe(turns.length)
      for (const { fault } of faults) expect(fault).toBe('malformed')
    }
  })

  it('twice over, even on one line, gives what it gives once', async () => {
    const once = await read(text)
    const glued = name.endsWith('.md') ? text + text : text.trimEnd() + text
    expect(withoutTimes((await read(glued)).turns)).toEqual(withoutTimes(once.turns))
    expect(once.faults).toEqual([])
  })

  it('with its beginning before it gives what it gives alone', async () => {
    if (!inLines.some((log) => log.text === text)) return expect(documents.some((log) => log.text === text) || name.endsWith('.md')).toBe(true)
    const lines = text.split('\n')
    const grown = [...lines.slice(0, lines.length / 2), ...lines].join('\n')
    expect(idsOf((await read(grown)).turns).toSorted()).toEqual(idsOf((await read(text)).turns).toSorted())
  })

  it('says the same with fields that nobody knows', async () => {
    if (name.endsWith('.md')) return expect((await read(`${text}\nWords of ${SECRET}\n`)).turns).toEqual((await read(text)).turns)
    const values = name.endsWith('.jsonl') ? text.trim().split('\n') : [text]
    const more = values.flatMap(valuesOf).map((value) => JSON.stringify(withMore(value))).join('\n')
    expect(withoutTimes((await read(more)).turns)).toEqual(withoutTimes((await read(text)).turns))
  })

  it('never throws over what hostile hands make of it, and names each record once', () => {
    const values = name.endsWith('.md') ? text.split('\n') : (name.endsWith('.jsonl') ? text.trim().split('\n') : [text]).flatMap(valuesOf)
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 6 }), fc.nat(), (bad, seed) => {
        const made = values.map((value, i) => mangled(value, bad, seed + i))
        expect(typeof format.recognise(made)).toBe('boolean')
        if (!format.recognise(made)) return
        format.about(made)
        const turns = readBy(format, made)
        expect(new Set(idsOf(turns)).size).toBe(turns.length)
        for (const turn of turns) {
          expect([turn.session !== '', turn.record_id !== '', turn.record_id.length <= 200, turn.kind !== 'edit' || turn.edits.length > 0]).toEqual([true, true, true, true])
          expect(JSON.stringify(turn).isWellFormed()).toBe(true)
          expect(JSON.stringify(turn)).not.toMatch(/\\ud[89a-f]/)
        }
      }),
      { numRuns: 40, examples: [[[' '], 481497866]] },
    )
  })
})

/** The values on a line; a last one that was cut is none. */
const valuesOf = (line: string): readonly Json[] => valuesIn(line).values

const hostile: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>('', '\u0000', '\ud800', '__proto__', '../../etc/passwd', '`'.repeat(5000), '\n'.repeat(5000), ' '.repeat(5000), 'cd '.repeat(2000), '<returncode>', '</output>'.repeat(1000), '{', '[[[['),
  fc.constantFrom<Json>(null, true, -1, 1e308, 0.5, [], {}, [[]], { toString: 1 }, ['x'], 1e15, -0),
  fc.string({ maxLength: 30 }),
)

/** A value in which some leaves, chosen by the seed, are others. */
function mangled(value: Json, bad: readonly Json[], seed: number): Json {
  let turn = seed
  const walk = (one: Json): Json => {
    turn = (turn * 48271 + 11) % 2147483647
    if (turn % 13 === 0) return bad[turn % bad.length] as Json
    if (Array.isArray(one)) return one.map(walk)
    return typeof one === 'object' && one !== null ? Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, walk(inner as Json)])) : one
  }
  return walk(value)
}

describe.each(inLines)('$id/$name', ({ text }) => {
  it('with a line that is garbage is told so, without its words, and the rest counts', async () => {
    const lines = text.trim().split('\n')
    const at = Math.max(1, Math.floor(lines.length / 2))
    const { turns, faults } = await read([...lines.slice(0, at), `{"oops ${SECRET}`, ...lines.slice(at)].join('\n'))
    expect(faults.map(({ message }) => message)).toEqual([`log on standard input is not JSON in line ${at + 1}`])
    expect(JSON.stringify([faults[0]?.hint, faults[0]?.stack])).not.toContain(SECRET)
    expect(turns).toEqual((await read(lines.join('\n'))).turns)
  })

  it('shuffled names each record once', async () => {
    const lines = text.trim().split('\n')
    const [head, ...rest] = lines
    const turns = (await read([head, ...rest.toReversed(), ...rest].join('\n'))).turns
    expect(new Set(idsOf(turns)).size).toBe(turns.length)
  })
})

describe.each(documents)('$id/$name', ({ text }) => {
  it('broken is refused, without its words', async () => {
    const broken = JSON.stringify(JSON.parse(text), null, 1).replace(/\n[^\n]*\n[^\n]*$/, `\n "${SECRET}": nonsense }`)
    const { turns, faults } = await read(broken)
    expect([turns, faults.map(({ message }) => message)]).toEqual([[], ['log on standard input is a JSON document that is cut short or broken']])
    expect(JSON.stringify([faults[0]?.hint, faults[0]?.stack])).not.toContain(SECRET)
  })
})

/** Their hosts keep no status, so that whatever they print is no proof. */
const SILENT = ['swe-agent', 'atif', 'cline', 'aider']

describe.each(logs.filter(({ id }) => SILENT.includes(id)))('$id/$name, in which no status is kept,', ({ text }) => {
  it('proves nothing, whatever was printed', async () => {
    const { turns } = await read(text)
    expect(turns.filter(({ kind }) => kind === 'command').every(({ outcome, cut }) => outcome.is === 'unknown' && cut === true)).toBe(true)
    expect(turns.length).toBeGreaterThan(0)
  })

  it('leaves nothing to seal but a deed of which nobody knows whether it was done', async () => {
    const { turns } = await read(text)
    const { remnant } = await distilledOf(turns)
    const claims = remnant === null ? [] : [...remnant.verified_invariants, ...remnant.falsified_boundaries, ...remnant.debug_residuals, ...remnant.unresolved_handoffs]
    expect(claims).toEqual([])
    expect((remnant?.non_idempotent_commits ?? []).every(({ outcome }) => outcome.is === 'unknown')).toBe(true)
  })
})
