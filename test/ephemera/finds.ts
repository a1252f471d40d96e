import { expect, it } from 'vitest'
import type { Ephemeron, SessionWorld } from '../../src/model/ephemeron.ts'

export const SESSION: SessionWorld = { session: 'session-7f3a', root: '/srv/clockwork' }

/** Holds a member to a table: a text, and what is found in it, in order; nothing for a text that must pass. */
export function finds(ephemeron: Ephemeron, table: readonly (readonly [string, ...string[]])[], session: SessionWorld = SESSION): void {
  it.each(table.map(([text, ...found]) => [text, found] as const))('in %j finds %j', async (text, found) => {
    const spans = [...(await ephemeron.find(text, session))].sort((a, b) => a.start - b.start || b.end - a.end)
    const outermost = spans.filter(({ start, end }, i) => !spans.slice(0, i).some((wider) => wider.start <= start && end <= wider.end))
    const texts = outermost.map(({ start, end }) => text.slice(start, end))
    expect([...new Set(texts)]).toEqual(found)
  })
  it('finds nothing in what takes its place', async () => {
    for (const text of [ephemeron.placeholder, `a ${ephemeron.placeholder} b`, `at ${ephemeron.placeholder}:`, `x=${ephemeron.placeholder}`])
      expect(await ephemeron.find(text, session)).toEqual([])
  })
  it('takes time in proportion to a hostile text', async () => {
    const started = performance.now()
    for (const piece of HOSTILE) await ephemeron.find(piece.repeat(Math.ceil(20_000 / piece.length)), session)
    expect(performance.now() - started).toBeLessThan(4000)
  })
}

const HOSTILE = ['a', '0', '/', 'a/', ' ', '-', '1-', ':', '1:', '\n', 'a=', 'eyJ', '://a:', 'password', '[1', '\x1b[', '\x1b]', '-----BEGIN PRIVATE' + ' KEY-----', 'curl -u ', 'docker exec ', 'login a ', 'A1b2-', '0x0', '12 ', 'line ', '/tmp/', '~a', 'Mon Jan 1 ']
