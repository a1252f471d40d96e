import { describe, expect, it } from 'vitest'
import { observe } from '../../src/distill/observe.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import { toolchains } from '../../src/signatures.ts'
import { type Step, distilled, kept, ran, stream, turnsOf } from './session.ts'

const JEST_GREEN = 'PASS src/a.test.js\n\nTest Suites: 1 passed, 1 total\nTests:       12 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n'
const JEST_RED = 'FAIL src/a.test.js\n\nTest Suites: 1 failed, 1 total\nTests:       1 failed, 11 passed, 12 total\nSnapshots:   0 total\nTime:        1.2 s\n'
const VITEST_GREEN = ' RUN  v4.1.10 /repo\n\n\n Test Files  2 passed (2)\n      Tests  9 passed (9)\n   Start at  10:00:00\n   Duration  1.20s (transform 10ms)\n'
const code = (n: number): Outcome => ({ is: 'code', code: n })
const UNKNOWN: Outcome = { is: 'unknown' }
const ANSWER: Outcome = { is: 'answer' }
const TRANSIENT: Outcome = { is: 'transient' }
const summary = (passed: boolean): Outcome => ({ is: 'summary', passed })

const rows: readonly [string, Outcome, string, Outcome][] = [
  ['npm test', code(0), JEST_GREEN, code(0)],
  ['npm test', code(1), JEST_RED, code(1)],
  ['npm test', { is: 'success' }, JEST_GREEN, { is: 'success' }],
  ['cd packages/a && npm test', code(1), JEST_RED, code(1)],
  ["bash -lc 'npm test'", code(1), JEST_RED, code(1)],
  // another command's status
  ['npm test | tail -20', code(0), JEST_GREEN, summary(true)],
  ['npm test 2>&1 | tail -20', code(0), JEST_RED, summary(false)],
  ['npm test 2>&1 | tee out.txt', code(0), JEST_RED, summary(false)],
  ['biome check a.ts 2>&1 | tail -20', code(0), '(eval):1: command not found: biome\n', summary(false)],
  ['biome check a.ts 2>&1 | tail -20', code(0), '/bin/bash: line 1: biome: command not found\n', summary(false)],
  ['biome check a.ts 2>&1 | tail -20', code(0), 'Checked 1 file\n(eval):1: command not found: biome\n', UNKNOWN],
  ['biome check a.ts 2>&1 | tail -20', code(0), '(eval):1: command not found: node\n', UNKNOWN],
  ['biome check a.ts 2>&1 | grep -v x', code(0), '(eval):1: command not found: biome\n', UNKNOWN],
  ['npm test | head -20', code(0), JEST_GREEN, UNKNOWN],
  ['npm test | grep passed', code(0), JEST_GREEN, UNKNOWN],
  ['npm test > out.txt', code(0), '', code(0)],
  ['npm test || true', code(0), JEST_RED, summary(false)],
  ['npm test || true', code(0), 'no closing lines', UNKNOWN],
  ['npm test; echo "exit: $?"', code(0), `${JEST_RED}exit: 1\n`, summary(false)],
  ['npm test > /dev/null 2>&1; echo "exit: $?"', code(0), 'exit: 1\n', summary(false)],
  ['npm test 2>&1 | tail -3; echo "exit: $?"', code(0), 'exit: 0\n', UNKNOWN],
  ['npm test &', code(0), '', UNKNOWN],
  ['set -o pipefail; npm test | tail -5', code(1), JEST_RED, code(1)],
  ['npm test', UNKNOWN, JEST_RED, summary(false)],
  // a runner of several steps
  ['vp run test', UNKNOWN, `$ vitest run ⊘ cache disabled\n\n${VITEST_GREEN}\n---\nvp run: 0/1 cache hit (0%).\n`, summary(true)],
  ['vp run --filter=@a/b test', UNKNOWN, `~/packages/b$ vp test ⊘ cache disabled\n${VITEST_GREEN}\n`, summary(true)],
  ['vp test', UNKNOWN, VITEST_GREEN, summary(true)],
  ['vp run test', UNKNOWN, `$ vitest run && tsc ⊘ cache disabled\n\n${VITEST_GREEN}`, UNKNOWN],
  ['vp run test', UNKNOWN, `~/packages/b$ vitest run ⊘ cache disabled\n\n${VITEST_GREEN}\n~/packages/b$ tsc ⊘ cache disabled\n`, UNKNOWN],
  ['npm test', UNKNOWN, `\n> a@1.0.0 pretest\n> jest\n\n${JEST_GREEN}\n> a@1.0.0 test\n> node check.js\n\n`, UNKNOWN],
  ['npm test', UNKNOWN, `\n> a@1.0.0 pretest\n> node check.js\n\n\n> a@1.0.0 test\n> jest\n\n${JEST_GREEN}`, summary(true)],
  ['make check', UNKNOWN, `npx jest\n${JEST_GREEN}`, summary(true)],
  ['make check', UNKNOWN, `npx jest\n${JEST_GREEN}cd go && go build ./...\n`, UNKNOWN],
  ['make check', UNKNOWN, `npm test\n\n> a@1.0.0 test\n> jest\n\n${JEST_GREEN}go vet ./...\n`, UNKNOWN],
  ['make check', UNKNOWN, `npx jest\n${JEST_GREEN}make: Leaving directory '/repo'\n`, summary(true)],
  ['make check', UNKNOWN, `npx jest\n${JEST_RED}make: *** [Makefile:3: check] Error 1\n`, summary(false)],
  // a status that is the answer
  ['grep -r needle src', code(1), '', ANSWER],
  ['grep -r needle src', code(0), 'src/a.ts:needle', ANSWER],
  ['rg needle', code(1), '', ANSWER],
  ['diff a b', code(1), '< x', ANSWER],
  ['test -f x', code(1), '', ANSWER],
  ['which jest', code(1), '', ANSWER],
  ['git diff --exit-code', code(1), '', ANSWER],
  ['git merge-base --is-ancestor a b', code(1), '', ANSWER],
  ['ls missing', code(2), "ls: cannot access 'missing': No such file or directory", ANSWER],
  ['cat missing', code(1), 'cat: missing: No such file or directory', ANSWER],
  // the status of another
  ['cd gone && npm test', code(1), 'bash: line 1: cd: gone: No such file or directory', UNKNOWN],
  ['cd gone && npm test', code(2), "sh: 1: cd: can't cd to gone", UNKNOWN],
  ['cd gone && npm test', code(1), '(eval):cd:1: no such file or directory: gone', UNKNOWN],
  // what passes
  ['npm test', TRANSIENT, '', TRANSIENT],
  ['timeout 5 npm test', code(124), '', TRANSIENT],
  ['npm test', code(130), '', TRANSIENT],
  ['npm test', code(137), 'Killed', TRANSIENT],
  ['npm install', code(1), 'npm error code ENOTFOUND\nnpm error network request failed', TRANSIENT],
  // no shell that can be read
  ['npm test "', code(0), JEST_GREEN, UNKNOWN],
]

