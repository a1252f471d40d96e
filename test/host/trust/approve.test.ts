import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mutations } from '../../../src/mutations.ts'
import { toolchains } from '../../../src/signatures.ts'
import { openApprovals } from '../../../src/host/trust/approvals.ts'
import { approveTyped, approveVerifying } from '../../../src/host/trust/approve.ts'
import { openFiles } from '../../../src/host/files.ts'
import { type CanonicalCommand, commandOf } from '../../../src/model/command.ts'
import { type Keyed, deadEnd, declared, gate, handoff, held } from '../../resolve/records.ts'

function approvals() {
  const dir = mkdtempSync(join(tmpdir(), 'remnant-approve-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return openApprovals({ gitDir: dir, commonDir: dir, workTree: null, objectFormat: 'sha1', refStorage: 'files', bare: true, shallow: false }, openFiles(), 'root')
}

describe('what is typed behind run', () => {
  const approvedOf = (argv: readonly string[], folder: string, asked: readonly CanonicalCommand[]): boolean[] => {
    const known = approvals()
    approveTyped(argv, folder, { mutations }, known)
    return asked.map((command) => known.isApproved(command))
  }

  it('is approved in its folder, and nowhere else', () => {
    const asked = [commandOf(['npm', 'test'], { folder: 'packages/a' }), commandOf(['npm', 'test']), commandOf(['npm', 'run', 'test'], { folder: 'packages/a' })]
    expect(approvedOf(['npm', 'test'], 'packages/a', asked)).toEqual([true, false, false])
  })

  it('is approved as the one command that it is behind what only says how it runs', () => {
    const asked = [commandOf(['npm', 'test'], { folder: 'a', env: [['CI', '1']] }), commandOf(['bash', '-c', 'cd a && CI=1 npm test'])]
    expect(approvedOf(['bash', '-c', 'cd a && CI=1 npm test'], '.', asked)).toEqual([true, true])
  })

  it('approves no part of a list', () => {
    expect(approvedOf(['sh', '-c', 'npm test && npm run lint'], '.', [commandOf(['npm', 'test']), commandOf(['npm', 'run', 'lint'])])).toEqual([false, false])
  })

  it.each([
    ['changes the outside', ['git', 'push', 'origin', 'main'], '.'],
    ['changes the outside in a list', ['sh', '-c', 'npm test && git push origin main'], '.'],
    ['lies outside', ['npm', 'test'], '../other'],
  ])('is not approved where it %s', (_, argv, folder) => {
    expect(approvedOf(argv, folder, [commandOf(argv, { folder })])).toEqual([false])
  })
})

describe('a journal of this clone', () => {
  const approvedBy = (claim: Keyed, argv: readonly string[]): boolean => {
    const known = approvals()
    approveVerifying(held([claim]).remnant, { toolchains, mutations }, known)
    return known.isApproved(commandOf(argv))
  }

  it.each([
    ['a gate', gate(['npm', 'test'], ['tool:npm']), ['npm', 'test'], true],
    ['an open gate', handoff(['npm', 'test'], 'ERR', ['tool:npm']), ['npm', 'test'], true],
    ['a dead end that is a check', deadEnd(['npx', 'tsc', '--noEmit'], 'ERR', [['tool:npm', null]]), ['npx', 'tsc', '--noEmit'], true],
    ['what passed and verifies nothing', gate(['node', 'tools/x.mjs'], ['tool:npm'], { statement: '`node tools/x.mjs` passes in `.`' }), ['node', 'tools/x.mjs'], false],
    ['a dead end that is no check', deadEnd(['npm', 'frobnicate'], 'ERR', [['tool:npm', null]]), ['npm', 'frobnicate'], false],
    ['what was only declared', declared('the tests need no network', ['npm', 'test'], ['tool:npm']), ['npm', 'test'], false],
  ])('approves %s: %4$s', (_, claim, argv, approved) => {
    expect(approvedBy(claim, argv)).toBe(approved)
  })

  it('approves nothing that somebody took back', () => {
    const known = approvals()
    known.revoke(commandOf(['npm', 'test']))
    approveVerifying(held([gate(['npm', 'test'], ['tool:npm'])]).remnant, { toolchains, mutations }, known)
    expect(known.isApproved(commandOf(['npm', 'test']))).toBe(false)
    approveTyped(['npm', 'test'], '.', { mutations }, known)
    expect(known.isApproved(commandOf(['npm', 'test']))).toBe(true)
  })
})
