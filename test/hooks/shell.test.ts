import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blockOf, handLineOf } from '../../src/host/hooks/text.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const shells = [['sh'], ['dash'], ['bash'], ['bash', '--posix'], ['busybox', 'ash'], ['ksh'], ['zsh']].filter(([program = '']) => spawnSync(program, ['-c', ':']).status !== null && !spawnSync(program, ['-c', ':']).error)
const LINES = 'refs/heads/a 1111 refs/heads/a 0000\nHEAD^{/two words} 2222 refs/heads/b 3333\n'

/** A package whose hook does what the test says, with a git-remnant on PATH beside it. */
function fake(hook: string) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "o'neil's-")))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const folder of ['hooks', 'bin']) mkdirSync(join(base, folder))
  for (const path of ['bin/git-remnant', 'hooks/pre-push', 'hooks/post-commit', 'hooks/post-merge']) {
    writeFileSync(join(base, path), hook)
    chmodSync(join(base, path), 0o755)
  }
  const run = (shell: readonly string[], script: string, input: string, path = `${join(base, 'bin')}:${process.env.PATH}`) => {
    const { status, stdout, stderr } = spawnSync(shell[0] as string, [...shell.slice(1), '-c', script, 'pre-push', 'origin', 'a b'], { input, encoding: 'utf8', env: { ...process.env, PATH: path } })
    return { status, stdout, stderr }
  }
  return { base, run }
}

describe.each(shells)('in %s', (...shell) => {
  it.each([
    ['', ''],
    ['git wrote', LINES],
    ['is one long push', LINES.repeat(3000)],
    ['would be expanded', '$HOME `id` $(id) \\n REMNANT_IN\nREMNANT_IN\n'],
  ])('the block of pre-push gives back to the hook what it read: %s', (_, input) => {
    const { base, run } = fake('#!/bin/sh\nwhile IFS= read -r line; do :; done\nexit 0\n')
    expect(run(shell, `${blockOf('pre-push', base)}\ncat; echo "[$1][$2]"`, input)).toEqual({ status: 0, stdout: `${input}[origin][a b]\n`, stderr: '' })
  })

  it('the block of pre-push hands its hook the arguments and the lines, and ends with 1 where that says so', () => {
    const { base, run } = fake('#!/bin/sh\necho "<$1><$2>"; cat; exit 1\n')
    expect(run(shell, `${blockOf('pre-push', base)}\necho on`, LINES)).toEqual({ status: 1, stdout: `<origin><a b>\n${LINES}`, stderr: '' })
  })

  it.each([2, 70, 126, 127, 255])('the block of pre-push goes on after status %i: only 1 stops a push', (status) => {
    const { base, run } = fake(`#!/bin/sh\nexit ${status}\n`)
    expect(run(shell, `${blockOf('pre-push', base)}\ncat`, LINES)).toMatchObject({ status: 0, stdout: LINES })
    expect(run(shell, `${handLineOf('pre-push', base)}\necho on`, LINES)).toMatchObject({ status: 0, stdout: 'on\n' })
  })

  it('the blocks do no harm under -eu', () => {
    const { base, run } = fake('#!/bin/sh\nexit 3\n')
    expect(run(shell, `set -eu\n${blockOf('pre-push', base)}\n${blockOf('post-commit', base)}\n${blockOf('post-merge', base)}\n${handLineOf('post-commit', base)}\ncat`, LINES)).toMatchObject({ status: 0, stdout: LINES })
  })

  it('the line added by hand stops a push with status 1', () => {
    const { base, run } = fake('#!/bin/sh\nexit 1\n')
    expect(run(shell, `${handLineOf('pre-push', base)}\necho on`, LINES)).toMatchObject({ status: 1, stdout: '' })
    expect(run(shell, `${handLineOf('post-commit', base)}\necho on`, LINES)).toMatchObject({ status: 0, stdout: 'on\n' })
  })

  it('the blocks do nothing where the tool or the package is gone', () => {
    const { base, run } = fake('#!/bin/sh\nexit 1\n')
    expect(run(shell, `${blockOf('pre-push', base)}\ncat`, LINES, '/usr/bin:/bin')).toEqual({ status: 0, stdout: LINES, stderr: '' })
    expect(run(shell, `${blockOf('pre-push', '/nowhere')}\ncat`, LINES)).toEqual({ status: 0, stdout: LINES, stderr: '' })
    expect(run(shell, `${blockOf('post-commit', '/nowhere')}\necho on`, '')).toEqual({ status: 0, stdout: 'on\n', stderr: '' })
  })
})