describe('an outcome is what it proves', () => {
  it.each(rows)('%s with %o', async (command, logged, output, expected) => {
    const [turn] = turnsOf([ran(command, logged, output)])
    const seen = []
    for await (const { observation } of observe(stream([turn as never]), toolchains, [])) seen.push(observation)
    expect(seen[0]?.outcome).toEqual(expected)
    const again = []
    for await (const { observation } of observe(stream([{ ...(turn as never as object), outcome: expected } as never]), toolchains, [])) again.push(observation.outcome)
    expect(again).toEqual([expected])
  })

  it('takes a record that comes again as one record', async () => {
    const [turn] = turnsOf([ran('npm test', 0, JEST_GREEN)])
    const seen = []
    for await (const { observation } of observe(stream([turn, turn] as never[]), toolchains, [])) seen.push(observation)
    expect(seen).toHaveLength(1)
  })

  it('never takes in what this program itself printed', async () => {
    const turns = turnsOf([ran('git remnant brief', 0, 'npm test is a gate')])
    for await (const { observation } of observe(stream(turns), toolchains, [])) expect(observation.output).toBeNull()
  })

  it('makes folders and paths relative to the first recorded folder, or to the work tree that holds it', async () => {
    const [first, second, third] = turnsOf([ran('ls', 0, '', { cwd: '/home/dev/w/packages/a' }), ran('ls', 0, '', { cwd: '/home/dev/w' }), ran('ls', 0, '', { cwd: '/srv/other' })])
    const folders = async (roots: string[]) => {
      const seen: string[] = []
      for await (const { observation: { folder } } of observe(stream([first, second, third] as never[]), toolchains, roots)) seen.push(folder)
      return seen
    }
    expect(await folders(['/home/dev/w'])).toEqual(['packages/a', '.', '/srv/other'])
    expect(await folders([])).toEqual(['.', '/home/dev/w', '/srv/other'])
  })

  it.each([
    ['a repository, whose first command ran in another one', '/home/dev/w', ['/srv/other', 'a']],
    ['a folder of the repository', '/home/dev/w/a', ['/srv/other', 'a']],
    ['a folder that holds the repository', '/home/dev', ['/srv/other', 'a']],
    ['another clone of it', '/srv/other', ['.', '/home/dev/w/a']],
  ])('takes the root of a session from where it was started: %s', async (_, started, folders) => {
    const turns = turnsOf([ran('npm test', 0, JEST_GREEN, { cwd: '/srv/other', started }), ran('npm test', 0, JEST_GREEN, { cwd: '/home/dev/w/a', started })])
    const seen: string[] = []
    for await (const { observation } of observe(stream(turns), toolchains, ['/home/dev/w'])) seen.push(observation.folder)
    expect(seen).toEqual(folders)
  })
})

describe('a check that fails without a word', () => {
  const seen = { host: 'git-remnant' } as const
  it.each<[string, Step, string[]]>([
    ['is told by its status', ran('npm test', 1, '\n> x@1.0.0 test\n> test "$MODE" = good\n\n', seen), ['red npm test']],
    ['and so with an assignment before it', ran('MODE=bad npm test', 3, '', seen), ['red npm test']],
    ['and so where it is a program of the repository', ran('./check.sh', 1, '', seen), ['red ./check.sh']],
    ['is not where nobody kept what it said', { ...ran('npm test', 1, '', seen), output: null }, []],
    ['nor where its words were hidden', ran('npm test > /dev/null 2>&1', 1, '', seen), []],
    ['nor where it is no check', ran('frobnicate', 1, '', seen), []],
    ['nor where something stopped it', ran('npm test', 137, '', seen), []],
  ])('%s', async (_, step, claims) => expect(kept(await distilled([step]))).toEqual(claims))

  it('is the same fault with the same status only', async () => {
    const signatures = await Promise.all([1, 1, 2].map(async (status) => (await distilled([ran('npm test', status, '', seen)])).remnant?.falsified_boundaries[0]?.terminal_error_signature))
    expect(signatures).toEqual(['exit status 1', 'exit status 1', 'exit status 2'])
  })
})
