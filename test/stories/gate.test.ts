import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const TEST = "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './add.mjs'\ntest('adds', () => assert.equal(add(1, 2), 3))\n"
const RIGHT = 'export const add = (a, b) => a + b\n'
const WRONG = 'export const add = (a, b) => a - b\n'

/** A project whose tests were witnessed and sealed, on a remote. */
function project(): Clone {
  const made = clone()
  made.write('package.json', '{"name":"sums","version":"1.0.0","scripts":{"test":"node --test"}}\n')
  made.write('add.mjs', RIGHT)
  made.write('add.test.mjs', TEST)
  made.git('add', '-A')
  made.git('commit', '-qm', 'adds')
  made.git('init', '-q', '--bare', join(made.base, 'remote.git'))
  made.git('remote', 'add', 'origin', join(made.base, 'remote.git'))
  expect(made.remnant('init').status).toBe(0)
  made.git('push', '-q', 'origin', 'main')
  expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
  expect(made.remnant('teardown').status).toBe(0)
  return made
}

const push = (made: Clone, ...args: string[]) => made.run(['git', 'push', '-q', 'origin', ...args])
const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)

describe('a regression gate', () => {
  it('that a session proved stops the push that breaks it, and lets the one pass that mends it', () => {
    const made = project()
    made.write('add.mjs', WRONG)
    made.git('commit', '-qam', 'subtracts')
    const stopped = push(made, 'main')
    expect(stopped.status).toBe(1)
    expect(stopped.stderr).toMatch(/^git-remnant: push stopped: `npm test` is red at [0-9a-f]{12}\n {2}claim [0-9a-f]{12}: `npm test` is a gate of `\.`\n {2}\| ✖ adds\b/)
    const id = /look closer: git remnant why ([0-9a-f]{12})/.exec(stopped.stderr)?.[1] ?? ''
    expect(made.remnant('why', id).stdout).toContain('`npm test` is a gate of `.`')
    made.write('add.mjs', RIGHT)
    made.git('commit', '-qam', 'adds again')
    expect(push(made, 'main')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('is asked of any commit, in words and as JSON, and leaves nothing behind', () => {
    const made = project()
    made.write('add.mjs', WRONG)
    made.git('commit', '-qam', 'subtracts')
    expect(made.remnant('gate', 'HEAD~1')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^green +`npm test` {2}[\d.]+ s\n1 of 1 gates run: 1 green\nrun in a temporary tree; /) })
    const red = json(made, 'gate', '--junit', 'junit.xml')
    expect(red).toMatchObject({ schemaVersion: 1, known: 1, run: 1, counts: { red: 1, green: 0 }, gates: [{ command: { argv: ['npm', 'test'] }, result: 'red', signature: expect.stringContaining('✖ adds') }] })
    expect(readFileSync(join(made.dir, 'junit.xml'), 'utf8')).toContain('<failure type="red" message="✖ adds')
    expect(made.git('worktree', 'list').split('\n')).toHaveLength(1)
    expect(existsSync(join(made.dir, '.git/worktrees'))).toBe(false)
    expect(made.git('status', '--porcelain')).toBe('?? junit.xml')
  })

  it('that nobody allows any more is not run, and a pipeline never takes that for a success', () => {
    const made = project()
    const [{ claim_id: id }] = json(made, 'gate').gates
    expect(made.remnant('gate', '--ci').status).toBe(0)
    expect(made.remnant('deny', id.slice(0, 12)).status).toBe(0)
    expect(made.remnant('gate')).toMatchObject({ status: 77, stdout: expect.stringContaining(`git remnant allow ${id.slice(0, 12)}\n0 of 1 gates run: 1 not-approved`) })
    expect(made.remnant('gate', '--ci').status).toBe(77)
  })

  it('is nobody’s in a fresh clone', () => {
    const made = project()
    made.git('push', '-q', 'origin', 'refs/remnants/*:refs/remnants/*')
    made.run(['git', 'clone', '-q', join(made.base, 'remote.git'), join(made.base, 'fresh')], { cwd: made.base })
    const cwd = join(made.base, 'fresh')
    expect(made.run(['git', 'fetch', '-q', 'origin', 'refs/remnants/*:refs/remnants/*'], { cwd }).status).toBe(0)
    expect(made.run(['git', 'remnant', 'gate'], { cwd })).toMatchObject({ status: 0, stdout: 'no live claim that is trusted here names a gate\n' })
    expect(made.run(['git', 'remnant', 'gate', '--ci'], { cwd }).status).toBe(77)
  })

  it('is none in a bare repository that sealed nothing, and has nothing to be run on without a commit', () => {
    const made = project()
    expect(made.run(['git', 'remnant', 'gate'], { cwd: join(made.base, 'remote.git') })).toMatchObject({ status: 0, stdout: 'no live claim that is trusted here names a gate\n' })
    expect(made.run(['git', 'init', '-q', 'empty'], { cwd: made.base }).status).toBe(0)
    expect(made.run(['git', 'remnant', 'gate'], { cwd: join(made.base, 'empty') })).toMatchObject({ status: 64, stderr: 'git-remnant: there is no commit "HEAD"\nhint: name a branch, a tag or a commit of this repository\n' })
  })
})
