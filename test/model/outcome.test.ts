import { expect, it } from 'vitest'
import { Outcome, verdictOf } from '../../src/model/outcome.ts'

it.each<[Outcome, boolean | null]>([
  [{ is: 'code', code: 0 }, true],
  [{ is: 'code', code: 1 }, false],
  [{ is: 'code', code: 139 }, false],
  [{ is: 'summary', passed: true }, true],
  [{ is: 'summary', passed: false }, false],
  [{ is: 'success' }, true],
  [{ is: 'failure' }, false],
  [{ is: 'answer' }, null],
  [{ is: 'transient' }, null],
  [{ is: 'unknown' }, null],
])('%j proves %s', (outcome, verdict) => {
  expect(verdictOf(outcome)).toBe(verdict)
  expect(Outcome.safeParse(outcome).success).toBe(true)
})

it.each([{ is: 'code' }, { is: 'code', code: 1.5 }, { is: 'code', code: '1' }, { is: 'summary' }, { is: 'success', code: 0 }, { is: 'green' }, {}, null])(
  'is not %j',
  (value) => {
    expect(Outcome.safeParse(value).success).toBe(false)
  },
)
