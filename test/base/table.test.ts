import { expect, it } from 'vitest'
import { table } from '../../src/base/table.ts'

it('holds its own names alone', () => {
  const found = table({ a: 1 })
  expect(['a', 'b', 'constructor', '__proto__', 'toString'].map((name) => found[name])).toEqual([1, undefined, undefined, undefined, undefined])
  expect(Object.entries(found)).toEqual([['a', 1]])
})
