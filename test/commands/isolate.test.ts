import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import isolateCommand from '../../src/commands/isolate.ts'
import { fingerprintOf } from '../../src/model/remnant.ts'
import { hostOf, linesOf } from '../resolve/records.ts'

const isolate = (input: string) => linesOf(isolateCommand, hostOf({ input }))

const BASELINES: [string, string][] = [
  ['schema', sha256('3')],
  ['tool', sha256('11')],
]
const MANIFEST = {
  record_id: 'r1',
  precondition_seal: fingerprintOf(BASELINES),
  baseline_key_hashes: BASELINES,
  structural_keys: [] as string[],
  claim_dependency_map: [
    ['c2', ['tool']],
    ['c1', ['schema']],
  ],
}
const line = (manifest: unknown = MANIFEST, environment: unknown = { tool: '11', schema: '3' }): string => JSON.stringify({ manifest, environment })
const HELD = { verdict: 'NO_DRIFT', reason: null, drifted_keys: [], retained_claims: ['c1', 'c2'], invalidated_claims: [] }

describe('isolate', () => {
  it('answers a request a line with sorted lists', async () => {
    expect(await isolate(`${line()}\n${line(MANIFEST, { tool: '12', schema: '3', other: 'x' })}\n`)).toEqual({
      lines: [HELD, { verdict: 'PARTIAL_REPROBE_REQUIRED', reason: null, drifted_keys: ['tool'], retained_claims: ['c1'], invalidated_claims: ['c2'] }],
      status: 0,
    })
  })

  it('takes empty lists', async () => {
    const empty = { ...MANIFEST, precondition_seal: fingerprintOf([]), baseline_key_hashes: [], claim_dependency_map: [] }
    expect((await isolate(line(empty, {}))).lines).toEqual([
      { verdict: 'FULL_RECONSTRUCTION_REQUIRED', reason: 'no-manifest', drifted_keys: [], retained_claims: [], invalidated_claims: [] },
    ])
  })

  it('takes keys that objects inherit for keys like others', async () => {
    const baselines: [string, string][] = [['__proto__', sha256('p')], ['constructor', sha256('c')]]
    const manifest = JSON.stringify({ ...MANIFEST, baseline_key_hashes: baselines, precondition_seal: fingerprintOf(baselines), claim_dependency_map: [['c', ['__proto__']], ['d', ['constructor']]] })
    const { lines } = await isolate(`{"manifest":${manifest},"environment":{"__proto__":"p","constructor":"c"}}\n{"manifest":${manifest},"environment":{}}\n{"manifest":${manifest},"environment":{"__proto__":"q","constructor":"c"}}`)
    expect(lines).toMatchObject([
      { verdict: 'NO_DRIFT', retained_claims: ['c', 'd'] },
      { drifted_keys: ['__proto__', 'constructor'] },
      { drifted_keys: ['__proto__'], retained_claims: ['d'] },
    ])
  })

  it('hashes an environment value as UTF-8', async () => {
    const baselines: [string, string][] = [['schema', sha256('4')], ['tool', sha256(Buffer.from([0xc3, 0xa4]))]]
    const { lines } = await isolate(line({ ...MANIFEST, baseline_key_hashes: baselines, precondition_seal: fingerprintOf(baselines) }, { tool: 'ä', schema: '3' }))
    expect(lines).toMatchObject([{ drifted_keys: ['schema'] }])
  })

  const other = (change: object) => line({ ...MANIFEST, ...change })
  it.each([
    ['text that is not JSON', 'not json', 'JSON'],
    ['a list', '[]', 'lacks an object'],
    ['a request without environment', JSON.stringify({ manifest: MANIFEST }), 'at "environment"'],
    ['an unknown field', JSON.stringify({ manifest: MANIFEST, environment: {}, extra: 1 }), 'unknown field'],
    ['an unknown field of the manifest', other({ extra: 1 }), 'unknown field at "manifest"'],
    ['an unknown field named __proto__', line().replace('{"manifest":{', '{"manifest":{"__proto__":{},'), 'unknown field at "manifest"'],
    ['a field that is missing', other({ structural_keys: undefined }), 'at "manifest.structural_keys"'],
    ['a field of another type', other({ record_id: 7 }), 'lacks a string at "manifest.record_id"'],
    ['a hash that is none', other({ baseline_key_hashes: [['tool', 'ABC']] }), 'at "manifest.baseline_key_hashes[0][1]"'],
    ['a pair of three', other({ claim_dependency_map: [['c1', [], 1]] }), 'at "manifest.claim_dependency_map[0]"'],
    ['an environment that is a list', line(MANIFEST, ['tool']), 'at "environment"'],
    ['an environment value that is no string', line(MANIFEST, { tool: 11 }), 'not a string'],
    ['an environment value of __proto__ that is no string', line().replace('"environment":{', '"environment":{"__proto__":{},'), 'not a string'],
    ['a key twice in an object', line().replace('"tool":"11"', '"tool":"11","\\u0074ool":"12"'), 'key twice'],
    ['a baseline twice', other({ baseline_key_hashes: [...BASELINES, BASELINES[0]] }), 'one thing twice in "manifest.baseline_key_hashes"'],
    ['a claim twice', other({ claim_dependency_map: [['c', ['tool']], ['c', ['schema']]] }), 'one thing twice in "manifest.claim_dependency_map"'],
    ['a lone surrogate in a key', line().replace('"tool":"11"', '"\\ud800":"11"'), 'not Unicode'],
    ['a lone surrogate in the manifest', line().replace('"r1"', '"\\ud800"'), 'not Unicode'],
  ])('answers %s by an error in its place, and the rest goes on', async (_, malformed, message) => {
    const { lines, status } = await isolate(`${line()}\n${malformed}\n${line()}\n`)
    expect(lines).toEqual([HELD, { error: { fault: 'malformed', message: expect.stringMatching(/^line 2: /), hint: expect.toBeOneOf([null, expect.any(String)]) } }, HELD])
    expect((lines[1] as { error: { message: string } }).error.message).toContain(message)
    expect(status).toBe(65)
  })

  it('never repeats a value in an error', async () => {
    const { lines } = await isolate(`${other({ record_id: ['hunter2'] })}\n{"hunter2": hunter2}\n`)
    expect(lines).toHaveLength(2)
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  it('answers ten thousand lines, each in its place', async () => {
    const input = Array.from({ length: 10_000 }, (_, i) => (i % 100 === 50 ? '{' : line(MANIFEST, { tool: i % 2 === 0 ? '11' : 'x', schema: '3' })))
    const { lines, status } = await isolate(input.join('\n'))
    expect(lines).toHaveLength(10_000)
    expect(lines.filter((answer) => 'error' in (answer as object))).toHaveLength(100)
    expect(lines.filter((answer) => (answer as { verdict?: string }).verdict === 'NO_DRIFT')).toHaveLength(4900)
    expect(lines[51]).toMatchObject({ verdict: 'PARTIAL_REPROBE_REQUIRED' })
    expect(status).toBe(65)
  })
})
