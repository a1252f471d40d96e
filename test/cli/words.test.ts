import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fullWords } from '../../src/cli/full.ts'
import { type Words, argumentsOf } from '../../src/cli/grammar.ts'
import { quickWords } from '../../src/cli/quick.ts'
import { verbIndex } from '../../src/cli/words.ts'
import type { Command } from '../../src/command.ts'
import { allCommands } from '../../src/commands.ts'

const sample: Command = {
  name: 'sample',
  kind: 'porcelain',
  summary: 'a verb with one option of each kind',
  positionals: [
    { name: 'first', describe: '', required: true },
    { name: 'others', describe: '', many: true },
  ],
  options: {
    track: { type: 'boolean', describe: '' },
    session: { type: 'string', describe: '' },
    budget: { type: 'number', describe: '' },
    by: { type: 'string', many: true, describe: '' },
  },
  rest: 'CMD…',
  run: async () => ({}),
}

/** What a verb would see. */
const seen = (words: Words, typed: readonly string[]) => {
  const args = argumentsOf(sample, words, typed)
  return {
    track: args.flag('track'),
    json: args.flag('json'),
    session: args.text('session'),
    budget: args.number('budget'),
    by: args.list('by'),
    C: args.text('C'),
    first: args.text('first'),
    others: args.list('others'),
    rest: args.rest,
  }
}

const nothing = { track: false, json: false, session: undefined, budget: undefined, by: [], C: undefined, first: 'a', others: [], rest: [] }

describe('a valid line', () => {
  it.each([
    [['a'], nothing],
    [['a', 'b', 'c'], { ...nothing, others: ['b', 'c'] }],
    [['a', '--track'], { ...nothing, track: true }],
    [['a', '--track', '--track'], { ...nothing, track: true }],
    [['--track', 'a'], { ...nothing, track: true }],
    [['--json', 'a', '--track'], { ...nothing, json: true, track: true }],
    [['a', '--session', 'x y'], { ...nothing, session: 'x y' }],
    [['a', '--session=x=y'], { ...nothing, session: 'x=y' }],
    [['a', '--session=-x'], { ...nothing, session: '-x' }],
    [['a', '--session=--'], { ...nothing, session: '--' }],
    [['a', '--session', '007'], { ...nothing, session: '007' }],
    [['a', '--session', ''], { ...nothing, session: '' }],
    [['a', '--session', 'true'], { ...nothing, session: 'true' }],
    [['a', '--session', '"quoted"'], { ...nothing, session: '"quoted"' }],
    [['a', '--budget', '12'], { ...nothing, budget: 12 }],
    [['a', '--budget', '-3'], { ...nothing, budget: -3 }],
    [['a', '--by', 'one', '--by', 'two'], { ...nothing, by: ['one', 'two'] }],
    [['a', '--by', 'one'], { ...nothing, by: ['one'] }],
    [['-C', 'there', 'a'], { ...nothing, C: 'there' }],
    [['012'], { ...nothing, first: '012' }],
    [['0x1F', '1e3'], { ...nothing, first: '0x1F', others: ['1e3'] }],
    [['a.b', 'c=d'], { ...nothing, first: 'a.b', others: ['c=d'] }],
    [['a', '--', 'npm', 'test', '--json', '-h', '--'], { ...nothing, rest: ['npm', 'test', '--json', '-h', '--'] }],
    [['a', '--track', '--', '1', '--track'], { ...nothing, track: true, rest: ['1', '--track'] }],
    [['constructor'], { ...nothing, first: 'constructor' }],
    [['grüße', '😀'], { ...nothing, first: 'grüße', others: ['😀'] }],
  ])('%j is read alike by both parsers', async (line, expected) => {
    const quick = await quickWords(sample, line)
    expect(quick && seen(quick, line)).toEqual(expected)
    expect(seen(await fullWords(sample, line), line)).toEqual(expected)
  })

  it('is read alike by both parsers for every verb', async () => {
    for (const command of await allCommands()) {
      await fc.assert(
        fc.asyncProperty(lineOf(command), async (line) => {
          expect(await quickWords(command, line)).not.toBeNull()
          expect(withoutEmpty(await fullWords(command, line), command)).toEqual(withoutEmpty((await quickWords(command, line)) as Words, command))
        }),
        { numRuns: 15 },
      )
    }
  })
})

