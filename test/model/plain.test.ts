import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { plainLinesOf, plainText } from '../../src/model/plain.ts'

it.each([
  ['lets ordinary text pass', 'Grüße, 世界 ⚠️ 🎉', 'Grüße, 世界 ⚠️ 🎉'],
  ['shows an escape sequence', '\u001b[31mred', '<U+001B>[31mred'],
  ['shows a line break and a carriage return', 'a\r\nb', 'a<U+000D><U+000A>b'],
  ['shows what turns text round', 'a\u202eb\u2066c', 'a<U+202E>b<U+2066>c'],
  ['shows what has no width', 'a\u200bb\ufeffc', 'a<U+200B>b<U+FEFF>c'],
  ['shows tag characters', 'a\u{e0041}b', 'a<U+E0041>b'],
  ['shows a lone surrogate', 'a\ud800b', 'a<U+D800>b'],
  ['shows a C1 control', 'a\u009bb', 'a<U+009B>b'],
  ['shows a line separator', 'a\u2028b', 'a<U+2028>b'],
])('%s', (_title, text, shown) => {
  expect(plainText(text)).toBe(shown)
})

it('cuts behind a limit of characters, and never inside one', () => {
  expect(plainText('🎉🎉🎉', 2)).toBe('🎉🎉…')
  expect(plainText('abc', 3)).toBe('abc')
  expect(plainText('abcd', 3)).toBe('abc…')
})

it('shows each line by itself', () => {
  expect(plainLinesOf('one\r\ntwo\u0007\nthree', 4)).toEqual(['one', 'two<U+0007>', 'thre…'])
})

it('leaves nothing that a terminal would act on, whatever the text', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}]/u.test(plainText(text))))
})
