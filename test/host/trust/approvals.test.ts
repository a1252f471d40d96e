import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openApprovals } from '../../../src/host/trust/approvals.ts'
import { openFiles } from '../../../src/host/files.ts'
import type { Repository } from '../../../src/host/git.ts'
import { commandOf } from '../../../src/model/command.ts'

function ground() {
  const dir = mkdtempSync(join(tmpdir(), 'remnant-approvals-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const repository: Repository = { gitDir: dir, commonDir: dir, workTree: null, objectFormat: 'sha1', refStorage: 'files', bare: true, shallow: false }
  return { path: join(dir, 'remnant/approvals'), open: (root = 'a'.repeat(40)) => openApprovals(repository, openFiles(), root) }
}

const test = commandOf(['npm', 'test'], { folder: 'packages/a', env: [['CI', '1']] })
const config = 'c'.repeat(64)

describe('the approvals of a clone', () => {
  it('are none at first', () => {
    const { open } = ground()
    expect([open().isApproved(test), open().isConfigApproved(config), open().list()]).toEqual([false, false, []])
  })

  it('stay for whoever opens them next, in a file of the owner alone', () => {
    const { open, path } = ground()
    open().approve(test)
    open().approveConfig(config)
    expect([open().isApproved(test), open().isConfigApproved(config), open().isConfigApproved('d'.repeat(64))]).toEqual([true, true, false])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(open().list().map(({ kind }) => kind)).toEqual(['command', 'config'])
  })

  it.each([
    ['one word', { ...test, argv: ['npm', 'test '] }],
    ['one word more', { ...test, argv: ['npm', 'test', ''] }],
    ['two words for one', { ...test, argv: ['npm test'] }],
    ['the folder', { ...test, folder: 'packages/b' }],
    ['the environment', { ...test, env: [['CI', '2']] as [string, string][] }],
    ['the place', { ...test, where: 'host:a' }],
    ['the privilege', { ...test, privilege: 'root' as const }],
  ])('ask again when %s has changed', (_what, other) => {
    const { open } = ground()
    open().approve(test)
    expect(open().isApproved(other)).toBe(false)
  })

  it('do not count in another repository', () => {
    const { open } = ground()
    open('a'.repeat(40)).approve(test)
    expect([open('b'.repeat(40)).isApproved(test), open('b'.repeat(40)).revoke(test), open('a'.repeat(40)).isApproved(test)]).toEqual([false, false, true])
  })

  it('are taken back, and given again', () => {
    const { open } = ground()
    expect(open().revoke(test)).toBe(false)
    open().approve(test)
    expect([open().revoke(test), open().isApproved(test), open().revoke(test)]).toEqual([true, false, false])
    open().approve(test)
    expect(open().isApproved(test)).toBe(true)
  })

  it('are written once, however often they are given', () => {
    const { open, path } = ground()
    for (const approvals of [open(), open()]) approvals.approve(test)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2)
  })

  it('of two that are open at once lose nothing to one another', () => {
    const { open } = ground()
    const [one, two] = [open(), open()]
    expect([one.isApproved(test), two.isApproved(test)]).toEqual([false, false])
    one.approve(test)
    two.approve(commandOf(['make']))
    one.revokeConfig(config)
    expect([open().isApproved(test), open().isApproved(commandOf(['make']))]).toEqual([true, true])
  })

  it('take a line that a crash cut short for none', () => {
    const { open, path } = ground()
    open().approve(test)
    const line = readFileSync(path, 'utf8')
    open().revoke(test)
    appendFileSync(path, line.slice(0, -2))
    expect(open().isApproved(test)).toBe(false)
    open().approve(commandOf(['make']))
    expect([open().isApproved(commandOf(['make'])), open().isApproved(test)]).toEqual([true, false])
  })

  it('hold no word of a command', () => {
    const { open, path } = ground()
    open().approve(test)
    expect(readFileSync(path, 'utf8')).toMatch(/^allow command [0-9a-f]{64}\n$/)
  })
})
