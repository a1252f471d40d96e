import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { openFiles } from '../../src/host/files.ts'
import { openGit, openRepository } from '../../src/host/git.ts'
import { commandOf } from '../../src/model/command.ts'
import { openStore } from '../../src/store.ts'
import { type Clone, clone } from '../clone.ts'
import { type Keyed, gate, held, idOf } from '../resolve/records.ts'
import { ENV, QUICK } from '../stage.ts'

const CHECK = gate(['sh', 'check.sh'], ['file:check.sh'])
const short = (id: string): string => id.slice(0, 12)

interface Shape {
  readonly files?: Readonly<Record<string, string>>
  readonly claims?: readonly Keyed[]
  readonly approved?: boolean
}

const FIRST = { 'check.sh': 'echo run >>"$HOME/runs"\ngrep -q good answer || { echo "Error: the answer is bad" >&2; exit 1; }\n', answer: 'good\n', 'docs/a.md': '' }

/** A clone with our hooks and a remote that has its first commits. */
function laidOut(files: Readonly<Record<string, string>>): Clone {
  const made = clone()
  made.git('init', '-q', '--bare', join(made.base, 'remote.git'))
  made.git('remote', 'add', 'origin', '../remote.git')
  for (const [path, text] of Object.entries({ ...FIRST, ...files })) made.write(path, text)
  made.git('add', '-A')
  made.git('commit', '-qm', 'second')
  expect(made.remnant('init').status).toBe(0)
  made.git('push', '-q', 'origin', 'main')
  return made
}

const PARTS = ['work', 'remote.git']
let kept = ''
afterAll(() => kept !== '' && rmSync(kept, { recursive: true, force: true }))

/** The same, made once and copied. */
function copied(): Clone {
  if (kept === '') {
    const first = laidOut({})
    kept = mkdtempSync(join(tmpdir(), 'guarded-'))
    for (const part of PARTS) cpSync(join(first.base, part), join(kept, part), { recursive: true })
  }
  const made = clone()
  rmSync(made.dir, { recursive: true })
  for (const part of PARTS) cpSync(join(kept, part), join(made.base, part), { recursive: true })
  return made
}

