import type { Probe } from '../../../src/model/probe.ts'

const SEALED: Readonly<Record<string, string>> = { platform: 'linux x64 glibc', privilege: 'user', repository: '0'.repeat(40), tool: '11.19.1' }

/** Probes that read what the remnants of `remnants.ts` are sealed under; `other`: but for these, by probe. */
export const asSealed = (other: Readonly<Record<string, string>> = {}): Probe[] =>
  Object.entries(SEALED).map(([id, value]) => ({ id, why: 'a test', argument: id === 'tool' ? 'NAME' : '', read: async () => ({ value: other[id] ?? value }) }))
