import { describe, expect, it } from 'vitest'
import { EXIT, EXIT_BUG, RemnantError, codeOf, messageOf } from '../../src/base/errors.ts'

describe('a fault', () => {
  it('has a message, a hint and a cause', () => {
    const cause = new Error('why')
    const fault = new RemnantError('corrupt', 'remnant "x" is gone', { hint: 'run doctor', cause })
    expect(fault).toBeInstanceOf(Error)
    expect([fault.name, fault.fault, fault.message, fault.hint, fault.cause]).toEqual(['RemnantError', 'corrupt', 'remnant "x" is gone', 'run doctor', cause])
  })

  it('has neither hint nor cause where none is given', () => {
    const fault = new RemnantError('misuse', 'no')
    expect(fault.hint).toBeUndefined()
    expect('cause' in fault).toBe(false)
  })

  it('has the exit status of the command-line contract', () => {
    expect(EXIT).toEqual({ misuse: 64, malformed: 65, nothing: 66, missing: 69, corrupt: 74, unwritable: 74, refused: 77, timeout: 124 })
    expect(EXIT_BUG).toBe(70)
  })
})

it.each([
  [new Error('a'), 'a'],
  [new RemnantError('misuse', 'b'), 'b'],
  ['c', 'c'],
  [7, '7'],
  [undefined, 'undefined'],
  [null, 'null'],
])('the message of %s is %j', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message)
})

it.each([
  [Object.assign(new Error('x'), { code: 'ENOENT' }), 'ENOENT'],
  [{ code: 'EACCES' }, 'EACCES'],
  [{ code: 2 }, undefined],
  [new Error('x'), undefined],
  ['ENOENT', undefined],
  [null, undefined],
])('the code of %s is %s', (thrown, code) => {
  expect(codeOf(thrown)).toBe(code)
})
