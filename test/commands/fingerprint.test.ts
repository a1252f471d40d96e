import { describe, expect, it } from 'vitest'
import fingerprintCommand from '../../src/commands/fingerprint.ts'
import { sha256 } from '../../src/base/digest.ts'
import { fingerprintOf } from '../../src/model/remnant.ts'
import { hostOf, linesOf, readings } from '../resolve/records.ts'

const fingerprint = (input: string, current = readings()) => linesOf(fingerprintCommand, hostOf({ input, current }))
const PLATFORM = { keys: { platform: 'linux x64 glibc' }, environment_fingerprint: fingerprintOf([['platform', sha256('linux x64 glibc')]]) }

describe('fingerprint', () => {
  it('answers each line with values and the fingerprint over their hashes', async () => {
    expect(await fingerprint('{"keys":["tool:npm","platform"]}\n{"keys":["platform"]}\n')).toEqual({
      lines: [
        {
          keys: { platform: 'linux x64 glibc', 'tool:npm': '11.19.1' },
          environment_fingerprint: fingerprintOf([
            ['platform', sha256('linux x64 glibc')],
            ['tool:npm', sha256('11.19.1')],
          ]),
        },
        PLATFORM,
      ],
      status: 0,
    })
  })

  it('sorts keys, and reads one that is asked for twice once', async () => {
    const { lines } = await fingerprint('{"keys":["tool:npm","platform","tool:npm"]}')
    expect(Object.keys((lines[0] as { keys: object }).keys)).toEqual(['platform', 'tool:npm'])
  })

  it('leaves out what can\'t be read, and says why', async () => {
    expect((await fingerprint('{"keys":["file:gone","platform"]}')).lines).toEqual([{ ...PLATFORM, unreadable: { 'file:gone': 'it is not there' } }])
  })

  it('answers for no keys', async () => {
    expect((await fingerprint('{"keys":[]}')).lines).toEqual([{ keys: {}, environment_fingerprint: fingerprintOf([]) }])
  })

  it('takes one document over several lines', async () => {
    expect(await fingerprint('{\n  "keys": [\n    "platform"\n  ]\n}\n')).toEqual({ lines: [PLATFORM], status: 0 })
  })

  it.each([
    ['no JSON', '{"keys":'],
    ['a key twice in the object', '{"keys":[],"keys":["platform"]}'],
    ['an unknown field', '{"keys":[],"more":1}'],
    ['no list', '{"keys":"platform"}'],
    ['what is no key', '{"keys":["Not A Key"]}'],
    ['another value', '[]'],
  ])('answers %s by an error in its place', async (_, line) => {
    const { lines, status } = await fingerprint(`{"keys":["platform"]}\n${line}\n{"keys":["platform"]}\n`)
    expect(lines).toEqual([PLATFORM, { error: { fault: 'malformed', message: expect.stringMatching(/^line 2: /), hint: expect.toBeOneOf([null, expect.any(String)]) } }, PLATFORM])
    expect(status).toBe(65)
  })

  it('answers every line where the first is no JSON', async () => {
    const { lines, status } = await fingerprint('{"keys":\n{"keys":["platform"]}\n')
    expect(lines).toEqual([{ error: expect.objectContaining({ fault: 'malformed' }) }, PLATFORM])
    expect(status).toBe(65)
  })
})
