import { describe, expect, it } from 'vitest'
import { listOf, objectOf, textOf, wordOf } from '../../src/base/json.ts'

describe('reading JSON of unknown shape', () => {
  it.each<[unknown, object, readonly unknown[], string | null, string | null]>([
    [{ a: 1 }, { a: 1 }, [], null, null],
    [[1], {}, [1], null, null],
    ['x', {}, [], 'x', 'x'],
    ['', {}, [], '', null],
    ['a\ud800', {}, [], 'a\ufffd', 'a\ufffd'],
    [null, {}, [], null, null],
    [3, {}, [], null, null],
    [undefined, {}, [], null, null],
  ])('%j', (value, object, list, text, word) => {
    expect([objectOf(value), listOf(value), textOf(value), wordOf(value)]).toEqual([object, list, text, word])
  })
})