/** Runs a shipped hook in a folder whose git directory holds `paths`; with a node on PATH that says with what it was started. */
function shipped(shell: readonly string[], name: string, paths: readonly string[], more: { env?: Record<string, string>; input?: string; says?: string; status?: number } = {}) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'a hook-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  for (const path of ['bin/', '.git/', ...paths]) {
    mkdirSync(join(base, path.endsWith('/') ? path : join(path, '..')), { recursive: true })
    if (!path.endsWith('/')) writeFileSync(join(base, path), path.endsWith('commondir') ? '../..\n' : path === 'linked/.git' ? `gitdir: ${base}/.git/worktrees/linked\n` : path.endsWith('/own') ? `${'a'.repeat(64)}\n` : '')
  }
  writeFileSync(join(base, 'bin/node'), `#!/bin/sh\nshift\necho "node: $*" >&2\ncat >&2\nprintf '%s' '${more.says ?? ''}'\nexit ${more.status ?? 0}\n`, { mode: 0o755 })
  const cwd = paths.includes('linked/.git') ? join(base, 'linked') : base
  const env = { ...process.env, PATH: `${join(base, 'bin')}:${process.env.PATH}`, ...Object.fromEntries(Object.entries(more.env ?? {}).map(([key, value]) => [key, value.replace('BASE', base)])) }
  const { status, stdout, stderr } = spawnSync(shell[0] as string, [...shell.slice(1), join(top, 'hooks', name), 'origin', 'url'], { cwd, env, input: more.input ?? '', encoding: 'utf8' })
  return { status, stdout, stderr }
}

const SEALS = { status: 0, stdout: '', stderr: 'node: hook post-commit\n' }
const LEAVES = { status: 0, stdout: '', stderr: '' }
const journal = '.git/remnant/journals/a.jsonl'

describe.each(shells)('hooks/post-commit in %s', (...shell) => {
  it.each([
    ['starts Node where a journal is unsealed', [journal], {}, SEALS],
    ['leaves where there is none', [], {}, LEAVES],
    ['leaves where journals are no files', ['.git/remnant/journals/a.jsonl/', '.git/remnant/journals/b.txt'], {}, LEAVES],
    ['leaves in a rebase', [journal, '.git/rebase-merge/'], {}, LEAVES],
    ['leaves in a rebase of the other kind', [journal, '.git/rebase-apply/'], {}, LEAVES],
    ['leaves while a sequence of commits is made', [journal, '.git/sequencer/'], {}, LEAVES],
    ['leaves in a cherry-pick', [journal, '.git/CHERRY_PICK_HEAD'], {}, LEAVES],
    ['leaves where it is switched off', [journal], { env: { REMNANT: '0' } }, LEAVES],
    ['finds the directory that git names', [journal], { env: { GIT_DIR: 'BASE/.git' } }, SEALS],
    ['finds the common directory that git names', ['own/', journal], { env: { GIT_DIR: 'BASE/own', GIT_COMMON_DIR: 'BASE/.git' } }, SEALS],
    ['finds the common directory of a linked work tree', ['linked/.git', '.git/worktrees/linked/commondir', journal], {}, SEALS],
    ["minds the linked work tree's own rebase", ['linked/.git', '.git/worktrees/linked/commondir', '.git/worktrees/linked/rebase-merge/', journal], {}, LEAVES],
    ["minds no other work tree's rebase", ['linked/.git', '.git/worktrees/linked/commondir', '.git/rebase-merge/', journal], {}, SEALS],
    ['does not fail where sealing fails', [journal], { status: 70 }, SEALS],
    ['answers to the mark', [journal], { env: { REMNANT_PROBE: '1' } }, { status: 0, stdout: 'git-remnant post-commit\n', stderr: '' }],
  ] as const)('%s', (_, paths, more, expected) => {
    expect(shipped(shell, 'post-commit', paths, more)).toEqual(expected)
  })
})

