import canonicalize from 'canonicalize'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, canonical, decodeUtf8, parseJson, parseStrict } from '../../src/base/canonical.ts'
import { RemnantError } from '../../src/base/errors.ts'

const double = (bits: string): number => Buffer.from(bits, 'hex').readDoubleBE(0)
const faultOf = (act: () => unknown): unknown => {
  try {
    return act()
  } catch (thrown) {
    return thrown
  }
}

describe('canonical', () => {
  // RFC 8785, Appendix B
  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the double %s as %s', (bits, text) => {
    expect(canonical(double(bits))).toBe(text)
  })

  it.each([['7fffffffffffffff'], ['7ff0000000000000'], ['fff0000000000000']])('refuses the double %s, which is no number of JSON', (bits) => {
    expect(faultOf(() => canonical([double(bits)]))).toMatchObject({ fault: 'malformed' })
  })

  // RFC 8785, 3.2.2 to 3.2.4
  it('gives the bytes of the published example', () => {
    const value = parseStrict(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`)
    expect(Buffer.from(canonical(value), 'utf8').toString('hex')).toBe(
      '7b226c69746572616c73223a5b6e756c6c2c747275652c66616c73655d2c226e756d62657273223a5b3333333333333333332e333333333333332c31652b33302c342e35' +
        '2c302e3030322c31652d32375d2c22737472696e67223a22e282ac245c75303030665c6e4127425c225c5c5c5c5c222f227d',
    )
  })

  // RFC 8785, 3.2.3
  it('sorts names by UTF-16 code units', () => {
    const value = parseStrict(`{
      "\\u20ac": "Euro Sign",
      "\\r": "Carriage Return",
      "\\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One",
      "\\ud83d\\ude00": "Emoji: Grinning Face",
      "\\u0080": "Control",
      "\\u00f6": "Latin Small Letter O With Diaeresis"
    }`)
    expect(canonical(value).match(/(?<=:")[^"]+/g)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ])
  })

  it.each([
    ['a name that objects inherit', '{"constructor":1,"__proto__":{"toString":2}}', '{"__proto__":{"toString":2},"constructor":1}'],
    ['names that look like numbers', '{"10":1,"9":2,"a":3}', '{"10":1,"9":2,"a":3}'],
    ['an empty name', '{"":{"":[]}}', '{"":{"":[]}}'],
    ['a toJSON of one\'s own', '{"toJSON":"x"}', '{"toJSON":"x"}'],
    ['text that is not normalised', '["\u212b","A\u030a"]', '["\u212b","A\u030a"]'],
    ['separators that JavaScript minds', '["\u2028\u007f"]', '["\u2028\u007f"]'],
  ])('keeps %s', (_, text, expected) => {
    expect(canonical(parseStrict(text))).toBe(expected)
  })

  it.each([
    ['a lone high surrogate', '"\\ud800"'],
    ['a lone low surrogate', '["\\udc00"]'],
    ['a pair the wrong way round', '"\\ude00\\ud83d"'],
    ['a lone surrogate in a name', '{"\\ud800":1}'],
  ])('refuses %s', (_, text) => {
    expect(faultOf(() => canonical(parseStrict(text)))).toBeInstanceOf(RemnantError)
  })

  it.each([[undefined], [() => 1]])('refuses %s, which is not JSON', (value) => {
    expect(faultOf(() => canonical(value))).toMatchObject({ fault: 'malformed' })
  })

  it('gives text that parses to the same value and is canonical already', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => {
        const text = canonical(value)
        expect(canonical(parseStrict(text))).toBe(text)
        expect(parseStrict(text)).toEqual(JSON.parse(JSON.stringify(value)))
      }),
    )
  })

  it('writes what is in order already as it writes all else', () => {
    const ordered = (value: unknown): unknown =>
      Array.isArray(value) ? value.map(ordered) : typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, ordered(inner)])) : value
    fc.assert(fc.property(fc.jsonValue({ stringUnit: 'grapheme' }), (value) => void expect(canonical(ordered(value))).toBe(canonicalize(value))))
    expect(canonical({ a: new Date(0) })).toBe('{"a":"1970-01-01T00:00:00.000Z"}')
  })

  it('does not depend on the order in which names were written', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (value) => {
        expect(canonical(Object.fromEntries(Object.entries(value).reverse()))).toBe(canonical(value))
      }),
    )
  })
})

describe('parseStrict', () => {
  it.each([
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, once escaped', '{"a":1,"\\u0061":2}'],
    ['a key twice, deep down', '[{"x":[{"k":1,"l":2,"k":3}]}]'],
    ['a key twice that objects inherit', '{"__proto__":1,"__proto__":2}'],
    ['a number too large for a double', '[1e400]'],
    ['a negative number too large for a double', '{"a":-1e309}'],
    ['a comment', '{"a":1 /* one */}'],
    ['a trailing comma', '[1,]'],
    ['two values', '1 2'],
    ['nothing', ''],
    ['a byte order mark', '\ufeff1'],
    ['NaN', 'NaN'],
    ['a leading zero', '01'],
    ['a control character in a string', '"a\u0001"'],
    ['another white space', '\u00a01'],
  ])('refuses %s', (_, text) => {
    expect(faultOf(() => parseStrict(text))).toMatchObject({ fault: 'malformed' })
  })

  it.each([
    ['one key in two objects', '[{"a":1},{"a":1}]', [{ a: 1 }, { a: 1 }]],
    ['one key in an object and the one within it', '{"a":{"a":1}}', { a: { a: 1 } }],
    ['keys that differ by case', '{"a":1,"A":2}', { a: 1, A: 2 }],
    ['white space of JSON', ' \t\r\n[ 1 , 2 ]\n', [1, 2]],
  ])('takes %s', (_, text, value) => {
    expect(parseStrict(text)).toEqual(value)
  })

  it('takes what is nested as deep as allowed, and refuses one level more', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    expect(canonical(parseStrict(nested(MAX_DEPTH)))).toBe(nested(MAX_DEPTH))
    expect(faultOf(() => parseStrict(nested(MAX_DEPTH + 1)))).toMatchObject({ fault: 'malformed' })
    expect(faultOf(() => parseStrict(nested(100_000)))).toMatchObject({ fault: 'malformed' })
  })

  it('says where, and never what', () => {
    const { message } = faultOf(() => parseStrict('{"password-hunter2":1,"password-hunter2":2}')) as RemnantError
    expect(message).toBe('JSON has a key twice in one object, at character 22')
    expect((faultOf(() => parseJson('{"a": hunter2}')) as RemnantError).message).not.toContain('hunter2')
  })
})

describe('decodeUtf8', () => {
  it('refuses bytes that are not UTF-8, and keeps a byte order mark', () => {
    expect(faultOf(() => decodeUtf8(Uint8Array.of(0xff)))).toMatchObject({ fault: 'malformed' })
    expect(faultOf(() => decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80)))).toMatchObject({ fault: 'malformed' })
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA')
  })
})
