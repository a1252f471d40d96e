import { describe, expect, it } from 'vitest'
import { utcOf } from '../../src/base/time.ts'

describe('a recorded time', () => {
  it.each<[unknown, string | null]>([
    ['2026-06-01T10:22:31Z', '2026-06-01T10:22:31Z'],
    ['2026-06-01T10:22:31.123456Z', '2026-06-01T10:22:31.123456Z'],
    ['2026-06-01T12:22:31+02:00', '2026-06-01T10:22:31.000Z'],
    ['2026-06-01T10:22:31', null],
    ['2026-06-01', null],
    ['2026-13-01T10:22:31Z', null],
    ['yesterday', null],
    [1780309351, null],
    [null, null],
  ])('%j is %j in UTC, wherever it is read', (value, expected) => {
    expect(utcOf(value)).toBe(expected)
  })
})
