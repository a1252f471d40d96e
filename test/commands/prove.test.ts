import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOf, sha256 } from '../../src/base/digest.ts'
import { RemnantError } from '../../src/base/errors.ts'
import type { Answer, Host } from '../../src/command.ts'
import prove from '../../src/commands/prove.ts'
import { isTestFile } from '../../src/host/proofs/fix.ts'
import { type DebugResidual, type UnresolvedHandoff, claimId } from '../../src/model/claim.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Remnant } from '../../src/model/remnant.ts'
import { ephemera } from '../../src/ephemera.ts'
import { approvalsHere } from '../../src/host/trust/approvals.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { noteReds, proofsIn } from '../../src/host/proofs.ts'
import type { World } from '../../src/model/probe.ts'
import { mutations } from '../../src/mutations.ts'
import { toolchains } from '../../src/signatures.ts'
import { type Stage, given, stage } from '../stage.ts'
import { aRemnant } from '../remnants.ts'
import { asSealed } from './prove/sealed.ts'

const GATE = 'node --test test/sum.test.js'
const test = (expected: number): string =>
  `const { test } = require('node:test'), assert = require('node:assert'), { sum } = require('../sum.js')\ntest('adds', () => assert.strictEqual(sum(1, 2), ${expected}))\n`
const BROKEN = 'exports.sum = (a, b) => a - b\n'
const WHOLE = 'exports.sum = (a, b) => a + b\n'

/** A repository whose second commit changes these files. */
function fixed(before: Readonly<Record<string, string>>, fix: Readonly<Record<string, string>>, host: Partial<Host> = {}): Stage {
  const world = async (): Promise<World> => ({ rootCommit: async () => 'a'.repeat(40) }) as unknown as World
  const on = stage({ files: before, sets: { toolchains, ephemera, mutations }, host: { processes: openProcesses(), world, ...host } })
  for (const [path, text] of Object.entries(fix)) on.write(path, text)
  on.git('add', '-A')
  on.git('commit', '-q', '--allow-empty', '-m', 'fix')
  return on
}

const proving = (on: Stage, values: Readonly<Record<string, string>> = { gate: GATE }): Promise<Answer> => prove.run(given(values), on.host)

interface Told {
  readonly outcome: string
  readonly red: { readonly runs: readonly { readonly result: string; readonly signature: string | null; readonly reason: string | null }[] }
  readonly green: Told['red']
  readonly claims: readonly string[]
}
const told = ({ data }: Answer): Told => data as unknown as Told
const results = (answer: Answer): string => `${told(answer).outcome}: ${[told(answer).red, told(answer).green].map(({ runs }) => runs.map(({ result }) => result).join(' ')).join(' | ')}`
const reasons = (answer: Answer): string[] => [...told(answer).red.runs, ...told(answer).green.runs].flatMap(({ reason }) => reason ?? [])

const stateOf = (on: Stage): string[] =>
  ['status --porcelain --ignored', 'stash list', 'worktree list --porcelain', 'for-each-ref', 'reflog', 'ls-files --stage'].map((words) => on.git(...words.split(' ')))

async function faultOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise
  } catch (thrown) {
    if (thrown instanceof RemnantError) return `${thrown.fault}: ${thrown.message}`
    throw thrown
  }
  return 'none'
}

