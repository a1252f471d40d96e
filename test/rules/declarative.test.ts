import { describe, expect, it } from 'vitest'
import rule from '../../src/rules/declarative.ts'
import { judges } from './judges.ts'

describe('the rule declarative', () => judges(rule, 'declarative'))

describe('the rule declarative, of a cause', () => {
  const refusalOf = (text: string) => rule.refuse({ field: 'root_cause_invariant', text })

  it.each([
    'race condition on shared dict access at line 42',
    'A race between the flush and the close',
    'Off-by-one error in the loop bound of `range`',
    'An integer overflow in the counter',
    'Typo in the name of the header',
    'a missing-newline mismatch between writer and reader',
  ])('takes a mechanism and its place for one: "%s"', (text) => expect(refusalOf(text)).toBeNull())

  it.each(['race condition', 'the bug', 'something in the parser', 'the failing test in CI', 'a race in the cache?', 'a race in the cache, maybe', 'fix the race in the cache', 'leaks', 'I noticed a race in the cache and then realized'])(
    'but not "%s"',
    (text) => expect(refusalOf(text)).not.toBeNull(),
  )

  it('asks more of any other statement', () => expect(rule.refuse({ field: 'statement', text: 'race condition on shared dict access' })).not.toBeNull())
})
