import { describe, expect, it } from 'vitest'
import { withExplanations } from '../../../src/commands/teardown/explain.ts'
import { type Places, placesIn } from '../../../src/commands/teardown/places.ts'
import { seal } from '../../../src/distill.ts'
import type { Line } from '../../../src/model/format.ts'
import { type Step, draftOf, edited, plainValues, ran, sets, turnsOf } from '../../distill/session.ts'

const GREEN = '# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.0\n'
const RED = "not ok 1 - a\n  ---\n  error: 'Expected 1'\n  code: 'ERR_ASSERTION'\n  ...\n# tests 1\n# suites 0\n# pass 0\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.0\n"

/** A log in which each step's result stands on the line of its number, from 10 on. */
function placesOf(steps: readonly Step[]): Places {
  const places = placesIn(['/logs/s.jsonl'])
  for (const [i, turn] of turnsOf(steps).entries()) places.note(turn, { file: 0, number: 10 + i } as Line)
  return places
}

async function explained(steps: readonly Step[], places: Places | null = placesOf(steps), other: Readonly<Record<string, string>> = {}) {
  const made = await draftOf(steps)
  const distillation = seal(made, plainValues(made.wanted, other), 'here')
  return withExplanations({ text: 'sealed', data: { digest: null } }, [{ made, distillation, places }], sets)
}
const linesOf = async (...args: Parameters<typeof explained>): Promise<string[]> => (await explained(...args)).text?.split('\n') ?? []
/** An edit of which the log holds the whole content. */
const whole = (before: string, after: string): Step => ({ kind: 'edit', command: null, edits: [{ path: '/home/dev/clockwork/src/a.js', before: before.repeat(40), after: after.repeat(40) }] })
const rows = (lines: readonly string[], label: string): string[] => lines.filter((line) => line.startsWith(`  ${label.padEnd(9)} `)).map((line) => line.slice(12))