describe('prove', () => {
  it('finds a fix proven: its own test is red on the parent and green on it, twice each', async () => {
    const on = fixed({ 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': test(3) })
    on.write('sum.js', 'exports.sum = () => { throw new Error("what the user is at") }\n')
    on.write('untracked.txt', 'x\n')
    on.git('add', 'untracked.txt')
    const before = stateOf(on)
    const answer = await proving(on)
    expect(results(answer)).toBe('PROVEN: red red | green green')
    expect(answer.status).toBe(0)
    expect(told(answer).red.runs[0]?.signature).toMatch(/^✖ adds.*\nAssertionError/)
    expect(stateOf(on)).toEqual(before)
    expect(answer.text?.split('\n')[0]).toBe(`PROVEN  \`${GATE}\``)
  })

  it('finds a test vacuous that the parent passes too', async () => {
    const answer = await proving(fixed({ 'sum.js': WHOLE }, { 'sum.js': `${WHOLE}// tidy\n`, 'test/sum.test.js': test(3) }))
    expect(results(answer)).toBe('VACUOUS: green green | green green')
    expect(answer.status).toBe(1)
  })

  it('finds a fix vacuous that takes its failing test away', async () => {
    const on = fixed({ 'sum.js': BROKEN, 'test/sum.test.js': test(3), 'test/other.test.js': "require('node:test').test('is', () => {})\n" }, {})
    on.git('rm', '-q', 'test/sum.test.js')
    on.git('commit', '-qm', 'less')
    expect(results(await proving(on, { gate: 'node --test' }))).toBe('VACUOUS: green green | green green')
  })

  it('does not take a fix for proven that makes another gate of it, in which no tests are seen to pass', async () => {
    const scripts = (run: string): string => `{"name":"x","scripts":{"test":"${run}"}}\n`
    const before = { 'sum.js': BROKEN, 'test/sum.test.js': test(3), 'package.json': scripts('node --test test/') }
    const off = await proving(fixed(before, { 'package.json': scripts('node -p 1') }), { gate: 'npm test' })
    expect([results(off), off.text?.split('\n').at(3)]).toEqual(['INFRA_FAILURE: red red | green green', '  reason  the commit changes what the gate does, and on it no tests are seen to pass'])
    const other = await proving(fixed(before, { 'sum.js': WHOLE, 'package.json': scripts('node --test test/sum.test.js') }), { gate: 'npm test' })
    expect(results(other)).toBe('PROVEN: red red | green green')
  })

  it('finds a gate still red that the commit does not turn', async () => {
    const answer = await proving(fixed({ 'sum.js': BROKEN }, { 'sum.js': `${BROKEN}// tried\n`, 'test/sum.test.js': test(3) }))
    expect(results(answer)).toBe('STILL_RED: red red | red red')
    expect(answer.status).toBe(1)
  })

  it('finds a gate flaky whose two runs differ', async () => {
    const flaky = `const fs = require('node:fs'), { test } = require('node:test'), assert = require('node:assert')
      const counter = process.env.TMPDIR + '/counter' // outside the tree
      test('comes and goes', () => { fs.appendFileSync(counter, 'x'); assert.ok(fs.readFileSync(counter).length % 2) })\n`
    const on = fixed({ 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': flaky })
    expect(results(await proving(on))).toBe('FLAKY: green red | green red')
  })

  it('finds a gate flaky that fails each time otherwise', async () => {
    const moody = `const fs = require('node:fs'), { test } = require('node:test'), { sum } = require('../sum.js')
      const mark = process.env.TMPDIR + '/mark'
      test('adds', () => { if (sum(1, 2) === 3) return; const again = fs.existsSync(mark); fs.writeFileSync(mark, ''); throw again ? new TypeError('the second is another') : new RangeError('the first is one') })\n`
    const on = fixed({ 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': moody })
    expect(results(await proving(on))).toBe('FLAKY: red red | green green')
  })

  it.each<[string, Record<string, string>, Record<string, string>, string, RegExp]>([
    ['a test file that is not there', { 'sum.js': BROKEN }, { 'sum.js': WHOLE }, GATE, /^a file is missing|^it found no tests/],
    ['a program that is not there', { 'sum.js': BROKEN }, { 'sum.js': WHOLE }, 'no-such-program --test', /^its program is missing$/],
    ['a program of a script that is not there', { 'sum.js': BROKEN, 'package.json': '{"scripts":{"test":"no-such-program"}}' }, { 'sum.js': WHOLE }, 'npm test', /program is missing/],
    ['a package that is not there', { 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': `require('left-pad')\n${test(3)}` }, GATE, /^a package is missing/],
    ['a module that only the fix has', { 'other.js': '' }, { 'sum.js': WHOLE, 'test/sum.test.js': test(3) }, GATE, /^a module is missing/],
    ['a run without any test', { 'sum.js': BROKEN }, { 'sum.js': WHOLE }, 'node --test', /^it found no tests$/],
    ['a folder that the parent lacks', { 'sum.js': BROKEN }, { 'packages/a/x.js': '' }, 'cd packages/a && node --test', /^the commit has no folder/],
  ])('takes %s for a failure of the place, not of the code', async (_, before, fix, gate, reason) => {
    const answer = await proving(fixed(before, fix), { gate })
    expect(told(answer).outcome).toBe('INFRA_FAILURE')
    expect(reasons(answer)[0]).toMatch(reason)
    expect(answer.status).toBe(1)
  })

  it('takes a failure that no toolchain can tell for none', async () => {
    const gate = { 'sum.js': BROKEN, 'ask.js': "process.exit(require('./sum.js').sum(1, 2) === 3 ? 0 : 3)\n" }
    const answer = await proving(fixed(gate, { 'sum.js': WHOLE }), { gate: 'node ask.js' })
    expect(results(answer)).toBe('INFRA_FAILURE: red red | green green')
    expect(answer.text).toContain('  reason  on the parent it fails otherwise than by a failing test\n  red     exit status 3')
  })

  it('ends a gate at the limit, with what it started in the background', async () => {
    const on = fixed({ 'a.txt': '' }, { 'slow.sh': '(while :; do printf x >> "$1"; sleep 0.05; done) &\nsleep 30\n' }, { config: async () => ({ gate: { timeout_s: 1 } }) })
    const beats = join(on.base, 'beats')
    on.write('slow.sh', `${readFileSync(join(on.dir, 'slow.sh'), 'utf8')}# again\n`)
    on.git('commit', '-qam', 'slow')
    const answer = await proving(on, { gate: `sh slow.sh ${beats}` })
    expect(told(answer).outcome).toBe('INFRA_FAILURE')
    expect(reasons(answer)[0]).toBe('it took over 1 s')
    const size = existsSync(beats) ? readFileSync(beats).length : 0
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(existsSync(beats) ? readFileSync(beats).length : 0).toBe(size)
  })

  it('says that the set-up failed, and runs nothing', async () => {
    const on = fixed({ 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': test(3) }, { config: async () => ({ gate: { setup: [['sh', '-c', 'exit 4']] } }) })
    const answer = await proving(on)
    expect(results(answer)).toBe('INFRA_FAILURE: infra | infra')
    expect(reasons(answer)[0]).toBe('the set-up "sh" ended with status 4')
  })

  it('runs the committed code of a workspace package that node_modules links, and refuses a link into the user\'s tree', async () => {
    const before = { '.gitignore': 'node_modules\n', 'packages/sum/index.js': BROKEN, 'main.test.js': '' }
    const fix = { 'packages/sum/index.js': WHOLE, 'main.test.js': test(3).replace('../sum.js', 'sum') }
    const on = fixed(before, fix)
    on.write('node_modules/.keep', '')
    symlinkSync('../packages/sum', join(on.dir, 'node_modules/sum'))
    on.write('packages/sum/index.js', 'exports.sum = () => 99\n')
    expect(results(await proving(on, { gate: 'node --test main.test.js' }))).toBe('PROVEN: red red | green green')
    symlinkSync(join(on.dir, 'packages/sum'), join(on.dir, 'node_modules/again'))
    const answer = await proving(on, { gate: 'node --test main.test.js' })
    expect(results(answer)).toBe('INFRA_FAILURE: infra | infra')
    expect(reasons(answer)[0]).toMatch(/leads into your own work tree/)
  })
})

describe('prove refuses', () => {
  const plain = { 'sum.js': BROKEN }
  it.each<[string, (on: Stage) => Record<string, string>, string]>([
    ['a commit without a parent', () => ({ gate: GATE, commit: 'HEAD~1' }), 'misuse: commit "…" has no parent here on which the gate could be red'],
    ['what is no commit', () => ({ gate: GATE, commit: 'no-such-branch' }), 'misuse: there is no commit "no-such-branch"'],
    ['what looks like an option', () => ({ gate: GATE, commit: '--output=x' }), 'misuse: there is no commit "--output=x"'],
    ['a gate of several commands', () => ({ gate: 'npm test && npm run lint' }), 'misuse: the gate is not one command that can be read'],
    ['a gate with variables', () => ({ gate: 'npm test $WHAT' }), 'misuse: the gate is not one command that can be read'],
    ['a gate that changes the world outside', () => ({ gate: 'npm publish' }), 'refused: the gate changes the world outside, and would do so four times'],
    ['a gate that needs root', () => ({ gate: 'sudo npm test' }), 'refused: the command needs root'],
    ['to guess a gate where no claim names one', () => ({}), 'misuse: no claim of this clone names a gate'],
  ])('%s', async (_, values, fault) => {
    const on = fixed(plain, { 'sum.js': WHOLE })
    expect((await faultOf(proving(on, values(on)))).replace(/commit "[0-9a-f]{12}"/, 'commit "…"')).toBe(fault)
    expect(on.git('worktree', 'list').trim().split('\n')).toHaveLength(1)
  })

  it('a merge', async () => {
    const on = fixed(plain, { 'sum.js': WHOLE })
    on.git('checkout', '-qb', 'side', 'HEAD~1')
    on.git('commit', '-q', '--allow-empty', '-m', 'side')
    on.git('merge', '-q', '--no-edit', 'main')
    expect(await faultOf(proving(on))).toMatch(/^misuse: commit "[0-9a-f]{12}" is a merge/)
  })

  it('the code of a commit that is on no branch of this clone', async () => {
    const on = fixed(plain, { 'sum.js': WHOLE })
    on.git('update-ref', 'refs/remotes/origin/theirs', 'HEAD')
    on.git('reset', '-q', '--hard', 'HEAD~1')
    expect(await faultOf(proving(on, { gate: GATE, commit: 'refs/remotes/origin/theirs' }))).toMatch(/^refused: commit "[0-9a-f]{12}" is on no branch of this clone$/)
  })
})

const command = commandOf(GATE.split(' '))
const receipt = { host: 'claude-code', record_id: 'call-1', command, outcome: { is: 'code' as const, code: 0 }, output_sha256: null, strength: 'recorded' as const }

function residualOf(patch_id: string, gate = command): DebugResidual {
  const about = { root_cause_invariant: 'The sum subtracts', falsified_branches: [], verified_patch_receipt: { patch_id, diff_sha256: 'b'.repeat(64) }, regression_gate_signature: gate, proof: null, verification_receipt: receipt }
  return { claim_id: claimId.debug_residuals(about), ...about }
}

function handoffOf(terminal_error_signature: string): UnresolvedHandoff {
  const about = { failing_gate: command, terminal_error_signature, open_since_patch: null, falsified_branches: [], verification_receipt: { ...receipt, outcome: { is: 'code' as const, code: 1 } } }
  return { claim_id: claimId.unresolved_handoffs(about), ...about }
}

/** A remnant of this clone that holds these claims and no others, each on what lies in the repository. */
const holding = (more: Partial<Remnant>, session = 's'): Remnant => {
  const claims = [...(more.debug_residuals ?? []), ...(more.unresolved_handoffs ?? [])]
  const dependencies = claims.map(({ claim_id }): [string, string[]] => [claim_id, ['tool:npm']]).sort(([a], [b]) => (a < b ? -1 : 1))
  return aRemnant([], { session_id: session, claim_dependency_map: dependencies, provenance: { host: 'claude-code', observed_until: '2026-06-01T10:00:00Z', head: null, patch_ids: [] }, ...more })
}

describe('what this clone knows of the gate', () => {
  const fix = (): Stage => fixed({ 'sum.js': BROKEN }, { 'sum.js': WHOLE, 'test/sum.test.js': test(3) })

  it('names it, once it is approved here', async () => {
    const on = fix()
    await on.store.write(holding({ debug_residuals: [residualOf('c'.repeat(64))] }))
    expect(await faultOf(proving(on, {}))).toBe(`refused: the gate "${GATE}" is not approved in this clone`)
    ;(await approvalsHere(on.host)).approve(command)
    expect(results(await proving(on, {}))).toBe('PROVEN: red red | green green')
  })

  it('must be one: of several, none is guessed', async () => {
    const on = fix()
    await on.store.write(aRemnant(['npm test', 'npm run lint']))
    expect(await faultOf(proving(on, {}))).toBe('misuse: several gates of this clone could show it')
    await expect(proving(on, {})).rejects.toMatchObject({ hint: 'name the test that the fix turns green, as --gate CMD; there are `npm run lint`, `npm test`' })
  })

  const patchOf = (on: Stage, ...paths: string[]): string => {
    const blob = (rev: string): string | null => (on.git('ls-tree', rev.split(':')[0] as string, rev.split(':')[1] as string).split(/\s/)[2] ?? null)
    return digestOf(paths.map((path) => [path, blob(`HEAD~1:${path}`), blob(`HEAD:${path}`)]))
  }
  const holdingAll = (residuals: readonly DebugResidual[], session?: string): Remnant => holding({ debug_residuals: [...residuals].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1)) }, session)
  const same = (on: Stage): Host => ({ ...on.host, sets: async () => ({ ...(await on.host.sets()), probes: asSealed() }) })
  const remnantIn = async (on: Stage, digest: string): Promise<Remnant> => {
    const stored = await on.store.read(digest)
    if (stored === null || !('remnant' in stored)) throw new Error(digest)
    return stored.remnant
  }

  it('notes what came of it, by gate and commit', async () => {
    const on = fix()
    const answer = await proving(on)
    const { signature } = told(answer).red.runs[0] ?? {}
    expect(proofsIn(on.repository, on.files)).toEqual([{ gate: digestOf(command), commit: on.git('rev-parse', 'HEAD').trim(), outcome: 'PROVEN', red: sha256(signature as string) }])
    expect(answer.data?.['sealed']).toBeNull()
  })

  it('raises exactly the residual whose patch it is, and leaves the others where they are', async () => {
    const on = fix()
    const [its, other] = [residualOf(patchOf(on, 'sum.js')), residualOf('c'.repeat(64))]
    const { digest } = await on.store.write(holdingAll([its, other]))
    const answer = await prove.run(given({ gate: GATE }), same(on))
    expect([told(answer).outcome, told(answer).claims]).toEqual(['PROVEN', [its.claim_id]])
    const { digest: raised } = answer.data?.['sealed'] as { digest: string }
    expect(answer.text).toContain(`sealed  ${raised.slice(0, 12)}  refs/remnants/${raised}`)
    const remnant = await remnantIn(on, raised)
    expect(remnant.debug_residuals).toEqual([
      { ...its, proof: 'PROVEN', verification_receipt: { host: 'git-remnant', record_id: expect.any(String), command, outcome: { is: 'code', code: 0 }, output_sha256: expect.stringMatching(/^[0-9a-f]{64}$/), strength: 'reproduced' } },
    ])
    expect(remnant.supersedes).toEqual([[digest, [its.claim_id]]])
  })

  it('raises nothing that it did not find proven', async () => {
    const on = fixed({ 'sum.js': BROKEN }, { 'sum.js': `${BROKEN}// tried\n`, 'test/sum.test.js': test(3) })
    await on.store.write(holdingAll([residualOf(patchOf(on, 'sum.js'))]))
    const answer = await prove.run(given({ gate: GATE }), same(on))
    expect([told(answer).outcome, answer.data?.['sealed']]).toEqual(['STILL_RED', null])
    expect(proofsIn(on.repository, on.files)).toMatchObject([{ outcome: 'STILL_RED', red: expect.any(String) }])
    expect(await on.store.digests()).toHaveLength(1)
  })

  it('takes only the red for red that the session of the fix recorded', async () => {
    const on = fix()
    const its = residualOf(patchOf(on, 'sum.js'))
    await on.store.write(holdingAll([its]))
    noteReds(new Map([[its.claim_id, ['✖ adds\nAssertionError: another failure']]]), on.repository, on.files)
    const otherwise = await prove.run(given({ gate: GATE }), same(on))
    expect(results(otherwise)).toBe('INFRA_FAILURE: red red | green green')
    expect(otherwise.text).toMatch(/\n {2}reason {2}on the parent it fails otherwise than the session recorded\n {2}red {5}✖ adds/)
    expect(await on.store.digests()).toHaveLength(1)
    const { signature } = told(await proving(fix())).red.runs[0] ?? {}
    noteReds(new Map([[its.claim_id, [signature as string]]]), on.repository, on.files)
    expect(results(await prove.run(given({ gate: GATE }), same(on)))).toBe('PROVEN: red red | green green')
  })

  it('says how red it was: only that counts', async () => {
    const on = fix()
    const { signature } = told(await proving(on)).red.runs[0] ?? {}
    await on.store.write(holding({ unresolved_handoffs: [handoffOf('✖ adds\nAssertionError: another failure')] }))
    expect(results(await proving(on))).toBe('INFRA_FAILURE: red red | green green')
    await on.store.write(holding({ unresolved_handoffs: [handoffOf(signature as string)] }, 'another'))
    expect(results(await proving(on))).toBe('PROVEN: red red | green green')
  })
})

describe('a file is a test', () => {
  it.each([
    ['test/a.js', true],
    ['packages/x/tests/deep/b.py', true],
    ['src/__tests__/x.ts', true],
    ['spec/models/user.rb', true],
    ['src/sum.test.ts', true],
    ['src/sum_test.go', true],
    ['pkg/test_sum.py', true],
    ['src/main/SumTest.java', true],
    ['conftest.py', true],
    ['src/__snapshots__/a.snap', true],
    ['src/contest.js', false],
    ['src/latest.ts', false],
    ['testing.md', false],
    ['src/attestation/x.js', false],
    ['package.json', false],
  ])('%s: %s', (path, is) => expect(isTestFile(path)).toBe(is))
})
