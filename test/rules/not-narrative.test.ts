import { describe, expect, it } from 'vitest'
import rule from '../../src/rules/not-narrative.ts'
import { judges } from './judges.ts'

describe('the rule not-narrative', () => judges(rule, 'not-narrative'))

describe('the rule not-narrative, of a cause', () => {
  const refusalOf = (text: string, field = 'root_cause_invariant') => rule.refuse({ field, text })

  it.each(['The parser added a trailing newline', 'The reducer dropped the last row', 'The handler changed the shared array', 'The handler closed the file too early', 'The job deleted the cache', 'The query lacked an ORDER BY clause'])(
    'lets what a program did wrong be told in the past: "%s"',
    (text) => expect(refusalOf(text)).toBeNull(),
  )

  it.each(['The agent added a trailing newline', 'The commit dropped the last row', 'I changed the shared array', 'Added a trailing newline', 'The developer closed the file', 'The fix removed the row', 'After that the handler closed the file'])(
    'but not what whoever works on it did: "%s"',
    (text) => expect(refusalOf(text)).not.toBeNull(),
  )

  it('asks any other statement for what holds', () => expect(refusalOf('The parser added a trailing newline', 'statement')).not.toBeNull())
})
