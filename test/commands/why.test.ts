import { describe, expect, it } from 'vitest'
import whyCommand from '../../src/commands/why.ts'
import { sha256 } from '../../src/base/digest.ts'
import type { Host } from '../../src/command.ts'
import { ephemera } from '../../src/ephemera.ts'
import claudeCode from '../../src/formats/claude-code.ts'
import type { Files } from '../../src/host/files.ts'
import type { Repository } from '../../src/host/git.ts'
import { rules } from '../../src/rules.ts'
import { type Keyed, type Standing, argumentsOf, deadEnd, declared, deed, gate, handoff, held, hostOf, idOf, readings, receipt, residual } from '../resolve/records.ts'

/** A clone without any log or note. */
const FILES = { list: () => [], read: () => null, stat: () => null } as unknown as Files
const hostIn = (standing: Standing, files: Files = FILES): Host => {
  const host = hostOf(standing)
  const sets = async () => ({ ...(await host.sets()), formats: [claudeCode], rules, ephemera })
  return { ...host, env: { HOME: '/home/ann' }, files, sets, repository: async () => ({ commonDir: '/repository/.git', workTree: '/repository' }) as Repository }
}
const why = (standing: Standing, claim: string, files?: Files, more: { transcript?: string } = {}) => whyCommand.run(argumentsOf({ claim, ...more }), hostIn(standing, files))
const short = (digest: string) => digest.slice(0, 12)
const lines = async (standing: Standing, claim: string) => (await why(standing, claim)).text?.split('\n')

const TEST = gate(['npm', 'test'], ['file:package.json', 'tool:npm'])
const USAGE = deadEnd(['npm', 'run', 'biuld'], 'Missing script: "biuld"\nsecond', [['file:package.json', null], ['tool:npm', 'npm 11.19.1']])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')
const OUTPUT = short(sha256('a long enough output of the command'))

