import { describe } from 'vitest'
import duration from '../../src/ephemera/duration.ts'
import { finds } from './finds.ts'

describe('duration', () => {
  finds(duration, [
    ['in 0.05s', '0.05s'],
    ['took 35 ms', '35 ms'],
    ['(1.2s)', '1.2s'],
    ['done in 1m 3s', '1m 3s'],
    ['12.3 seconds', '12.3 seconds'],
    ['duration_ms 12.5', '12.5'],
    ['35ms', '35ms'],
    ['timeout of 5000ms exceeded'],
    ['v1.2.3'],
    ['10.9.2'],
    ['3 files'],
    ['h2s'],
    ['1st'],
    ['5s-retry'],
  ])
})
