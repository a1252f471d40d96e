import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { MAX_DOCUMENT, readValues } from '../../src/base/values.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < bytes.byteLength; i += size) yield bytes.subarray(i, i + size)
}

const isText = (line: string): boolean => line.startsWith('# a chat')

async function read(text: string | Uint8Array, size = 1 << 16, report?: (fault: RemnantError) => void): Promise<unknown[]> {
  const values: unknown[] = []
  for await (const { value } of readValues(inChunks(Buffer.from(text as string), size), 'log "x"', isText, report)) values.push(value)
  return values
}

const pretty = JSON.stringify({ a: [{ b: '}{' }, 1], 'é': '🎉' }, null, 2)

describe('the values of a log', () => {
  it.each<[string, string, unknown[]]>([
    ['lines', '{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['one line', '{"a":1}', [{ a: 1 }]],
    ['lines behind blank ones', '\n \n{"a":1}\n{"b":2}\n', [{ a: 1 }, { b: 2 }]],
    ['lines, the last one cut', '{"a":1}\n{"b":', [{ a: 1 }]],
    ['a document', pretty, [JSON.parse(pretty)]],
    ['a document with Windows line ends', pretty.replaceAll('\n', '\r\n'), [JSON.parse(pretty)]],
    ['a list over several lines', '[\n{"a":1},\n{"b":2}\n]\n', [[{ a: 1 }, { b: 2 }]]],
    ['a list of one', '[\n{"a":1}\n]', [[{ a: 1 }]]],
    ['a list that starts on the line of its first object', '[{"a":1,\n"b":2}]', [[{ a: 1, b: 2 }]]],
    ['a document whose second line is blank', '{"a":\n\n1}', [{ a: 1 }]],
    ['two documents, one behind the other', `${pretty}\n${pretty}`, [JSON.parse(pretty), JSON.parse(pretty)]],
    ['a text', '\n# a chat\n\n> x  \r\n{"a":1}\nend', ['', '# a chat', '', '> x  ', '{"a":1}', 'end']],
    ['nothing', '', []],
    ['blank lines', '\n\n', []],
  ])('are those of %s', async (_what, text, values) => {
    for (const size of [1, 3, 1000]) expect(await read(text, size)).toEqual(values)
  })

  it('say where they stand', async () => {
    const places: unknown[] = []
    for await (const { number, offset } of readValues(inChunks(Buffer.from(`\n\n${pretty}`), 7), 'x', isText)) places.push([number, offset])
    for await (const { number, offset } of readValues(inChunks(Buffer.from('# a chat\né\nb'), 2), 'x', isText)) places.push([number, offset])
    expect(places).toEqual([[3, 2], [1, 0], [2, 9], [3, 12]])
  })

  it.each<[string, string | Uint8Array, string]>([
    ['a document that was cut', pretty.slice(0, -3), 'log "x" is a JSON document that is cut short or broken'],
    ['a document that is broken', pretty.replace(':', ';'), 'log "x" is a JSON document that is cut short or broken'],
    ['a document with a NUL byte', pretty.replace('b', '\0'), 'log "x" holds a NUL byte: it is not a text'],
    ['a document that is not UTF-8', Buffer.concat([Buffer.from('{\n"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), 'log "x" is not UTF-8'],
    ['prose', 'some words\nand more', 'log "x" is not JSON in line 1'],
    ['a text that is not UTF-8', Buffer.concat([Buffer.from('# a chat\n'), Buffer.from([0xff, 10])]), 'log "x" is not UTF-8 in line 2'],
  ])('are none where it is %s', async (_what, text, message) => {
    await expect(read(text)).rejects.toMatchObject({ fault: 'malformed', message })
  })

  it('are read on behind a first line that is broken, where somebody wants to be told of it', async () => {
    const told: string[] = []
    expect(await read('{"a":\n{"b":2}\n{"c":3}\n', 4, ({ message }) => told.push(message))).toEqual([{ b: 2 }, { c: 3 }])
    expect(told).toEqual(['log "x" is not JSON in line 1'])
  })

  it('are none of a document over the limit, of which no more is read than that', async () => {
    let given = 0
    const endless = async function* () {
      yield Buffer.from('[\n')
      for (const chunk = Buffer.alloc(1 << 22, ' '); ; given += chunk.byteLength) yield chunk
    }
    const reading = (async () => { for await (const _ of readValues(endless(), 'log "x"', isText, () => {})) expect.unreachable() })()
    await expect(reading).rejects.toMatchObject({ fault: 'malformed', message: 'log "x" is one JSON document over 64 MiB' })
    expect(given).toBeLessThan(MAX_DOCUMENT + (1 << 23))
  })

  it('stand a nesting that no reader walks', async () => {
    const deep = `[\n${'['.repeat(200_000)}${']'.repeat(200_000)}]`
    expect(await read(deep)).toHaveLength(1)
  })

  it('are the same however they come in', async () => {
    const piece = fc.constantFrom('{', '}', '[', ']', '"a":1', ',', '\n', '{"b":2}', '# a chat', ' ', 'é')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), async (pieces, size) => {
        const seen = async (by: number) => {
          const faults: string[] = []
          const values = await read(pieces.join(''), by, ({ message }) => faults.push(message)).catch((fault: unknown) => (fault as RemnantError).message)
          return [values, faults]
        }
        expect(await seen(size)).toEqual(await seen(1000))
      }),
      { numRuns: 300 },
    )
  })

  it('let go of their source when nobody wants more', async () => {
    let closed = false
    const source = async function* () {
      try { for (;;) yield Buffer.from('{"a":1}\n') } finally { closed = true }
    }
    for await (const _ of readValues(source(), 'x', isText)) break
    expect(closed).toBe(true)
  })
})