/** Any line that a verb's definition allows. */
function lineOf(command: Command): fc.Arbitrary<string[]> {
  const word = fc.stringMatching(/^[a-z0-9./ =_ü]{1,12}$/)
  const options = Object.entries(command.options ?? {}).map(([name, { type }]): fc.Arbitrary<string[]> => {
    const given = type === 'boolean' ? fc.constant([`--${name}`]) : type === 'number' ? fc.nat().map((n) => [`--${name}`, String(n)]) : word.map((w) => [`--${name}=${w}`])
    return fc.oneof(fc.constant<string[]>([]), given as fc.Arbitrary<string[]>)
  })
  const positionals = (command.positionals ?? []).map(({ many }) => fc.array(word, { minLength: 1, maxLength: many ? 3 : 1 }))
  const rest = command.rest === undefined ? fc.constant<string[]>([]) : fc.oneof(fc.constant<string[]>([]), fc.array(fc.string({ maxLength: 5 })).map((words) => ['--', ...words]))
  return fc.tuple(fc.tuple(...positionals), fc.tuple(...options), rest).map(([p, o, r]) => [...p.flat(), ...o.flat(), ...r])
}

/** Yargs also names positionals as options, and an empty `--` is none to it. */
function withoutEmpty({ options, positionals, rest }: Words, command: Command): Words {
  const known = Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(command.options ?? {}, name)))
  return { options: known, positionals, rest: rest?.length ? rest : null }
}

describe('a line that does not fit', () => {
  it.each([
    [[], '"sample" needs FIRST', 'see "git remnant sample -h"'],
    [['a', '--jsno'], 'unknown option "--jsno"', 'did you mean "--json"?'],
    [['a', '--sesion', 'x'], 'unknown option "--sesion"', 'did you mean "--session"?'],
    [['a', '--sesion=x'], 'unknown option "--sesion"', 'did you mean "--session"?'],
    [['a', '--utterly-different'], 'unknown option "--utterly-different"', 'see "git remnant sample -h"'],
    [['a', '-x'], 'unknown option "-x"', 'did you mean "-C"?'],
    [['a', '--no-track'], 'unknown option "--no-track"', 'did you mean "--track"?'],
    [['a', '--__proto__', 'x'], 'unknown option "--__proto__"', 'see "git remnant sample -h"'],
    [['a', '--constructor'], 'unknown option "--constructor"', 'see "git remnant sample -h"'],
    [['a', '--session'], 'option "--session" needs a value', 'see "git remnant sample -h"'],
    [['a', '--session', '--track'], 'option "--session" needs a value', 'see "git remnant sample -h"'],
    [['a', '--session', '--', 'x'], 'option "--session" needs a value', 'see "git remnant sample -h"'],
  ])('%j is refused with what would fit', async (line, message, hint) => {
    expect(await quickWords(sample, line)).toBeNull()
    await expect(fullWords(sample, line)).rejects.toMatchObject({ fault: 'misuse', message, hint })
  })

  it.each([
    [['a', '--session', 'x', '--session', 'y'], 'option "--session" is given twice'],
    [['a', '--budget', 'many'], 'option "--budget" needs a number'],
    [['a', '--track=yes'], 'option "--track" takes no value'],
    [['a', '--json=false'], 'option "--json" takes no value'],
  ])('%j is refused though both parsers take it', async (line, message) => {
    for (const words of [await quickWords(sample, line), await fullWords(sample, line)])
      expect(() => argumentsOf(sample, words as Words, line)).toThrow(expect.objectContaining({ fault: 'misuse', message }))
  })

  it('names an argument too many, and says where a command belongs', async () => {
    const { positionals: _, ...run } = sample
    await expect(fullWords(run, ['npm', 'test'])).rejects.toMatchObject({
      message: 'unexpected argument "npm"',
      hint: 'a command stands behind "--": git remnant sample -- CMD…',
    })
    const { rest: __, ...list } = run
    await expect(fullWords(list, ['all'])).rejects.toMatchObject({ message: 'unexpected argument "all"', hint: 'see "git remnant sample -h"' })
    expect(() => argumentsOf(list, { options: {}, positionals: [], rest: ['x'] }, ['--', 'x'])).toThrow('"sample" takes nothing behind "--"')
  })
})

describe('the verb', () => {
  it.each([
    [['list'], 0],
    [['--json', 'list'], 1],
    [['-C', 'there', 'list'], 2],
    [['-C', 'list'], -1],
    [['--', 'list'], -1],
    [[], -1],
  ])('of %j is the first word that is no option', (line, index) => {
    expect(verbIndex(line)).toBe(index)
  })
})
