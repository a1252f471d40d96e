import { describe } from 'vitest'
import lineNumber from '../../src/ephemera/line-number.ts'
import { finds } from './finds.ts'

describe('line-number', () => {
  finds(lineNumber, [
    ['src/a.ts:12:5 - error', '12:5'],
    ['src/a.ts(12,5): error', '12,5'],
    ['a.py:12: AssertionError', '12'],
    ['File "a.py", line 12, in f', '12'],
    ['  --> src/main.rs:4:9', '4:9'],
    ['at f (node:internal/modules/cjs/loader:1080:15)', '1080:15'],
    ['  12:5  error  x is unused', '12:5'],
    ['12 | const a', '12'],
    ['> 12 | const a', '12'],
    ['lines 3-7', '3-7'],
    ['column 5', '5'],
    ['at position 123', '123'],
    ['a.md#L12', '12'],
    ['Makefile:12: *** missing', '12'],
    ['TS2322'],
    ['localhost:3000'],
    ['127.0.0.1:8080'],
    ['x.dev:8443'],
    ['f(1,2)'],
    ['error[E0308]'],
    ['exit code 2'],
  ])
})
