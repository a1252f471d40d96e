import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import canonicalCommand from '../../src/commands/canonical.ts'
import { hostOf, linesOf } from '../resolve/records.ts'

const canonical = (input: string | Uint8Array) => linesOf(canonicalCommand, hostOf({ input }))
const error = (message: string) => ({ error: { fault: 'malformed', message: expect.stringContaining(message), hint: null } })

describe('canonical', () => {
  it('answers each value with its canonical bytes and their digest', async () => {
    expect(await canonical('{"b":1,"a":[1.50,-0]}\n"\\u00e4"\n')).toEqual({
      lines: [
        { digest: sha256('{"a":[1.5,0],"b":1}'), bytes: '{"a":[1.5,0],"b":1}' },
        { digest: sha256('"ä"'), bytes: '"ä"' },
      ],
      status: 0,
    })
  })

  it('gives a digest that is pinned', async () => {
    const { lines } = await canonical('{}')
    expect(lines).toEqual([{ digest: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a', bytes: '{}' }])
  })

  it.each([
    ['a key twice', '{"a":1,"a":1}', 'key twice'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":1}', 'key twice'],
    ['a lone surrogate', '["\\ud83d"]', 'no canonical form'],
    ['a number that no double can hold', '[1e400]', 'too large'],
    ['half a value', '{"a":', 'JSON'],
    ['two values on a line', '{} {}', 'JSON'],
  ])('refuses %s in its line\'s place, and the rest goes on', async (_, line, message) => {
    const { lines, status } = await canonical(`1\n${line}\n2\n`)
    expect(lines).toEqual([{ digest: sha256('1'), bytes: '1' }, error(message), { digest: sha256('2'), bytes: '2' }])
    expect(status).toBe(65)
  })

  it('refuses bytes that are not UTF-8', async () => {
    expect(await canonical(Uint8Array.of(0x22, 0xff, 0x22))).toEqual({ lines: [error('not UTF-8')], status: 65 })
  })

  it('reads a file that is named', async () => {
    expect((await linesOf(canonicalCommand, hostOf({ cwd: '/here' }), { file: 'values.jsonl' })).lines).toMatchObject([{ bytes: '"/here/values.jsonl"' }])
  })
})
