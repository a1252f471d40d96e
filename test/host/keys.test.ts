import { describe, expect, it, vi } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { readKeys } from '../../src/host/keys.ts'
import type { Reading } from '../../src/model/key.ts'
import type { Probe, World } from '../../src/model/probe.ts'

const WORLD = {} as World
const probe = (id: string, read: (argument: string) => Promise<Reading>, argument = 'X'): Probe => ({ id, why: '', argument, read })

describe('readKeys', () => {
  it('reads each key once, whatever is asked twice', async () => {
    const asked: string[] = []
    const echo = probe('echo', async (argument) => (asked.push(argument), { value: argument }))
    const values = await readKeys(['echo:b', 'echo:a', 'echo:b'], [echo], WORLD)
    expect([...values]).toEqual([
      ['echo:b', { value: 'b' }],
      ['echo:a', { value: 'a' }],
    ])
    expect(asked).toEqual(['b', 'a'])
  })

  it('hands the whole argument on, colons and all', async () => {
    expect(await readKeys(['echo:a:b:c'], [probe('echo', async (argument) => ({ value: argument }))], WORLD)).toEqual(new Map([['echo:a:b:c', { value: 'a:b:c' }]]))
  })

  it('lets one that fails or hangs hide no other, and repeats no message that may hold a value', async () => {
    const probes = [
      probe('bad', async () => Promise.reject(new Error('s3cret in a message'))),
      probe('gone', async () => Promise.reject(Object.assign(new Error('s3cret'), { code: 'EACCES' }))),
      probe('fault', async () => Promise.reject(new RemnantError('missing', 'a shallow clone', { hint: 'do this' }))),
      probe('sync', () => {
        throw new RemnantError('malformed', 'at once')
      }),
      probe('slow', () => new Promise(() => {})),
      probe('good', async () => ({ value: 'v' })),
    ]
    const values = await readKeys(probes.map(({ id }) => `${id}:x`), probes, WORLD, 50)
    expect(Object.fromEntries(values)).toEqual({
      'bad:x': { unreadable: 'its probe failed' },
      'gone:x': { unreadable: 'its probe failed (EACCES)' },
      'fault:x': { unreadable: 'a shallow clone (do this)' },
      'sync:x': { unreadable: 'at once' },
      'slow:x': { unreadable: 'it took over 0.05 s' },
      'good:x': { value: 'v' },
    })
  })

  it('knows no key without a probe, and none with an argument too many or too few', async () => {
    const probes = [probe('plain', async () => ({ value: 'v' }), ''), probe('of', async () => ({ value: 'v' }), 'NAME')]
    expect(Object.fromEntries(await readKeys(['other:x', 'plain:x', 'plain', 'of', 'of:x'], probes, WORLD))).toEqual({
      'other:x': { unreadable: 'no probe is named "other"' },
      'plain:x': { unreadable: 'it takes no argument' },
      plain: { value: 'v' },
      of: { unreadable: 'it lacks NAME' },
      'of:x': { value: 'v' },
    })
  })

  it('sets no clock for what waits for nothing outside', async () => {
    const clock = vi.spyOn(globalThis, 'setTimeout')
    try {
      // As a program's first words do: what waits for its turn comes before what was promised.
      await new Promise((resolve) => setImmediate(() => resolve(readKeys(['a:x', 'b:x'], [probe('a', async () => ({ value: 'v' })), probe('b', async () => await Promise.resolve({ value: 'w' }))], WORLD))))
      expect(clock).not.toHaveBeenCalled()
    } finally {
      clock.mockRestore()
    }
  })

  it('reads at most 16 at a time', async () => {
    let [now, most] = [0, 0]
    const busy = probe('busy', async () => {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 2))
      now -= 1
      return { value: 'v' }
    })
    const values = await readKeys(Array.from({ length: 60 }, (_, i) => `busy:${i}`), [busy], WORLD)
    expect([most, values.size]).toEqual([16, 60])
  })
})
