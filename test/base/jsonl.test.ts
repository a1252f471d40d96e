import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { type Record, readJsonl } from '../../src/base/jsonl.ts'

async function* inChunks(bytes: Uint8Array, ...cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  const at = [0, ...[...cuts].sort((a, b) => a - b), bytes.byteLength]
  for (const [i, from] of at.entries()) if (i < at.length - 1) yield bytes.subarray(from, at[i + 1])
}

async function recordsOf(chunks: AsyncIterable<Uint8Array>, report?: (fault: RemnantError) => void): Promise<Record[]> {
  const records: Record[] = []
  for await (const record of readJsonl(chunks, 'log "x"', report)) records.push(record)
  return records
}

const read = async (text: string | Uint8Array): Promise<Record[]> => recordsOf(inChunks(Buffer.from(text as string)))
const valuesOf = async (text: string | Uint8Array): Promise<unknown[]> => (await read(text)).map((record) => record.value)
const bytes = (...parts: readonly (string | number[])[]): Uint8Array => Buffer.concat(parts.map((part) => Buffer.from(part as string)))

describe('a log', () => {
  it.each<[string, string | Uint8Array, unknown[]]>([
    ['one value a line', '{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['no final newline', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['Windows line ends', '{"a":1}\r\n{"b":2}\r\n', [{ a: 1 }, { b: 2 }]],
    ['empty lines', '\n{"a":1}\n\n  \n{"b":2}\n\n', [{ a: 1 }, { b: 2 }]],
    ['two values on one line', '{"a":1}{"b":2}\n{"c":3}\n', [{ a: 1 }, { b: 2 }, { c: 3 }]],
    ['three, with space between', '{"a":1} [2]\t{"c":3}\n', [{ a: 1 }, [2], { c: 3 }]],
    ['braces and quotes inside strings', '{"a":"}{\\"}{\\\\"}{"b":"]["}\n', [{ a: '}{"}{\\' }, { b: '][' }]],
    ['a last line that was cut', '{"a":1}\n{"b":', [{ a: 1 }]],
    ['a last line cut within a string', '{"a":1}\n{"b":"x}', [{ a: 1 }]],
    ['two on the last line, the second cut', '{"a":1}{"b":', [{ a: 1 }]],
    ['a last line cut within a character', bytes('{"a":1}\n{"b":"', [0xe2, 0x82]), [{ a: 1 }]],
    ['two on the last line, cut within a character', bytes('{"a":1}{"b":"', [0xe2, 0x82]), [{ a: 1 }]],
    ['separators of other kinds inside strings', '{"a":"\u2028\u0085"}\n', [{ a: '\u2028\u0085' }]],
    ['a value that is no object', '1\n"x"\nnull\n', [1, 'x', null]],
    ['nothing', '', []],
    ['a newline only', '\n', []],
  ])('with %s', async (_, text, values) => {
    expect(await valuesOf(text)).toEqual(values)
  })

  it('says where each value stands, in lines and bytes', async () => {
    expect(await read('{"a":"é"}\r\n\n{"b":2}{"c":3}\n{"d":4}')).toEqual([
      { number: 1, offset: 0, value: { a: 'é' } },
      { number: 3, offset: 13, value: { b: 2 } },
      { number: 3, offset: 13, value: { c: 3 } },
      { number: 4, offset: 28, value: { d: 4 } },
    ])
  })

  it('reads the same in any chunks', async () => {
    const piece = fc.constantFrom('{"a":"é€🎉"}', '[1,{"b":"}"}]', '\n', '\r\n', ' ', '{"c":', '"')
    const log = fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join('')))
    await fc.assert(
      fc.asyncProperty(log, fc.array(fc.nat(200), { maxLength: 8 }), async (whole, cuts) => {
        const seen = async (chunks: AsyncIterable<Uint8Array>): Promise<unknown> => {
          const faults: string[] = []
          return [await recordsOf(chunks, (fault) => faults.push(fault.message)), faults]
        }
        expect(await seen(inChunks(whole, ...cuts.filter((at) => at <= whole.byteLength)))).toEqual(await seen(inChunks(whole)))
      }),
      { numRuns: 300 },
    )
  })

  it('gives back what was written as lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 6 }), async (values) => {
        const text = values.map((value) => `${JSON.stringify(value)}\n`).join('')
        expect(await valuesOf(text)).toEqual(JSON.parse(JSON.stringify(values)))
      }),
      { numRuns: 100 },
    )
  })
})

describe('a log is refused', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['with a line that is no JSON', '{"a":1}\nplain text\n', 'log "x" is not JSON in line 2'],
    ['with a value and text behind it', '{"a":1} text\n', 'log "x" is not JSON in line 1'],
    ['with a cut line in the middle', '{"a":1}\n{"b":\n{"c":3}\n', 'log "x" is not JSON in line 2'],
    ['with a NUL byte', bytes('{"a":1}\n{"b":"', [0], '"}\n'), 'log "x" holds a NUL byte in line 2: it is not a text'],
    ['with a NUL byte in a last line', bytes('{"a":1}\n', [0]), 'log "x" holds a NUL byte in line 2: it is not a text'],
    ['with a byte that is no UTF-8', bytes('{"a":"', [0xff], '"}\n'), 'log "x" is not UTF-8 in line 1'],
    ['with such a byte in a last line', bytes('{"a":"', [0xff], '"}'), 'log "x" is not UTF-8 in line 1'],
    ['with a character cut in the middle', bytes('{"a":"', [0xe2, 0x82], '"}\n'), 'log "x" is not UTF-8 in line 1'],
    ['with half a surrogate pair as bytes', bytes('{"a":"', [0xed, 0xa0, 0x80], '"}\n'), 'log "x" is not UTF-8 in line 1'],
  ])('%s', async (_, text, message) => {
    const thrown = await read(text).catch((fault: unknown) => fault)
    expect(thrown).toBeInstanceOf(RemnantError)
    expect(thrown).toMatchObject({ fault: 'malformed', message })
  })

  it('after what stood before the fault', async () => {
    const seen: unknown[] = []
    const reading = (async () => {
      for await (const { value } of readJsonl(inChunks(Buffer.from('{"a":1}\n{"b":2}x\n{"c":3}\n')), 'log')) seen.push(value)
    })()
    await expect(reading).rejects.toThrow('not JSON in line 2')
    expect(seen).toEqual([{ a: 1 }, { b: 2 }])
  })

  it('line by line where somebody takes the reports, and the rest goes on', async () => {
    const faults: string[] = []
    const text = bytes('{"a":1}\nx\n', [0], '\n', [0xff], '\n{"b":2}\n')
    const records = await recordsOf(inChunks(text), (fault) => faults.push(fault.message))
    expect(records.map(({ number, value }) => [number, value])).toEqual([[1, { a: 1 }], [5, { b: 2 }]])
    expect(faults).toEqual(['log "x" is not JSON in line 2', 'log "x" holds a NUL byte in line 3: it is not a text', 'log "x" is not UTF-8 in line 4'])
  })
})