/** A clone with our hooks that sealed these claims. Each run of `check.sh` writes a line to `runs`. */
async function guarded({ files, claims = [CHECK], approved = true }: Shape = {}): Promise<Clone & { readonly runs: () => number }> {
  const made = files === undefined ? copied() : laidOut(files)
  // The count lies outside the tree, where a sandbox lets nobody write.
  writeFileSync(join(made.base, 'bin/bwrap'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  const count = join(made.base, 'home/runs')
  const repository = openRepository(made.dir, ENV)
  await openStore({ repository, git: async () => openGit(repository, ENV), files: openFiles(), disk: QUICK }).write(held(claims).remnant)
  const approvals = openApprovals(repository, openFiles(), made.git('rev-list', '--max-parents=0', 'HEAD'))
  if (approved) for (const { claim } of claims) approvals.approve((claim as unknown as { verification_receipt: { command: ReturnType<typeof commandOf> } }).verification_receipt.command)
  return { ...made, runs: () => (existsSync(count) ? readFileSync(count, 'utf8').split('\n').length - 1 : 0) }
}

const push = (made: Clone, ...args: string[]) => made.run(['git', 'push', '-q', 'origin', ...args])
const commit = (made: Clone, path: string, text: string) => {
  made.write(path, text)
  made.git('add', path)
  made.git('commit', '-qm', `change ${path}`)
}
const PASSES = { status: 0, stdout: '', stderr: '' }

describe('git push', () => {
  it('passes without a word where the gate is green', async () => {
    const made = await guarded()
    commit(made, 'answer', 'good, better\n')
    expect(push(made, 'main')).toEqual(PASSES)
    expect(made.runs()).toBe(1)
  })

  it('goes on where the gate could not run at the commit, and says so', async () => {
    const claims = [gate(['make', 'test'], ['file:Makefile'])]
    const made = await guarded({ files: { Makefile: 'test:\n\ttrue\n' }, claims })
    commit(made, 'Makefile', 'other:\n\ttrue\n')
    const { status, stderr } = push(made, 'main')
    expect(status).toBe(0)
    expect(stderr).toMatch(/^git-remnant: gate `make test` could not be judged: it could not run at this commit: make: \*\*\* No rule to make target [^\n]*\n$/)
  })

  it('stops where a gate is red, and names the claim, the signature, and the ways out, in a few lines', async () => {
    const made = await guarded()
    const before = made.git('rev-parse', 'HEAD')
    commit(made, 'answer', 'bad\n')
    const { status, stderr } = push(made, 'main')
    const id = short(idOf(CHECK))
    expect({ status, lines: stderr.split('\n').slice(0, 5) }).toEqual({
      status: 1,
      lines: [
        `git-remnant: push stopped: \`sh check.sh\` is red at ${short(made.git('rev-parse', 'HEAD'))}`,
        `  claim ${id}: \`sh check.sh\` is a gate of \`.\``,
        '  | Error: the answer is bad',
        `  look closer: git remnant why ${id}`,
        `  if it is to guard pushes no more: git remnant deny ${id}`,
      ],
    })
    expect(made.remnant('deny', id).status).toBe(0)
    expect(push(made, 'main')).toMatchObject({ status: 0, stderr: expect.stringContaining('was not run') })
    made.git('push', '-qf', '--no-verify', 'origin', `${before}:main`)
    expect(made.remnant('why', id).status).toBe(0)
    expect(made.run(['git', 'rev-parse', 'main'], { cwd: join(made.base, 'remote.git') }).stdout.trim()).toBe(before)
    expect(made.git('status', '--porcelain')).toBe('')
  })

  it('runs nothing where nothing is touched that a gate rests on', async () => {
    const claims = [gate(['sh', 'check.sh'], ['file:check.sh', 'file:answer', 'tree:src'])]
    const made = await guarded({ claims })
    commit(made, 'docs/a.md', 'more\n')
    expect(push(made, 'main')).toEqual(PASSES)
    expect(made.runs()).toBe(0)
    commit(made, 'src/new', '1\n')
    expect(push(made, 'main')).toEqual(PASSES)
    expect(made.runs()).toBe(1)
  })

  it('tries what is pushed and not what lies in the dirty tree', async () => {
    const made = await guarded()
    commit(made, 'answer', 'bad\n')
    made.write('answer', 'good\n')
    expect(push(made, 'main').status).toBe(1)
    made.git('commit', '-qam', 'mend it')
    made.write('answer', 'bad\n')
    expect(push(made, 'main')).toEqual(PASSES)
    expect(made.read('answer')).toBe('bad\n')
  })

  it('names a gate that is not approved, and goes on', async () => {
    const made = await guarded({ approved: false })
    commit(made, 'answer', 'bad\n')
    const warning = `git-remnant: gate \`sh check.sh\` was not run: it is not approved in this clone (git remnant why ${short(idOf(CHECK))})\n`
    expect(push(made, 'main')).toEqual({ ...PASSES, stderr: warning })
    expect(made.runs()).toBe(0)
  })

  it.each([
    ['whose program is missing', 'no-such-program-here\n', {}, /^git-remnant: gate `sh check\.sh` could not be judged: a program is missing: no-such-program-here: command not found\n$/],
    ['that is flaky', 'echo x >>state; test "$(wc -l <state)" -ge 2\n', {}, /^git-remnant: gate `sh check\.sh` is FLAKY: red, then green in the same place \(git remnant why \w{12}\)\n$/],
    ['that hangs', 'sleep 86321.5 & sleep 86321.5\n', { timeout_s: 1 }, /^git-remnant: gate `sh check\.sh` could not be judged: it took over 1 s\n$/],
  ])('names a gate %s, and goes on', async (_, script, config, warning) => {
    const made = await guarded()
    writeFileSync(join(made.dir, '.git/remnant/config.json'), JSON.stringify({ gate: config }))
    commit(made, 'check.sh', script)
    expect(push(made, 'main')).toEqual({ status: 0, stdout: '', stderr: expect.stringMatching(warning) })
    expect(spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout).not.toContain('sleep 86321.5')
  })

  it('names a gate that was slow, and goes on', async () => {
    const made = await guarded()
    expect(made.remnant('gate').status).toBe(0)
    const cache = join(made.dir, '.git/remnant/cache/gates.json')
    writeFileSync(cache, readFileSync(cache, 'utf8').replace(/:[\d.]+/, ':45'))
    commit(made, 'answer', 'bad\n')
    expect(push(made, 'main')).toEqual({ ...PASSES, stderr: 'git-remnant: gate `sh check.sh` was not run: it last took 45 s (git remnant gate --ci runs it)\n' })
  })

  it('runs nothing with REMNANT=0 or --no-verify', async () => {
    const made = await guarded()
    commit(made, 'answer', 'bad\n')
    expect(made.run(['git', 'push', '-q', 'origin', 'main:one'], { env: { REMNANT: '0' } })).toEqual(PASSES)
    expect(push(made, '--no-verify', 'main:two')).toEqual(PASSES)
    expect(made.runs()).toBe(0)
  })

  it('looks at a new branch from where it leaves what the remote has', async () => {
    const made = await guarded({ claims: [gate(['sh', 'check.sh'], ['file:check.sh', 'file:answer'])] })
    made.git('switch', '-qc', 'topic')
    commit(made, 'docs/a.md', 'more\n')
    expect(push(made, 'topic')).toEqual(PASSES)
    expect(made.runs()).toBe(0)
    made.git('switch', '-qc', 'other')
    commit(made, 'answer', 'bad\n')
    expect(push(made, 'other').status).toBe(1)
    expect(push(made, 'other~1:refs/heads/copy')).toEqual(PASSES)
    expect(made.runs()).toBe(3)
  })

  it('looks at all of a branch that a remote without a name gets', async () => {
    const made = await guarded()
    made.git('init', '-q', '--bare', join(made.base, 'fresh.git'))
    expect(made.run(['git', 'push', '-q', join(made.base, 'fresh.git'), 'main'])).toEqual(PASSES)
    expect(made.runs()).toBe(1)
  })

  it('runs nothing for a deletion, nor for a tag of what the remote has', async () => {
    const made = await guarded()
    expect(push(made, 'main:side')).toEqual(PASSES)
    expect(push(made, ':side')).toEqual(PASSES)
    made.git('tag', '-m', 'first of all', 'v1')
    expect(push(made, 'v1')).toEqual(PASSES)
    expect(made.runs()).toBe(0)
  })

  it('looks into a tag of what is new, and not into a tag of a file, nor into notes', async () => {
    const made = await guarded()
    commit(made, 'answer', 'bad\n')
    made.git('tag', '-m', 'second', 'v2')
    expect(push(made, 'v2').status).toBe(1)
    const runs = made.runs()
    made.git('tag', 'file', made.git('rev-parse', 'HEAD:answer'))
    made.git('notes', 'add', '-m', 'a note', 'HEAD')
    expect(push(made, 'file', 'refs/notes/commits')).toEqual(PASSES)
    expect(made.runs()).toBe(runs)
  })

  it('runs a gate once for several refs of one commit', async () => {
    const made = await guarded()
    commit(made, 'answer', 'good again\n')
    expect(push(made, 'main', 'main:copy', 'main:refs/tags/v3')).toEqual(PASSES)
    expect(made.runs()).toBe(1)
  })

  it('looks at what a forced push changes on the remote', async () => {
    const made = await guarded()
    commit(made, 'answer', 'good, better\n')
    expect(push(made, 'main')).toEqual(PASSES)
    made.git('reset', '-q', '--hard', 'HEAD~1')
    commit(made, 'docs/a.md', 'other\n')
    expect(push(made, '--force', 'main')).toEqual(PASSES)
    expect(made.runs()).toBe(2)
  })

  it('works from a linked work tree', async () => {
    const made = await guarded()
    made.git('worktree', 'add', '-q', '-b', 'linked', '../linked')
    const cwd = join(made.base, 'linked')
    writeFileSync(join(cwd, 'answer'), 'bad\n')
    expect(made.run(['git', 'commit', '-qam', 'break it'], { cwd }).status).toBe(0)
    expect(made.run(['git', 'push', '-q', 'origin', 'linked'], { cwd })).toMatchObject({ status: 1, stderr: expect.stringContaining('is red at') })
  })

  it('holds a red gate against no push where it is red before it too, in a tree that lacks what git ignores', async () => {
    const made = await guarded({ files: { '.gitignore': 'built/\n', 'check.sh': 'grep -q good built/answer\n' } })
    made.write('built/answer', 'good\n')
    commit(made, 'answer', 'other\n')
    expect(push(made, 'main')).toEqual(PASSES)
    commit(made, 'answer', 'another\n')
    made.write('docs/a.md', 'dirt\n')
    const reason = `it is red at ${short(made.git('rev-parse', 'HEAD~1'))} too, in a tree without what git ignores; "gate.copy" in the configuration lists what it needs`
    expect(push(made, 'main')).toEqual({ ...PASSES, stderr: `git-remnant: gate \`sh check.sh\` could not be judged: ${reason}\n` })
    commit(made, 'check.sh', 'echo "Error: it is broken" >&2; exit 1\n')
    writeFileSync(join(made.dir, '.git/remnant/config.json'), '{"gate":{"copy":["built"]}}')
    expect(push(made, 'main').status).toBe(1)
  })

  it('starts no Node in a clone that sealed nothing', async () => {
    const made = await guarded()
    writeFileSync(join(made.dir, '.git/remnant/own'), '')
    writeFileSync(join(made.base, 'bin/node'), '#!/bin/sh\necho "node was started" >&2\nexit 1\n', { mode: 0o755 })
    commit(made, 'answer', 'bad\n')
    expect(push(made, 'main')).toEqual(PASSES)
  })
})
