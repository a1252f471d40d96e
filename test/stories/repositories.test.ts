import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clone } from '../clone.ts'
import { type Place, at, git, placeAt, project } from '../places.ts'

const WORKING: Readonly<Record<string, () => Place>> = {
  'a detached HEAD': () => {
    const made = project()
    made.git('checkout', '-q', '--detach')
    return placeAt(made, made.dir)
  },
  'a submodule': () => {
    const made = project()
    git(made, made.base, 'init', '-q', 'above')
    git(made, at(made, 'above'), 'submodule', '--quiet', 'add', made.dir, 'below')
    return placeAt(made, at(made, 'above/below'))
  },
  'a linked work tree': () => {
    const made = project()
    made.git('worktree', 'add', '-q', '-b', 'other', at(made, 'linked'))
    return placeAt(made, at(made, 'linked'))
  },
  'a shallow clone that was told where it begins': () => {
    const made = project()
    git(made, made.base, 'clone', '-q', '--depth=1', `file://${made.dir}`, 'shallow')
    mkdirSync(at(made, 'shallow/.remnants'))
    writeFileSync(at(made, 'shallow/.remnants/config.json'), JSON.stringify({ repository_root: made.git('rev-list', '--max-parents=0', 'HEAD') }))
    return placeAt(made, at(made, 'shallow'))
  },
}

describe.each(Object.entries(WORKING))('%s', (_name, open) => {
  it('is a repository like any other: from init to what a successor reads, runs again, and gates', () => {
    const { made, dir, remnant, json } = open()
    expect(remnant('init').status).toBe(0)
    expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
    const { digest } = json('teardown')
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(json('resolve').remnants).toMatchObject([{ digest, verdict: 'NO_DRIFT' }])
    expect(remnant('brief').stdout).toContain('`npm test` is a gate of `.`')
    expect(remnant('gate')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^green /) })

    writeFileSync(join(dir, 'package.json'), '{"name":"w","version":"1.0.1","scripts":{"test":"sh check.sh"}}\n')
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'FULL_RECONSTRUCTION_REQUIRED', reason: 'all-claims' }])
    expect(json('reprobe')).toMatchObject({ held: [expect.any(String)], suspended: [] })
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    expect(json('verify')).toMatchObject({ faults: [] })
    expect(remnant('deinit').status).toBe(0)
    expect(made.run(['git', 'fsck', '--strict'], { cwd: dir }).status).toBe(0)
  })
})

describe('a shallow clone that knows not where it begins', () => {
  it('runs commands, seals nothing, and says what would help', () => {
    const made = project()
    git(made, made.base, 'clone', '-q', '--depth=1', `file://${made.dir}`, 'shallow')
    const { remnant, json } = placeAt(made, at(made, 'shallow'))
    expect(remnant('init').status).toBe(0)
    expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
    expect(remnant('teardown')).toMatchObject({ status: 66, stdout: expect.stringMatching(/1 unsealed\nhint: "repository" can not be read: .*git fetch --unshallow/) })
    expect(json('resolve').remnants).toEqual([])
    expect(remnant('brief')).toMatchObject({ status: 0, stdout: '' })
    expect(remnant('reprobe')).toMatchObject({ status: 0, stdout: 'nothing is suspended; nothing was run\n' })
    expect(remnant('fingerprint').status).toBe(0)
    const read = made.run(['git', 'remnant', 'fingerprint'], { cwd: at(made, 'shallow'), input: '{"keys":["repository"]}\n' })
    expect(JSON.parse(read.stdout).unreadable.repository).toContain('git fetch --unshallow')
  })

  it('suspends what was sealed where all of it was there', () => {
    const made = project()
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    expect(made.remnant('teardown').status).toBe(0)
    git(made, made.base, 'clone', '-q', '--depth=1', `file://${made.dir}`, 'shallow')
    git(made, at(made, 'shallow'), 'fetch', '-q', '--no-prune', 'origin', 'refs/remnants/*:refs/remnants/*')
    const { json, remnant } = placeAt(made, at(made, 'shallow'))
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'FULL_RECONSTRUCTION_REQUIRED', reason: 'structural', drifted_keys: ['repository'] }])
    expect(remnant('resolve').stdout).toContain('git fetch --unshallow')
  })
})

