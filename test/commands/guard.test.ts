import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clone } from '../clone.ts'

const data = (stdout: string) => JSON.parse(stdout)

describe('git remnant guard, started by git', () => {
  it("knows an option that git does not, though git's own folder of commands is first on PATH", () => {
    const made = clone({ fresh: true })
    made.remnant('run', '--', 'git', 'status', '--frobnicate')
    expect(made.remnant('teardown').status).toBe(0)
    expect(made.remnant('guard', '--', 'git', 'status', '--frobnicate')).toMatchObject({ status: 1, stdout: expect.stringContaining('unknown option') })
    // The profile of a login shell may find another git.
    expect(made.remnant('guard', '--', 'bash', '-lc', 'git status --frobnicate')).toMatchObject({ status: 0, stdout: expect.stringContaining('unknown option') })
  })
})

describe('git remnant guard', () => {
  it('tells a known dead end and a deed that was made, with 1, and is silent of all else, with 0', () => {
    const made = clone()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    made.remnant('run', '--', 'no-such-tool', '--run')
    made.remnant('intent', '--', 'npm', 'publish')
    expect(made.remnant('teardown').status).toBe(0)
    // It looks into the store: the index is the hooks'.
    rmSync(join(made.dir, '.git/remnant/guard-claims'))

    const end = made.remnant('guard', '--json', '--', 'no-such-tool', '--run')
    expect({ status: end.status, ...data(end.stdout) }).toMatchObject({ status: 1, decision: 'deny', reason: expect.stringContaining('command not found'), claim_id: expect.stringMatching(/^[0-9a-f]{64}$/), digest: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(made.remnant('guard', '--', 'cd . && no-such-tool --run 2>&1 | tail -3')).toMatchObject({ status: 1, stdout: expect.stringContaining('git remnant why') })
    // Whether a program is missing in a login shell nobody knows who saw it missing in another.
    expect(made.remnant('guard', '--', 'bash', '-lc', 'no-such-tool --run')).toEqual({ status: 0, stdout: '', stderr: '' })
    const deed = made.remnant('guard', '--json', '--', 'npm test && npm publish')
    expect({ status: deed.status, ...data(deed.stdout) }).toMatchObject({ status: 1, decision: 'ask', reason: expect.stringContaining('demo@1.0.0') })
    const none = made.remnant('guard', '--json', '--', 'npm', 'test')
    expect({ status: none.status, ...data(none.stdout) }).toEqual({ status: 0, schemaVersion: 1, decision: 'silent', reason: null, claim_id: null, digest: null })
    expect(made.remnant('guard', '--', 'npm', 'test')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(made.remnant('guard')).toMatchObject({ status: 64, stderr: expect.stringContaining('there is no command') })

    made.write('package.json', '{"name":"demo","version":"1.0.1"}\n')
    expect(made.remnant('guard', '--', 'npm', 'publish').status).toBe(0)
  })
})

describe('what the brief tells as done and not to be repeated', () => {
  const MADE = 'gh pr create --head feat --title x'
  const NOTED = 'gh pr comment 12 --body x'
  const ANEW = 'gh pr create --fill'

  it('is what the guard asks about at the very same command, and at no other', () => {
    const made = clone()
    made.git('remote', 'add', 'origin', 'git@github.com:o/r.git')
    const gh = ['#!/bin/sh', 'case "$*" in', '*comment*) echo https://github.com/o/r/pull/12#issuecomment-99 ;;', '*head*) echo https://github.com/o/r/pull/12 ;;', '*) echo https://github.com/o/r/pull/13 ;;', 'esac', '']
    writeFileSync(join(made.base, 'bin/gh'), gh.join('\n'), { mode: 0o755 })
    for (const line of [MADE, NOTED, ANEW]) expect(made.remnant('run', '--', ...line.split(' ')).status).toBe(0)
    expect(made.remnant('teardown').stdout).toContain('3 commits')

    const told = made.remnant('brief').stdout.split('\n')
    const under = (heading: string) => told.slice(told.findIndex((line) => line.startsWith(heading)) + 1).filter((_, i, all) => all.slice(0, i + 1).every((line) => line.startsWith('- '))).map((line) => line.split('`')[1]).sort()
    expect(under('Done already, not to be repeated')).toEqual([NOTED, MADE])
    expect(under('Done already; what the same command would make now')).toEqual([ANEW])

    const said = (line: string) => data(made.remnant('guard', '--json', '--', ...line.split(' ')).stdout)
    expect(said(MADE)).toMatchObject({ decision: 'ask', reason: expect.stringContaining('github o/r, pull/12') })
    expect(said(NOTED)).toMatchObject({ decision: 'ask', reason: expect.stringContaining('pull/12#issuecomment-99') })
    for (const other of [ANEW, 'gh pr comment 12 --body y', 'gh pr comment 13 --body x', 'gh pr create --head other --title x', 'gh pr comment 12 --body x -R o/other']) expect(said(other)).toMatchObject({ decision: 'silent' })
    // To which repository it goes is not said any more.
    made.git('remote', 'add', 'fork', 'git@github.com:me/r.git')
    for (const line of [MADE, NOTED]) expect(said(line)).toMatchObject({ decision: 'silent' })
    expect(made.remnant('brief').stdout).not.toContain('not to be repeated')
  })
})

describe('git remnant allow --once', () => {
  it('takes a claim by its id or a command, and refuses what is neither', () => {
    const made = clone()
    made.remnant('run', '--', 'no-such-tool', '--run')
    made.remnant('teardown')
    const { claim_id } = data(made.remnant('guard', '--json', '--', 'no-such-tool', '--run').stdout)
    expect(data(made.remnant('allow', '--json', '--once', claim_id.slice(0, 12)).stdout)).toMatchObject({ once: claim_id })
    expect(made.remnant('allow', '--once', 'no-such-tool --run')).toMatchObject({ status: 0, stdout: expect.stringContaining('`no-such-tool --run`') })
    expect(made.remnant('allow', '--once', '--', 'no-such-tool', '--run')).toMatchObject({ status: 0, stdout: expect.stringContaining('`no-such-tool --run`') })
    expect(made.remnant('allow', '--once', '0123456789')).toMatchObject({ status: 1 })
    expect(made.remnant('allow', '--once', '--', 'zzzz')).toMatchObject({ status: 0 })
    expect(made.remnant('allow', '--once', 'git')).toMatchObject({ status: 0, stdout: expect.stringContaining('`git`') })
    expect(made.remnant('allow', '--once', 'zzzz')).toMatchObject({ status: 64, stderr: expect.stringMatching(/"zzzz" is no claim's id, and no program that is found here[^]*behind "--"/) })
    for (const args of [['--once'], ['--once', 'a && b'], ['--once', 'a $X'], [], ['0123', '--', 'npm', 'test']]) expect(made.remnant('allow', ...args)).toMatchObject({ status: 64 })
    expect(made.remnant('guard', '--', 'no-such-tool', '--run').status).toBe(1)
  })
})
