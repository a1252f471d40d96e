import { describe, expect, it } from 'vitest'
import observe from '../../src/commands/observe.ts'
import { formats } from '../../src/formats.ts'
import { toolchains } from '../../src/signatures.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { hostOf, linesOf } from '../resolve/records.ts'

const line = (more: object): string =>
  JSON.stringify({
    schema: 'git-remnant/observation/1', host: 'claude-code', session: 's', record_id: 'r1', at: '2026-06-01T10:00:00Z', kind: 'command', folder: '.', head: null,
    command: 'npm test', outcome: { is: 'code', code: 0 }, output: 'fine', edits: [], declared: null, keys: {}, ...more,
  })
const GOOD = line({ record_id: 'good' })

/** Lines of a log that are no observation, and what is said of them. Each stands between two that are fine. */
const LINES: readonly (readonly [name: string, text: string, refusal: RegExp])[] = [
  ['"__proto__"', GOOD.replace('{', '{"__proto__":{"polluted":true},'), /unknown field/],
  ['"constructor"', line({ constructor: { prototype: { polluted: true } } }), /unknown field/],
  ['nesting 10,000 deep', `{"schema":"git-remnant/observation/1","keys":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, /nested deeper|not JSON|lacks/],
  ['half a line', GOOD.slice(0, 60), /not JSON/],
  ['a number beyond a double', GOOD.replace('"code":0', '"code":1e999'), /too large|not allowed|lacks/],
  ['half a character', GOOD.replace('fine', '\\ud800'), /Unicode|not allowed/],
  ['another schema of ours', line({ schema: 'git-remnant/observation/2' }), /schema|not allowed/],
  ['a host that is a path', line({ host: '../../etc' }), /at "host"/],
  ['a status that is a text', line({ outcome: { is: 'code', code: '0; touch owned' } }), /at "outcome/],
  ['a time that never was', line({ at: '2026-13-41T00:00:00Z' }), /at "at"/],
  ['a list in place of a command', line({ command: ['sh', '-c', 'touch owned'] }), /at "command"/],
  ['a declaration with a field of its own', line({ declared: { statement: 'x', by: null, effect: null, gate: null, root_cause: false, run: 'touch owned' } }), /at "declared|unknown field/],
]

describe('a log with a line that is', () => {
  it.each(LINES)('%s is read around it, and the line is named and not repeated', async (_, text, refusal) => {
    const host = hostOf({ input: `${GOOD}\n${text}\n${line({ record_id: 'after' })}\n` })
    const sets = async () => ({ ...(await host.sets()), formats, toolchains })
    const { lines, status } = await linesOf(observe, { ...host, sets, git: () => Promise.reject(new RemnantError('missing', 'no repository')) } as typeof host)
    const faults = lines.flatMap((one) => ('error' in (one as object) ? [(one as { error: { message: string } }).error.message] : []))
    expect([status, faults.length, lines.length]).toEqual([65, 1, 3])
    expect(faults[0]).toMatch(refusal)
    expect(faults[0]).not.toMatch(/touch owned|polluted/)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
  it('a key twice is one record by its last values, as the JSON of every host is read', async () => {
    const host = hostOf({ input: `${GOOD.replace('"host":', '"host":"codex","host":')}\n${line({ record_id: 'after' })}\n` })
    const sets = async () => ({ ...(await host.sets()), formats, toolchains })
    const { lines, status } = await linesOf(observe, { ...host, sets, git: () => Promise.reject(new RemnantError('missing', 'no repository')) } as typeof host)
    expect([status, lines.map((one) => (one as { host: string }).host)]).toEqual([0, ['claude-code', 'claude-code']])
  })
})
