import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agents } from '../src/agents.ts'
import type { Json } from '../src/base/canonical.ts'
import { PAYLOADS, decision, speakers } from './agents/saying.ts'

describe('the agents', () => {
  it.each(PAYLOADS)('know who speaks: %s', (_, payload, host) => {
    expect(speakers(payload)).toEqual(host === null ? [] : [host])
  })

  it('are never two of one payload, whatever it holds', () => {
    const names = [...new Set(PAYLOADS.flatMap(([, payload]) => (typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? Object.keys(payload) : [])))]
    const values = [...new Set(PAYLOADS.flatMap(([, payload]) => (typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? Object.values(payload) : [])))] as Json[]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.constantFrom(...values), fc.json().map((text) => JSON.parse(text) as Json))), (payload) => {
        expect(speakers(payload as Json).length).toBeLessThan(2)
        for (const agent of agents) for (const event of ['PreToolUse', 'postToolUse', 'AfterTool', 'SessionStart', '']) expect(() => agent.read(payload as Json, event)).not.toThrow()
      }),
      { numRuns: 500 },
    )
  })

  it('print nothing where there is nothing to say, and one JSON value or nothing on stdout else', () => {
    for (const agent of agents) {
      const [, payload] = PAYLOADS.find(([, , host]) => host === agent.id) as (typeof PAYLOADS)[number]
      const event = agent.read(payload, agent.hooks.points.find(({ moment }) => moment === 'before')?.event ?? '')
      if (event === null) throw new Error(agent.id)
      expect(agent.tell(event, decision('silent', ''))).toEqual({ stdout: '', stderr: '', status: 0 })
      expect(agent.brief(event, '')).toEqual({ stdout: '', stderr: '', status: 0 })
      for (const is of ['note', 'ask', 'deny'] as const) {
        const { stdout, stderr, status } = agent.tell(event, decision(is, 'a "b"\n{c}'))
        if (stdout !== '') expect(typeof JSON.parse(stdout)).toBe('object')
        expect(stdout !== '' || (status === 2 && stderr !== '')).toBe(true)
      }
      expect(JSON.stringify(JSON.parse(agent.brief(event, 'x "y"\nz').stdout))).toContain('x \\"y\\"\\nz')
    }
  })

  it('have names that are no other agent\'s, and hooks for before, after and start', () => {
    const names = agents.flatMap((agent) => agent.names)
    expect(new Set(names).size).toBe(names.length)
    for (const { hooks } of agents) {
      expect(new Set(hooks.points.map(({ moment }) => moment))).toEqual(new Set(['start', 'before', 'after']))
      expect(new Set(hooks.points.map(({ event }) => event)).size).toBe(hooks.points.length)
    }
  })
})