describe('why', () => {
  it('follows a claim back to its receipt and forward to its verdict', async () => {
    const mine = held([TEST, PUSH])
    expect(await lines({ stored: [mine] }, idOf(TEST).slice(0, 4))).toEqual([
      `claim ${short(idOf(TEST))}  verified invariant`,
      '  `npm test` is a gate of `.`',
      '  effect    use command npm test',
      '  rules     no-deixis, no-hedge',
      '  stripped  uuid',
      `remnant ${short(mine.digest)}`,
      '  receipt   recorded by claude-code, record record-1',
      '  command   npm test (in .)',
      '  outcome   0',
      `  output    sha256 ${OUTPUT}`,
      '  same      file:package.json',
      '  same      tool:npm',
      '  here      holds (NO_DRIFT)',
    ])
  })

  it('says which key drifted, from what to what, for each remnant that holds the claim', async () => {
    const mine = held([USAGE], { session: 'mine' })
    const theirs = held([deadEnd(['npm', 'run', 'biuld'], 'Missing script: "biuld"\nsecond', [['file:package.json', null]], { record: 'r9' })], { session: 'theirs', rank: 'other' })
    const current = readings({ 'tool:npm': { value: '11.20.0', text: 'npm 11.20.0' } })
    const found = await lines({ stored: [mine, theirs], current }, idOf(USAGE))
    expect(found?.slice(0, 5)).toEqual([
      `claim ${short(idOf(USAGE))}  falsified boundary`,
      '  `npm run biuld` → Missing script: "biuld"',
      '  class     usage',
      '  signature Missing script: "biuld"',
      '  signature second',
    ])
    expect(found?.filter((line) => /^remnant|same|drifted|here/.test(line))).toEqual([
      `remnant ${short(mine.digest)}`,
      '  same      file:package.json',
      '  drifted   tool:npm: was npm 11.19.1, is npm 11.20.0',
      '  here      suspended until probed (FULL_RECONSTRUCTION_REQUIRED, all-claims)',
      `remnant ${short(theirs.digest)}  (from others, unsigned)`,
      '  same      file:package.json',
      '  here      holds (AMBIENT_DRIFT_ONLY)',
    ])
  })

  it('gives the same as data', async () => {
    const mine = held([TEST])
    const { data, status } = await why({ stored: [mine], current: readings({ 'tool:npm': { value: '12', text: 'npm 12' } }) }, idOf(TEST))
    expect(data).toEqual({
      claims: [
        {
          kind: 'verified_invariants',
          ...TEST.claim,
          noted: [],
          remnants: [
            {
              digest: mine.digest,
              rank: 'own',
              state: 'suspended',
              overruled_by: [],
              verdict: 'FULL_RECONSTRUCTION_REQUIRED',
              reason: 'all-claims',
              verification_receipt: receipt(['npm', 'test'], { is: 'code', code: 0 }),
              log: null,
              keys: [
                { key: 'file:package.json', was: null, is: 'blob-1', unreadable: null, sealed: true, state: 'same' },
                { key: 'tool:npm', was: null, is: 'npm 12', unreadable: null, sealed: true, state: 'drifted' },
              ],
            },
          ],
        },
      ],
    })
    expect(status ?? 0).toBe(0)
  })

  it.each([
    ['a deed', PUSH, ['  `git push origin main` was done: git-remote origin, main', '  again     would do harm']],
    ['a residual', residual('a list is sorted', ['npm', 'test'], ['tree:.']), ['  a list is sorted (gate: `npm test`)', `  patch     ${'a'.repeat(40)}`, '  proof     not proven yet']],
    ['a handoff', handoff(['make'], 'ERR', ['tree:.']), ['  `make` fails: ERR', '  since     no patch was recorded']],
    ['a declaration', declared('Dates are ISO 8601', ['make'], ['tree:.']), ['  Dates are ISO 8601 (declared, with `make` → 0)', '  effect    use command make']],
  ] as [string, Keyed, string[]][])('tells what %s is', async (_, claim, expected) => {
    expect((await lines({ stored: [held([claim])] }, idOf(claim)))?.slice(1, 1 + expected.length)).toEqual(expected)
  })

  const stateOf = async (standing: Standing, claim: string) => (await lines(standing, claim))?.filter((line) => line.includes('  here '))

  it('says that a deed holds whatever else drifted', async () => {
    expect(await stateOf({ stored: [held([PUSH])], current: readings({ platform: 'x' }) }, idOf(PUSH))).toEqual(['  here      holds (FULL_RECONSTRUCTION_REQUIRED, structural)'])
  })

  it('says that a claim is contradicted', async () => {
    const red = held([deadEnd(['npm', 'test'], 'ERR', [['tree:.', null]])], { session: 'red' })
    expect(await stateOf({ stored: [held([TEST]), red] }, idOf(TEST))).toEqual([
      `  here      suspended until probed: other evidence, as good, says the opposite: remnant ${short(red.digest)} (FULL_RECONSTRUCTION_REQUIRED, contradiction)`,
    ])
  })

  it('says which remnant answers a claim, and does not judge its keys', async () => {
    const old = held([TEST], { session: 'old' })
    const answer = held([PUSH], { session: 'new', supersedes: [[old.digest, [idOf(TEST)]]] })
    const found = await lines({ stored: [old, answer] }, idOf(TEST))
    expect(found?.slice(-3)).toEqual(['  key       file:package.json', '  key       tool:npm', `  here      answered by remnant ${short(answer.digest)}`])
  })

  it('says that a later remnant of the session stands in its place', async () => {
    const early = held([TEST], { until: '2026-05-01T00:00:00Z' })
    const late = held([TEST, PUSH])
    expect(await stateOf({ stored: [early, late] }, idOf(TEST))).toEqual(
      expect.arrayContaining([`  here      a later or fuller remnant of the same session stands in its place: ${short(late.digest)}`, '  here      holds (NO_DRIFT)']),
    )
  })

  it('heeds no stranger who claims to answer what this clone sealed', async () => {
    const early = held([TEST], { until: '2026-05-01T00:00:00Z' })
    const stranger = held([PUSH], { session: 'stranger', rank: 'other', supersedes: [[early.digest, [idOf(TEST)]]] })
    const late = held([PUSH])
    expect(await stateOf({ stored: [early, late, stranger] }, idOf(TEST))).toEqual([`  here      a later or fuller remnant of the same session stands in its place: ${short(late.digest)}`])
  })

  it('says in which remnant the command of a dead end later passed with the same keys', async () => {
    const red = held([USAGE], { session: 'red', until: '2026-05-01T00:00:00Z' })
    const green = held([gate(['npm', 'run', 'biuld'], ['tool:npm'])], { session: 'green' })
    expect(await stateOf({ stored: [red, green] }, idOf(USAGE))).toEqual([`  here      fell: its command later passed with the same keys, in remnant ${short(green.digest)}`])
  })

  it('judges no key of a record without a manifest', async () => {
    const bare = held([TEST], { sealed: {} })
    expect((await lines({ stored: [bare] }, idOf(TEST)))?.slice(-3)).toEqual([
      '  key       file:package.json',
      '  key       tool:npm',
      '  here      suspended until probed (FULL_RECONSTRUCTION_REQUIRED, no-manifest)',
    ])
  })

  it('takes a remnant\'s digest for all of its claims', async () => {
    const mine = held([TEST, USAGE, PUSH])
    const { data } = await why({ stored: [mine, held([gate(['make'], ['tree:.'])], { session: 'other' })] }, mine.digest.slice(0, 10))
    expect((data as { claims: { claim_id: string }[] }).claims.map(({ claim_id }) => claim_id).sort()).toEqual([TEST, USAGE, PUSH].map(idOf).sort())
  })

  it('ends with 1 where there is no such claim', async () => {
    expect(await why({ stored: [held([TEST])] }, '0000')).toEqual({ text: 'no claim and no remnant here begins with "0000"', data: { claims: [] }, status: 1 })
  })

  it('says of a record of which nothing was purged what it proves, or that nothing is known of it', async () => {
    const mine = held([gate(['npm', 'test'], ['tool:npm'], { record: 'toolu_01A' })])
    expect(await why({ stored: [mine] }, 'toolu_01A')).toMatchObject({ text: `nothing of record toolu_01A was purged in this clone: it proves claim ${idOf(TEST).slice(0, 12)}; "git remnant why ${idOf(TEST).slice(0, 12)}" says more`, status: 0 })
    expect(await why({ stored: [mine] }, 'toolu_02B')).toMatchObject({ text: expect.stringContaining('nothing of record toolu_02B was purged in this clone, and no remnant of this clone names it'), status: 1 })
  })

  const BAD = { digest: 'b'.repeat(64), fault: 'remnant "bbbbbbbbbbbb" does not hash to its name' }
  it.each([
    ['too few digits', 'abc', 'misuse', 'claim is not 4 to 64 hexadecimal digits'],
    ['what is no digits', 'npm test', 'misuse', 'claim is not 4 to 64 hexadecimal digits'],
    ['the digest of a damaged remnant', 'bbbb', 'corrupt', BAD.fault],
  ])('refuses %s', async (_, name, fault, message) => {
    await expect(why({ stored: [BAD, held([TEST])] }, name)).rejects.toMatchObject({ fault, message })
  })

  it('refuses digits that begin several names', async () => {
    const many = Array.from({ length: 400 }, (_, i) => gate(['npm', 'run', `c${i}`], ['tree:.']))
    const start = (keyed: Keyed) => idOf(keyed).slice(0, 4)
    const twin = many.find((one) => many.some((other) => other !== one && start(other) === start(one))) as Keyed
    await expect(why({ stored: [held(many)] }, start(twin))).rejects.toMatchObject({ fault: 'misuse', hint: 'give more digits' })
  })

  it('prints hostile texts harmlessly', async () => {
    const hostile = gate(['npm', 'x\u001b[2J'], ['tree:.'], { statement: 'a\u202eb\nremnant 000000000000', record: 'r\r\u001b]0;t\u0007' })
    const text = (await lines({ stored: [held([hostile])] }, idOf(hostile))) ?? []
    expect(text.join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
    expect(text.filter((line) => line.startsWith('remnant'))).toHaveLength(1)
  })
})

/** Files by their whole path; folders follow from them. */
const holding = (files: Readonly<Record<string, string>>): Files =>
  ({
    ...FILES,
    list: (folder: string) => Object.keys(files).filter((path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/')).map((path) => ({ name: path.slice(folder.length + 1), kind: 'file' })),
    read: (path: string) => (files[path] === undefined ? null : Buffer.from(files[path])),
    stat: (path: string) => (files[path] === undefined ? null : { kind: 'file', changed: 1 }),
    stream: async function* (path: string) {
      yield Buffer.from(files[path] ?? '')
    },
  }) as unknown as Files

const line = (value: object): string => `${JSON.stringify({ sessionId: 's1', cwd: '/repository', timestamp: '2026-06-01T10:00:00Z', version: '2.1.0', ...value })}\n`
const LOG = [
  line({ type: 'user', uuid: 'u1', message: { role: 'user', content: 'go' } }),
  line({ type: 'assistant', uuid: 'u2', message: { role: 'assistant', content: [{ type: 'tool_use', id: 'record-1', name: 'Bash', input: { command: 'npm test' } }] } }),
  line({ type: 'user', uuid: 'u3', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'record-1', content: 'ok', is_error: false }] }, toolUseResult: { stdout: 'ok', stderr: '' } }),
].join('')