describe('the explanation of a teardown', () => {
  it('leads from a claim to the line of its proof, to what it outlived, to its rules and to who saw its keys', async () => {
    const lines = await linesOf([ran('npm test', 1, RED), edited('src/a.js'), ran('npm test', 0, GREEN), ran('npm test', 0, GREEN)])
    expect(lines.slice(0, 3)).toEqual(['sealed', expect.stringMatching(/^kept [0-9a-f]{12} {2}verified invariant$/), '  `npm test` is a gate of `.`'])
    expect(rows(lines, 'proof')).toEqual(['claude-code record call-2 (/logs/s.jsonl, line 12)'])
    expect(rows(lines, 'shows')).toEqual(['`npm test` → 0, as the host recorded it'])
    expect(rows(lines, 'runs')).toEqual(['3: the last decides, which passed (/logs/s.jsonl, line 13)'])
    expect(rows(lines, 'outlived')).toEqual(['1 that failed, the last one in record call-0 (/logs/s.jsonl, line 10)'])
    expect(rows(lines, 'rules')).toEqual(['passed no-deixis, no-hedge, no-plan, declarative, not-narrative, no-ephemera, no-secret'])
    expect(rows(lines, 'keys')).toEqual(['file:package.json platform privilege repository tool:node tool:npm: read now, vouched for by --here'])
  })

  it('says which keys were seen at the moment itself', async () => {
    const seen = { 'file:package.json': 'a', 'tool:npm': 'b', 'tool:node': 'c' }
    const lines = await linesOf([ran('npm test', 0, GREEN, { keys: seen })], null, seen)
    expect(rows(lines, 'keys')).toEqual(['file:package.json tool:node tool:npm: seen at that moment', 'platform privilege repository: read now, vouched for by --here'])
    expect(rows(lines, 'proof')).toEqual(['claude-code record call-0'])
  })

  it('names the record in which somebody declared a claim', async () => {
    const lines = await linesOf([ran('npm test', 0, GREEN), ran("git remnant claim 'The cache must be writable.' --by 'npm test' --effect 'require path cache'", 0, 'admitted')])
    expect(rows(lines, 'declared')).toEqual(['record call-1 (/logs/s.jsonl, line 11); the proof is the result that it leans on'])
  })

  it.each<[string, readonly Step[], string, string]>([
    ['an edit whose result the log does not hold', [edited('src/a.js')], '', 'none: the log shows that a file was edited between the last red run of the gate and its first green one, and not its whole content afterwards: record call-2 (/logs/s.jsonl, line 12)'],
    ['a command that may have changed anything', [ran("sed -i 's/a/b/' b.js")], '', 'none: a command between the last red run of the gate and its first green one may have changed something, and nobody recorded what: record call-2 (/logs/s.jsonl, line 12)'],
    ['an edit that nobody recorded', [], '', 'none: no edit was recorded between the last red run of the gate and its first green one (one by hand is seen only between two runs by "git remnant run", and never in what git ignores)'],
    ['an edit that was put back', [whole('a', 'b'), whole('b', 'a')], '', 'none: what was edited since the gate was first red was put back before it turned green'],
    ['another gate than the one that turned', [whole('a', 'b'), ran('npm run lint')], " --gate 'npm run lint'", 'none: the named gate was not seen to turn from red to green before it'],
  ])('says why a declared cause is no residual: %s', async (_, between, more, why) => {
    const { text, data } = await explained([ran('npm test', 1, RED), ran('npm test', 1, RED), ...between, ran('npm test', 0, GREEN), ran(`git remnant claim --root-cause 'The parser drops the sign'${more}`, 0, 'admitted')])
    expect(rows(text?.split('\n') ?? [], 'residual')).toEqual([why])
    expect(JSON.stringify(data)).toContain('"unresidual":{"reason":')
  })

  it('has nothing of the kind to say of a residual', async () => {
    const lines = await linesOf([ran('npm test', 1, RED), ran('npm test', 1, RED), whole('a', 'b'), ran('npm test', 0, GREEN), ran("git remnant claim --root-cause 'The parser drops the sign'", 0, 'admitted')])
    expect(lines).toContainEqual(expect.stringMatching(/^kept [0-9a-f]{12} {2}debug residual$/))
    expect(rows(lines, 'residual')).toEqual([])
  })

  it('screens the words of a dead end, and asks no prose rule of them', async () => {
    const lines = await linesOf([ran('jest', 127, 'bash: line 1: jest: command not found')])
    expect(rows(lines, 'rules')).toEqual(['passed no-ephemera, no-secret'])
  })

  it.each<[string, readonly Step[], string[]]>([
    ['what changed afterwards, and in which record', [ran('npm test', 0, GREEN), edited('package.json')], ['precondition: something that it rests on changed afterwards', 'record call-1 (/logs/s.jsonl, line 11)', 'It was observed under other circumstances than those that would be sealed.']],
    ['a later run that may have failed', [ran('npm test', 0, GREEN), ran('npm test > out.txt 2>&1; tail -50 out.txt', 0, RED)], ['doubtful: a later run of it may have failed', 'record call-1 (/logs/s.jsonl, line 11)', 'The last run decides, and nobody kept how that one ended.']],
    ['a red outcome that was seen once', [ran('node app.mjs', 1, 'Error: x\n    at a')], ['seen-once: a red outcome that was seen once may be chance', '', 'A red outcome that was seen once may be chance.']],
  ])('leads from what was purged to its rule, and to what decided: %s', async (_, steps, [rule, since, because]) => {
    const lines = await linesOf(steps)
    expect(lines[1]).toMatch(/^purged {2}(?:verified invariant|falsified boundary) of `(?:npm test|node app\.mjs)` at 2026-06-01 10:00:00 UTC, record call-0 \(\/logs\/s\.jsonl, line 10\)$/)
    expect([rows(lines, 'rule')[0], rows(lines, 'since')[0] ?? '', rows(lines, 'because')[0]]).toEqual([rule, since, because])
  })

  it('tells no word of what was purged', async () => {
    const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'
    const steps = [ran('npm test', 0, GREEN), ran(`git remnant claim 'I think the token ${secret} is fine' --effect 'use tool npm'`, 0, 'admitted'), ran(`make test TOKEN=${secret}`, 0, 'ok')]
    const { text, data } = await explained(steps)
    expect(text).toContain('purged')
    expect(text + JSON.stringify(data)).not.toMatch(/ghp_|I think|fine/)
  })

  it('names no command in which a rule would refuse something', async () => {
    const lines = await linesOf([ran('make -C /tmp/build-4711 test', 0, 'ok'), edited('Makefile')])
    expect(lines.filter((line) => line.startsWith('purged'))).toEqual(['purged  verified invariant of record call-0 at 2026-06-01 10:00:00 UTC (/logs/s.jsonl, line 10)'])
  })

  it('says in plain words why no claim came of what was witnessed, and counts what a host noted', async () => {
    const own = { host: 'git-remnant' } as const
    const lines = await linesOf([ran('cat missing', 1, 'cat: missing: No such file or directory', own), ran('./vendor.sh', { is: 'unknown' }, 'git-remnant: ./vendor.sh: Permission denied\n', own), ran('frobnicate', 130, '', own)])
    expect(lines.slice(1)).toEqual([
      'no claim of `cat missing` at 2026-06-01 10:00:00 UTC, record call-0',
      '  because   the status answers a question (is it there? does it match?), so that it is neither a success nor a dead end',
      'no claim of `./vendor.sh` at 2026-06-01 10:01:00 UTC, record call-1',
      '  because   it could not be started, and no key here shows what would change that',
      'no claim of `frobnicate` at 2026-06-01 10:02:00 UTC, record call-2',
      '  because   what befell it passes (a time limit, a signal, the network), so that it rules nothing out',
    ])
    const { text, data } = await explained([ran('grep x a', 1), ran('grep x b', 1), ran('cat missing', 1, 'cat: missing: No such file or directory')])
    expect(text?.split('\n').slice(1)).toEqual(['no claim of 3 other commands: the status answers a question (is it there? does it match?), so that it is neither a success nor a dead end'])
    expect(data).toMatchObject({ explained: [{ unproven: [], unproven_others: { answer: 3 } }] })
  })

  it('gives the same as data', async () => {
    const { data } = await explained([ran('npm test', 1, RED), ran('npm test', 0, GREEN), ran('make lint', 0, 'ok'), edited('Makefile')])
    expect(data).toMatchObject({
      digest: null,
      explained: [
        {
          claims: [
            {
              kind: 'verified_invariants',
              record_id: 'call-1',
              place: { file: '/logs/s.jsonl', line: 11 },
              strength: 'recorded',
              runs: [
                { record_id: 'call-0', passed: false, decides: false },
                { record_id: 'call-1', passed: true, decides: true },
              ],
              keys: expect.arrayContaining([{ key: 'tool:npm', seen: 'vouched' }]),
            },
          ],
          purged: [{ kind: 'verified_invariants', record_id: 'call-2', rule: 'precondition', decided_by: { record_id: 'call-3', place: { line: 13 } } }],
        },
      ],
    })
  })
})
