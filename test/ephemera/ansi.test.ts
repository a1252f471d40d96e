import { describe } from 'vitest'
import ansi from '../../src/ephemera/ansi.ts'
import { finds } from './finds.ts'

describe('ansi', () => {
  finds(ansi, [
    ['\u001b[31mred\u001b[0m', '\u001b[31m', '\u001b[0m'],
    ['a\u001b[2Kb\u001b[1;5Hc', '\u001b[2K', '\u001b[1;5H'],
    ['\u001b]8;;http://x\u0007link\u001b]8;;\u0007', '\u001b]8;;http://x\u0007', '\u001b]8;;\u0007'],
    ['\u001b(B', '\u001b(B'],
    ['a\u0000b\b', '\u0000', '\b'],
    ['zero\u200bwidth\u202e', '\u200b', '\u202e'],
    ['plain\ttext\nnext'],
    ['[31m'],
    ['\u00fcmlaut \u00e9'],
  ])
})