describe('why, from a claim to the log', () => {
  const OWN = '/home/ann/.claude/projects/-repository/s1.jsonl'
  const rowsOf = (text: string | undefined) => text?.split('\n').filter((one) => one.startsWith('  log'))

  it('names the line of the log that the host keeps of the session', async () => {
    const { text, data } = await why({ stored: [held([TEST], { session: 's1' })] }, idOf(TEST), holding({ [OWN]: LOG }))
    expect(rowsOf(text)).toEqual([`  log       ${OWN}, line 3`])
    expect((data as { claims: { remnants: { log: unknown }[] }[] }).claims[0]?.remnants[0]?.log).toEqual({ file: OWN, line: 3 })
  })

  it('takes another log that is named', async () => {
    const { text } = await why({ stored: [held([TEST], { session: 's1' })] }, idOf(TEST), holding({ '/elsewhere/x.jsonl': LOG }), { transcript: '/elsewhere/x.jsonl' })
    expect(rowsOf(text)).toEqual(['  log       /elsewhere/x.jsonl, line 3'])
  })

  it.each([
    ['a log that is not here', {}, 's1', 'own'],
    ['a log without the record', { [OWN]: LOG.replaceAll('record-1', 'record-2') }, 's1', 'own'],
    ['a log of another session', { [OWN]: LOG }, 's2', 'own'],
    ['a log that can not be read', { [OWN]: LOG.split('\n')[0]?.slice(0, -4) ?? '' }, 's1', 'own'],
    ['the logs of this machine where a stranger names the session', { [OWN]: LOG }, 's1', 'other'],
  ] as const)('is silent of %s', async (_, files, session, rank) => {
    expect(rowsOf((await why({ stored: [held([TEST], { session, rank })] }, idOf(TEST), holding(files))).text)).toEqual([])
  })

  it('leads from a record to the rule that purged what it would have shown', async () => {
    const purge = (more: object): string => `${JSON.stringify({ rule: 'unsealed', reason: 'nobody saw "tool:npm"', record_id: 'toolu_01', list: 'verified_invariants', ...more })}\n`
    const files = holding({ '/repository/.git/remnant/purged/claude-code-1.jsonl': `${purge({ by: 'toolu_09' })}${purge({ rule: 'no-hedge', reason: 'is held with reserve' })}${purge({ record_id: 'toolu_012' })}not json\n` })
    const { text, data, status } = await why({}, 'toolu_01', files)
    expect(text?.split('\n')).toEqual([
      'purged  verified invariant of record toolu_01',
      '  rule      unsealed: nobody saw "tool:npm"',
      '  since     record toolu_09',
      '  because   A seal may only say what was seen: nobody knows the value of a key when it was observed.',
      'purged  verified invariant of record toolu_01',
      '  rule      no-hedge: is held with reserve',
      '  because   A guess that is written down becomes a fact to its reader.',
    ])
    expect(data).toMatchObject({ claims: [], purged: [{ rule: 'unsealed', decided_by: 'toolu_09' }, { rule: 'no-hedge', decided_by: null }] })
    expect(status ?? 0).toBe(0)
  })

  it('takes digits for a record where no claim begins with them', async () => {
    const files = holding({ '/repository/.git/remnant/purged/x.jsonl': `${JSON.stringify({ rule: 'limit', reason: 'it is too long', record_id: 'abcd', list: 'falsified_boundaries' })}\n` })
    expect((await why({}, 'abcd', files)).text).toContain('  rule      limit: it is too long')
  })
})
