import { describe } from 'vitest'
import counter from '../../src/ephemera/counter.ts'
import { finds } from './finds.ts'

describe('counter', () => {
  finds(counter, [
    ['12 passed, 1 failed', '12', '1'],
    ['Tests: 1 failed, 13 total', '1', '13'],
    ['# tests 12\n# fail 1', '12', '1'],
    ['\u2139 pass 11', '11'],
    ['not ok 3 - adds', '3'],
    ['[3/17] cc a.o', '3/17'],
    ['[ 33%]', '33'],
    ['due to 2 previous errors', '2'],
    ['attempt 2 of 5', '2 of 5'],
    ['1..12', '12'],
    ['expected 3 errors'],
    ['TS2322'],
    ['exit code 2'],
    ['404'],
    ['E0308'],
    ['version 12'],
  ])
})
