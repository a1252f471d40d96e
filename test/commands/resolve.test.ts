import { describe, expect, it } from 'vitest'
import type { Answer, Host } from '../../src/command.ts'
import resolveCommand from '../../src/commands/resolve.ts'
import { type Standing, argumentsOf, deadEnd, deed, gate, held, hostOf, idOf, readings } from '../resolve/records.ts'

/** Its answer; what is written already says the same as its data. */
async function resolve(standing: Standing | Host, ...digest: string[]) {
  const { text, data, status, written } = (await resolveCommand.run(argumentsOf({ digest }), 'store' in standing ? standing : hostOf(standing))) as Answer
  if (written !== undefined) expect(JSON.parse(written())).toEqual(data)
  return { text, data, status }
}

const TEST = gate(['npm', 'test'], ['file:package.json', 'tool:npm'])
const LINT = gate(['npm', 'run', 'lint'], ['file:src/app.ts'])
const USAGE = deadEnd(['npm', 'run', 'biuld'], 'Missing script', [['tool:npm', 'npm 11.19.1']])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')
const MINE = held([TEST, LINT, USAGE], { session: 'mine' })
const THEIRS = held([PUSH], { session: 'theirs', rank: 'other' })
const short = (digest: string) => digest.slice(0, 12)
const NPM_20 = readings({ 'tool:npm': { value: '11.20.0', text: 'npm 11.20.0' } })

