import { describe } from 'vitest'
import sessionId from '../../src/ephemera/session-id.ts'
import { finds } from './finds.ts'

describe('session-id', () => {
  finds(sessionId, [
    ['the run of session-7f3a is over', 'session-7f3a'],
    ['session-7f3a', 'session-7f3a'],
    ['/logs/session-7f3a.jsonl and session-7f3a', 'session-7f3a'],
    ['xsession-7f3a'],
    ['session-7f3ab'],
    ['another text'],
  ])
})
