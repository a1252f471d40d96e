import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../../src/base/errors.ts'
import { MAX_INPUT_LINE, answerEach, inputLines, inputOf } from '../../../src/host/log/lines.ts'

async function* chunks(...parts: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* parts
}

const read = async (source: AsyncIterable<string | Uint8Array>, limit?: number): Promise<[number, string | null][]> => {
  const found: [number, string | null][] = []
  for await (const { number, bytes } of inputLines(source, limit)) found.push([number, bytes === null ? null : Buffer.from(bytes).toString('utf8')])
  return found
}

const all = async (lines: AsyncIterable<unknown>): Promise<unknown[]> => {
  const found: unknown[] = []
  for await (const line of lines) found.push(line)
  return found
}

describe('inputLines', () => {
  it.each([
    ['lines with an end', ['1\n2\n'], [[1, '1'], [2, '2']]],
    ['a last line without an end', ['1\n2'], [[1, '1'], [2, '2']]],
    ['lines spread over chunks', ['1', '2\n', '3', '', '4'], [[1, '12'], [2, '34']]],
    ['blank lines, which count but are not given', ['\n \t\r\n1\n\n2\n\n'], [[3, '1'], [5, '2']]],
    ['nothing', [], []],
    ['a character cut by a chunk', [Uint8Array.of(0xc3), Uint8Array.of(0xa4, 10)], [[1, 'ä']]],
  ] as [string, (string | Uint8Array)[], [number, string][]][])('reads %s', async (_, parts, expected) => {
    expect(await read(chunks(...parts))).toEqual(expected)
  })

  it('passes over a line that is too long, and reads the next', async () => {
    expect(await read(chunks('12', '345', '6\n789\n', '0123456'), 5)).toEqual([[1, null], [2, '789'], [3, null]])
  })
})

describe('answerEach', () => {
  const refuse = () => {
    throw new RemnantError('missing', 'nothing is there', { hint: 'look elsewhere' })
  }

  it('answers each line in its place, faults too, and then ends with 65', async () => {
    const { lines, status } = answerEach(inputLines(chunks('a\nb\n\nc\n')), (text) => (text === 'b' ? refuse() : text.toUpperCase()))
    expect(await all(lines)).toEqual(['A', { error: { fault: 'missing', message: 'line 2: nothing is there', hint: 'look elsewhere' } }, 'C'])
    expect(status()).toBe(65)
  })

  it('ends with 0 where every line was answered, and where there was none', async () => {
    for (const input of ['a\n', '']) {
      const { lines, status } = answerEach(inputLines(chunks(input)), async (text) => text)
      await all(lines)
      expect(status()).toBe(0)
    }
  })

  it('answers a line that is not UTF-8 or too long by an error', async () => {
    const source = (async function* () {
      yield { number: 1, bytes: Uint8Array.of(0xff) }
      yield { number: 2, bytes: null }
    })()
    expect(await all(answerEach(source, (text) => text).lines)).toEqual([
      { error: { fault: 'malformed', message: 'line 1: bytes are not UTF-8', hint: null } },
      { error: { fault: 'malformed', message: `line 2: line is over ${MAX_INPUT_LINE / 1048576} MiB`, hint: 'give one JSON value a line' } },
    ])
  })

  it('does not take a bug of ours for a fault of the line', async () => {
    const { lines } = answerEach(inputLines(chunks('a\n')), () => {
      throw new TypeError('a bug')
    })
    await expect(all(lines)).rejects.toThrow(TypeError)
  })

  it('takes one line at a time: the first answer comes before the second line is read', async () => {
    let asked = 0
    const source = (async function* () {
      for (asked = 1; asked <= 2; asked++) yield { number: asked, bytes: Buffer.from('x') }
    })()
    for await (const _ of answerEach(source, (text) => text).lines) {
      expect(asked).toBe(1)
      break
    }
  })
})

describe('inputOf', () => {
  const stdin = chunks('from stdin')
  const files = { stream: (path: string) => chunks(`from ${path}`) } as never

  it.each([
    [undefined, 'from stdin'],
    ['-', 'from stdin'],
    ['in.jsonl', 'from /folder/in.jsonl'],
    ['/abs/in.jsonl', 'from /abs/in.jsonl'],
  ])('of %s is read %s', async (file, expected) => {
    const host = { cwd: '/folder', stdin: file === undefined || file === '-' ? chunks('from stdin') : stdin, files }
    expect(await all(inputOf(file, host))).toEqual([expected])
  })
})
