import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { expected, parse, recognise } from '../../src/distill/parse.ts'
import type { Format, Line } from '../../src/model/format.ts'
import type { Turn } from '../../src/model/observation.ts'

const turn = (record_id: string) => ({ record_id }) as Turn

/** A format whose logs start with its own id; it gives one turn a line and refuses the word `bad`. */
const fake = (id: string, recognises = (first: unknown) => first === id): Format => ({
  id,
  host: 'fake',
  why: 'a test',
  expects: `lines of ${id}`,
  recognise: ([first]) => recognises(first),
  about: () => ({ session: null, cwd: null }),
  at: () => null,
  companions: () => [],
  logs: () => [],
  open: () => ({
    *read({ value, number }) {
      if (value === 'bad') throw new RemnantError('malformed', `line ${number} is bad`)
      yield turn(String(value))
    },
    end: () => [turn('end')],
  }),
})

async function* lines(...values: string[]): AsyncGenerator<Line> {
  for (const [i, value] of values.entries()) yield { file: 0, number: i + 1, offset: 0, value }
}

async function ids(turns: AsyncIterable<Turn>): Promise<string[]> {
  const found: string[] = []
  for await (const { record_id } of turns) found.push(record_id)
  return found
}

describe('recognising a log', () => {
  const [a, b] = [fake('a'), fake('b')]

  it('finds the one format that knows it', () => {
    expect(recognise(['b'], [a, b])).toBe(b)
  })

  it('refuses a log that no format knows, and says what is expected', () => {
    expect(() => recognise(['c'], [a, b])).toThrow(expect.objectContaining({ fault: 'malformed', message: 'log is of no format that is known here', hint: 'expected lines of a, or lines of b' }))
    expect(expected([a])).toBe('expected lines of a')
  })

  it('names many formats on one line, without the looks of each', () => {
    expect(expected(['a', 'b', 'c'].map((id) => fake(id)))).toBe("expected a session's log, as a host of these writes it: a b c")
  })

  it('refuses a log that two formats claim, and names both', () => {
    expect(() => recognise(['a'], [a, b, fake('c', () => true)])).toThrow(expect.objectContaining({ fault: 'malformed', message: 'log is of two formats at once, "a" and "c"' }))
  })
})

describe('parsing a log', () => {
  it('gives the turns of its lines, then those that its end leaves open', async () => {
    expect(await ids(parse(lines('x', 'y'), fake('a')))).toEqual(['x', 'y', 'end'])
    expect(await ids(parse(lines(), fake('a')))).toEqual(['end'])
  })

  it('stops at a line that breaks the format', async () => {
    await expect(ids(parse(lines('x', 'bad', 'y'), fake('a')))).rejects.toThrow('line 2 is bad')
  })

  it('goes on behind it where somebody wants to be told', async () => {
    const told: string[] = []
    expect(await ids(parse(lines('x', 'bad', 'y'), fake('a'), ({ message }) => told.push(message)))).toEqual(['x', 'y', 'end'])
    expect(told).toEqual(['line 2 is bad'])
  })

  it('reads no further than its reader asks', async () => {
    let read = 0
    const source = async function* () {
      for await (const line of lines('x', 'y', 'z')) {
        read += 1
        yield line
      }
    }
    for await (const { record_id } of parse(source(), fake('a'))) if (record_id === 'x') break
    expect(read).toBe(1)
  })
})