describe.each(shells)('hooks/pre-push in %s', (...shell) => {
  const branch = 'refs/heads/a 1111 refs/heads/a 0000\n'
  const remnant = 'refs/remnants/x 1111 refs/remnants/x 0000\n'
  const odd = 'HEAD^{/refs/remnants/ x} 1111 refs/heads/b 0000\n'
  it.each([
    ['passes a branch without Node', branch, {}, LEAVES],
    ['passes a deletion without Node', '(delete) 0000 refs/heads/a 1111\n', {}, LEAVES],
    ['passes an empty push', '', {}, LEAVES],
    ['is not taken in by a local name', odd, {}, LEAVES],
    ['looks at a remnant', branch + remnant, {}, { status: 0, stdout: '', stderr: `node: hook pre-push -- origin url\n${branch}${remnant}` }],
    ['looks at a line without its end', remnant.trimEnd(), {}, { status: 0, stdout: '', stderr: `node: hook pre-push -- origin url\n${remnant}` }],
    ['stops for what Node names', remnant, { says: 'x is broken', status: 1 }, { status: 1, stdout: '', stderr: `node: hook pre-push -- origin url\n${remnant}x is broken\n` }],
    ['passes where Node fails without a word', remnant, { status: 1 }, { status: 0, stdout: '', stderr: `node: hook pre-push -- origin url\n${remnant}` }],
    ['passes where Node fails otherwise', remnant, { says: 'x', status: 70 }, { status: 0, stdout: '', stderr: `node: hook pre-push -- origin url\n${remnant}` }],
    ['is switched off', remnant, { env: { REMNANT: '0' } }, LEAVES],
    ['answers to the mark', remnant, { env: { REMNANT_PROBE: '1' } }, { status: 0, stdout: 'git-remnant pre-push\n', stderr: '' }],
  ] as const)('%s', (_, input, more, expected) => {
    expect(shipped(shell, 'pre-push', [], { ...more, input })).toEqual(expected)
  })

  const looks = { status: 0, stdout: '', stderr: `node: hook pre-push -- origin url\n${branch}` }
  const own = '.git/remnant/own'
  it.each([
    ['looks at a branch where this clone sealed something', [own], branch, {}, looks],
    ['looks from a linked work tree', ['linked/.git', '.git/worktrees/linked/commondir', own], branch, {}, looks],
    ['looks where git names the directory', [own], branch, { GIT_DIR: 'BASE/.git' }, looks],
    ['leaves at a deletion there', [own], '(delete) 0000 refs/heads/a 1111\n', {}, LEAVES],
    ['leaves where it is switched off there', [own], branch, { REMNANT: '0' }, LEAVES],
  ] as const)('%s', (_, paths, input, env, expected) => {
    expect(shipped(shell, 'pre-push', paths, { env, input })).toEqual(expected)
  })
})

describe.each(shells)('hooks/guard in %s', (...shell) => {
  it.each(['PreToolUse', 'SessionStart'])('lets the call of %s go on in silence where nobody calls, or nobody could be answered', (event) => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'a hook-')))
    onTestFinished(() => rmSync(base, { recursive: true, force: true }))
    mkdirSync(join(base, '.git/remnant'), { recursive: true })
    writeFileSync(join(base, '.git/remnant/guard-index'), 'git-remnant-index 1\nneedle\n')
    for (const closed of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) {
      const { status, stdout, stderr } = spawnSync('sh', ['-c', `"$@" ${closed}`, 'sh', ...shell, join(top, 'hooks/guard'), 'claude', event], { cwd: base, input: '{"needle":1}\n', encoding: 'utf8', timeout: 5000 })
      expect({ closed, status, stdout, stderr }).toEqual({ closed, status: 0, stdout: '', stderr: '' })
    }
  })
})
