import { describe, expect, it } from 'vitest'
import { allowing } from '../../../src/host/trust/typed.ts'
import { commandOf } from '../../../src/model/command.ts'

describe('what to type to approve a command', () => {
  it.each<[Parameters<typeof commandOf>, string, string | null]>([
    [[['sh', 'test.sh']], '.', 'git remnant allow -- sh test.sh'],
    [[['npm', 'test', '--', "it's"]], '.', "git remnant allow -- npm test -- 'it'\\''s'"],
    [[['npm', 'test'], { env: [['MODE', 'a b']] }], '.', "git remnant allow -- env 'MODE=a b' npm test"],
    [[['npm', 'test'], { folder: 'packages/a' }], '.', 'git -C packages/a remnant allow -- npm test'],
    [[['npm', 'test']], 'packages/a', 'git -C ../.. remnant allow -- npm test'],
    [[['npm', 'test', 'x'.repeat(500)]], '.', null],
    [[['npm', 'test', 'a\u202eb']], '.', null],
    [[['npm', 'test'], { where: 'container:web' }], '.', null],
  ])('%j from %j', (of, from, typed) => expect(allowing(commandOf(...of), from)).toBe(typed))
})