describe('a bare repository', () => {
  const HINTED = /^git-remnant: .*work tree.*\nhint: .+\n$/

  it('keeps and shows remnants, and refuses what needs a work tree', () => {
    const made = project()
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    const { digest } = JSON.parse(made.remnant('teardown', '--json').stdout)
    git(made, made.base, 'init', '-q', '--bare', 'bare.git')
    made.git('push', '-q', at(made, 'bare.git'), 'main', 'refs/remnants/*:refs/remnants/*')
    const { remnant, json } = placeAt(made, at(made, 'bare.git'))
    expect(remnant('list').stdout).toContain(digest.slice(0, 12))
    expect(json('show', digest)).toMatchObject({ digest })
    expect(json('verify')).toMatchObject({ faults: [] })
    for (const verb of ['resolve', 'brief', 'reprobe', 'teardown', 'checkout']) {
      const { status, stdout, stderr } = remnant(verb)
      expect([verb, status, stdout, stderr]).toEqual([verb, verb === 'teardown' ? 64 : 69, '', expect.stringMatching(HINTED)])
    }
    expect(remnant('gate')).toMatchObject({ status: 0, stdout: expect.stringContaining('names a gate') })
    expect(remnant('run', '--', 'sh', '-c', 'exit 3')).toMatchObject({ status: 3, stdout: '' })
    expect(remnant('init')).toMatchObject({ status: 69, stderr: expect.stringMatching(HINTED) })
    expect(existsSync(at(made, 'bare.git/.remnants'))).toBe(false)
  })
})

describe('a repository without commits', () => {
  it('gets right answers from its first command on, and its claims end with the first commit', () => {
    const made = clone()
    git(made, made.base, 'init', '-q', 'empty')
    const { remnant, json } = placeAt(made, at(made, 'empty'))
    writeFileSync(at(made, 'empty/package.json'), '{"name":"w","version":"1.0.0","scripts":{"test":"exit 0"}}\n')
    expect(remnant('init').status).toBe(0)
    for (const verb of ['resolve', 'brief', 'reprobe']) expect([verb, remnant(verb).status]).toEqual([verb, 0])
    expect(remnant('gate')).toMatchObject({ status: 64, stderr: expect.stringContaining('there is no commit "HEAD"') })
    expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
    const { digest } = json('teardown')
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    git(made, at(made, 'empty'), 'add', 'package.json')
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    git(made, at(made, 'empty'), 'commit', '-qm', 'first', '--no-verify')
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'FULL_RECONSTRUCTION_REQUIRED', reason: 'structural', drifted_keys: ['repository'] }])
    expect(json('reprobe')).toMatchObject({ held: [], suspended: [{ reason: 'not-approved' }] }) // an approval is bound to the repository, which now has a name
    expect(remnant('allow', digest as never, '--yes').status).toBe(0)
    expect(json('reprobe')).toMatchObject({ held: [expect.any(String)] })
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
  })
})

describe('two clones of one repository', () => {
  it('at other paths, of other users, in other time zones and languages, have equal fingerprints for equal environments', () => {
    const made = project()
    const keys = ['platform', 'privilege', 'os-release', 'repository', 'tool:node', 'tool:npm', 'tool:git', 'file:package.json', 'tree:.', 'lock:npm/left-pad', 'absent:.eslintrc', 'absent-tool:no-such-tool', 'target:git-remote/origin']
    const other = { HOME: at(made, 'another home'), TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'C.UTF-8', USER: 'somebody', LOGNAME: 'somebody', TMPDIR: at(made, 'tmp') }
    for (const folder of ['deep/er', 'another home', 'tmp']) mkdirSync(at(made, folder), { recursive: true })
    for (const name of ['one', 'deep/er/two and more']) {
      git(made, made.base, 'clone', '-q', made.dir, name)
      git(made, at(made, name), 'remote', 'set-url', 'origin', 'ssh://git@git.example.com/w.git')
    }
    const print = (name: string, env = {}) => JSON.parse(made.run(['git', 'remnant', 'fingerprint'], { cwd: at(made, name), env, input: `${JSON.stringify({ keys })}\n` }).stdout)
    const [one, two] = [print('one', { TZ: 'America/Los_Angeles' }), print('deep/er/two and more', other)]
    expect(Object.keys(one.keys).sort()).toEqual([...keys].sort())
    expect(two).toEqual(one)
    writeFileSync(at(made, 'one/package.json'), '{}\n')
    expect(print('one').environment_fingerprint).not.toBe(one.environment_fingerprint)
  })

  it('rest a remnant of the one on the other, where its environment is equal', () => {
    const made = project()
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    expect(made.remnant('teardown').status).toBe(0)
    git(made, made.base, 'clone', '-q', made.dir, 'far')
    git(made, at(made, 'far'), 'fetch', '-q', '--no-prune', 'origin', 'refs/remnants/*:refs/remnants/*')
    const { stdout } = made.run(['git', 'remnant', 'resolve', '--json'], { cwd: at(made, 'far'), env: { HOME: made.base, TZ: 'Asia/Tokyo' } })
    expect(JSON.parse(stdout).remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
  })
})