describe('resolve', () => {
  it('prints a block for each remnant, with what drifted and what is left', async () => {
    const answer = await resolve({ stored: [MINE, THEIRS], current: NPM_20 })
    expect(answer).toEqual({
      text: [
        `${short(MINE.digest)}  PARTIAL_REPROBE_REQUIRED`,
        '  drifted  tool:npm: was npm 11.19.1, is npm 11.20.0',
        '  1 of 3 live claims holds, 2 suspended',
        `${short(THEIRS.digest)}  AMBIENT_DRIFT_ONLY  (from others, unsigned)`,
        '  drifted  tool:npm: is now npm 11.20.0',
        '  1 of 1 live claims holds, 0 suspended',
      ].join('\n'),
      data: {
        remnants: [
          {
            digest: MINE.digest,
            verdict: 'PARTIAL_REPROBE_REQUIRED',
            reason: null,
            drifted_keys: ['tool:npm'],
            retained_claims: [idOf(LINT)],
            invalidated_claims: [TEST, USAGE].map(idOf).sort(),
          },
          { digest: THEIRS.digest, verdict: 'AMBIENT_DRIFT_ONLY', reason: null, drifted_keys: ['tool:npm'], retained_claims: [idOf(PUSH)], invalidated_claims: [] },
        ],
        skipped: [],
      },
      status: 0,
    })
  })

  it.each([
    ['NO_DRIFT', {}, ['  3 of 3 live claims hold, 0 suspended']],
    ['FULL_RECONSTRUCTION_REQUIRED', { platform: 'linux arm64 glibc' }, ['  a structural key drifted', '  drifted  platform: is now linux arm64 glibc', '  0 of 3 live claims hold, 3 suspended']],
    [
      'FULL_RECONSTRUCTION_REQUIRED',
      { 'tool:npm': { unreadable: 'it took over 2 s' }, 'file:src/app.ts': { value: 'blob-9' } },
      [
        '  every live claim touches a drifted key',
        '  drifted  file:src/app.ts: has changed',
        '  drifted  tool:npm: was npm 11.19.1, can\'t be read now: it took over 2 s',
        '  0 of 3 live claims hold, 3 suspended',
      ],
    ],
  ])('says why it is %s', async (verdict, changed, lines) => {
    const { text } = await resolve({ stored: [MINE], current: readings(changed) })
    expect(text?.split('\n')).toEqual([`${short(MINE.digest)}  ${verdict}`, ...lines])
  })

  it('says that a key has no baseline, whatever it is now', async () => {
    const bare = held([gate(['make'], ['tool:make']), LINT])
    const { text } = await resolve({ stored: [bare], current: readings({ 'tool:make': '4.4' }) })
    expect(text).toContain('\n  drifted  tool:make: no baseline was sealed\n  1 of 2 live claims holds')
  })

  it('says that a deed stands under structural drift', async () => {
    const { text } = await resolve({ stored: [held([PUSH, LINT])], current: readings({ platform: 'x' }) })
    expect(text?.split('\n').slice(3)).toEqual(['  1 of 2 live claims holds, 1 suspended', '  1 of those that hold is a deed done for good: the target is the same'])
  })

  it('names contradicted claims by id', async () => {
    const red = held([deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]])], { session: 'red' })
    const { text } = await resolve({ stored: [held([TEST], { session: 'green' }), red] })
    expect(text).toContain(`\n  contradicted  ${short(idOf(TEST))}\n`)
    expect(text).toContain('other evidence, as good, says the opposite here: suspended until probed')
  })

  it('reads each wanted key once, however many remnants want it', async () => {
    const host = hostOf({ stored: Array.from({ length: 50 }, (_, i) => held([TEST], { session: `s${i}` })) })
    await resolve(host)
    expect(host.read.length).toBeGreaterThan(5)
    expect(host.read).toHaveLength(new Set(host.read).size)
  })

  it('reads nothing where nothing is stored', async () => {
    const host = hostOf({})
    expect(await resolve(host)).toEqual({ text: 'no remnant is stored here', data: { remnants: [], skipped: [] }, status: 0 })
    expect(host.read).toEqual([])
  })

  const BAD = { digest: 'b'.repeat(64), fault: 'remnant "bbbbbbbbbbbb" does not hash to its name' }

  it('skips and names a remnant that can\'t be read, and resolves the others', async () => {
    const { text, data, status } = await resolve({ stored: [BAD, MINE] })
    expect(text?.split('\n').at(-1)).toBe('bbbbbbbbbbbb  skipped: remnant "bbbbbbbbbbbb" does not hash to its name')
    expect(data).toMatchObject({ remnants: [{ digest: MINE.digest, verdict: 'NO_DRIFT' }], skipped: [BAD] })
    expect(status).toBe(0)
  })

  it('answers for the remnants that are named alone', async () => {
    const { data } = await resolve({ stored: [BAD, MINE, THEIRS] }, THEIRS.digest.slice(0, 8))
    expect(data).toMatchObject({ remnants: [{ digest: THEIRS.digest }], skipped: [] })
  })

  it('says that a named remnant is answered in full', async () => {
    const answer = held([LINT], { session: 'later', supersedes: [[MINE.digest, [TEST, LINT, USAGE].map(idOf).sort()]] })
    const { text, data } = await resolve({ stored: [MINE, answer] }, MINE.digest)
    expect(text).toBe(`${short(MINE.digest)}  no live claim: later remnants answer all of it`)
    expect(data).toMatchObject({ remnants: [] })
  })

  it('ends with 1 where a named remnant is not here', async () => {
    expect(await resolve({ stored: [MINE] }, '0000')).toMatchObject({ text: 'no remnant here begins with "0000"', status: 1 })
  })

  it.each([
    ['too few digits', 'abc', 'misuse', 'digest is not 4 to 64 hexadecimal digits'],
    ['no digits', '../../etc', 'misuse', 'digest is not 4 to 64 hexadecimal digits'],
    ['the digits of a damaged remnant', 'bbbb', 'corrupt', BAD.fault],
  ])('refuses %s', async (_, name, fault, message) => {
    await expect(resolve({ stored: [BAD, MINE] }, name)).rejects.toMatchObject({ fault, message })
  })

  it('refuses digits that begin two names', async () => {
    const other = { digest: `${MINE.digest.slice(0, 6)}${'0'.repeat(58)}`, fault: 'is damaged' }
    await expect(resolve({ stored: [MINE, other] }, MINE.digest.slice(0, 6))).rejects.toMatchObject({ fault: 'misuse', message: expect.stringContaining('begins 2 remnants') })
  })

  it('prints hostile texts harmlessly', async () => {
    const hostile = held([deadEnd(['npm', 'x'], 'sig', [['tool:npm', '\u001b[2Jnpm\u202e']])])
    const { text } = await resolve({ stored: [hostile], current: readings({ 'tool:npm': { value: 'x', text: '\u001b]0;t\u0007' } }) })
    expect(text).toContain('drifted  tool:npm: was ')
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
  })
})
