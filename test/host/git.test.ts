import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openGit, openRepository } from '../../src/host/git.ts'
import { ENV, type Layout, gitIn, stage } from '../stage.ts'

const asGit = (dir: string, bare = false) => {
  const ask = (what: string): string => realpathSync(gitIn(dir, 'rev-parse', '--path-format=absolute', what).trim())
  return { gitDir: ask('--git-dir'), commonDir: ask('--git-common-dir'), workTree: bare ? null : ask('--show-toplevel'), objectFormat: 'sha1', refStorage: 'files', bare, shallow: false }
}

describe('a repository', () => {
  it.each<Layout>(['plain', 'worktree', 'bare', 'separate', 'submodule'])('is found where git finds it (%s)', (layout) => {
    const { dir } = stage({ layout })
    expect(openRepository(dir, ENV)).toEqual(asGit(dir, layout === 'bare'))
  })

  it('is found from a folder inside it, and from its own git directory', () => {
    const { dir } = stage({ files: { 'a/b/c.txt': 'x' } })
    expect(openRepository(join(dir, 'a/b'), ENV)).toEqual(asGit(dir))
    expect(openRepository(join(dir, '.git/hooks'), ENV)).toEqual(asGit(dir))
  })

  it('is found through a linked .git and through a link to a folder inside it', () => {
    const { dir, base } = stage({ files: { 'a/b.txt': 'x' } })
    renameSync(join(dir, '.git'), join(base, 'moved'))
    symlinkSync(join(base, 'moved'), join(dir, '.git'))
    expect(openRepository(dir, ENV)).toEqual(asGit(dir))
    symlinkSync(join(dir, 'a'), join(base, 'way-in'))
    expect(openRepository(join(base, 'way-in'), ENV).workTree).toBe(dir)
  })

  it('is found through a gitfile with the line ends of Windows', () => {
    const { dir } = stage({ layout: 'separate' })
    const expected = asGit(dir)
    writeFileSync(join(dir, '.git'), readFileSync(join(dir, '.git'), 'utf8').replace('\n', '\r\n'))
    expect(openRepository(dir, ENV)).toEqual(expected)
  })

  it('is found from a work tree of a bare repository', () => {
    const { dir } = stage()
    gitIn(dir, 'clone', '-q', '--bare', dir, '../bare.git')
    gitIn(dir, '-C', '../bare.git', 'worktree', 'add', '-q', '../of-bare', 'main')
    const linked = join(dir, '../of-bare')
    expect(openRepository(linked, ENV)).toEqual(asGit(linked))
    expect(openRepository(linked, ENV).bare).toBe(false)
  })

  it('is the linked work tree that a hook runs for, by what git hands to the hook', () => {
    const { dir, base, repository } = stage({ layout: 'worktree' })
    writeFileSync(join(repository.commonDir, 'hooks/post-commit'), `#!/bin/sh\nenv | grep '^GIT_' > '${base}/seen'\npwd >> '${base}/seen'\n`)
    chmodSync(join(repository.commonDir, 'hooks/post-commit'), 0o755)
    gitIn(dir, 'commit', '-q', '--allow-empty', '-m', 'again')
    const lines = readFileSync(join(base, 'seen'), 'utf8').trim().split('\n')
    const seen = Object.fromEntries(lines.slice(0, -1).map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]))
    expect(seen).toHaveProperty('GIT_DIR')
    expect(openRepository(lines.at(-1) as string, { ...ENV, ...seen })).toEqual(asGit(dir))
  })

  it('is what GIT_DIR and GIT_WORK_TREE name, and git is told so', async () => {
    const { dir, base } = stage({ layout: 'bare' })
    const home = join(base, 'home')
    mkdirSync(home)
    const repository = openRepository(home, { ...ENV, GIT_DIR: dir, GIT_WORK_TREE: home })
    expect(repository).toMatchObject({ gitDir: dir, workTree: home, bare: false })
    expect(Buffer.from(await openGit(repository, ENV).run(['rev-parse', '--show-toplevel'])).toString().trim()).toBe(home)
  })

  it('is looked for around the folder where GIT_DIR names nothing', () => {
    const { dir } = stage()
    expect(openRepository(dir, { ...ENV, GIT_DIR: 'nowhere' })).toEqual(asGit(dir))
  })

  it('is not looked for above a ceiling', () => {
    const { dir, base } = stage({ files: { 'a/b.txt': 'x' } })
    expect(() => openRepository(join(dir, 'a'), { ...ENV, GIT_CEILING_DIRECTORIES: dir })).toThrow(expect.objectContaining({ fault: 'missing', hint: 'git init' }) as Error)
    expect(openRepository(join(dir, 'a'), { ...ENV, GIT_CEILING_DIRECTORIES: base }).workTree).toBe(dir)
  })

  it('knows that it is shallow', () => {
    const { dir, base } = stage()
    gitIn(dir, 'commit', '-q', '--allow-empty', '-m', 'more')
    gitIn(base, 'clone', '-q', '--depth=1', `file://${dir}`, 'shallow')
    expect(openRepository(join(base, 'shallow'), ENV).shallow).toBe(true)
  })

  it('is not there: that is said, with what to do', () => {
    const { base } = stage()
    expect(() => openRepository(base, { ...ENV, GIT_CEILING_DIRECTORIES: join(base, '..') })).toThrow(expect.objectContaining({ fault: 'missing', message: `no git repository around "${base}"`, hint: 'git init' }) as Error)
  })

  it('is not behind a gitfile that leads nowhere', () => {
    const { base } = stage()
    mkdirSync(join(base, 'lost'))
    writeFileSync(join(base, 'lost/.git'), 'gitdir: /nowhere/at/all\n')
    expect(() => openRepository(join(base, 'lost'), ENV)).toThrow(expect.objectContaining({ fault: 'missing', message: expect.stringContaining('names no git directory') as string }) as Error)
  })
})

describe('a repository whose format we could only damage', () => {
  const refused = (config: string): string => {
    const { dir } = stage()
    writeFileSync(join(dir, '.git/config'), config)
    const before = listed(dir)
    let message = ''
    expect(() => openRepository(dir, ENV)).toThrow(
      expect.toSatisfy((thrown: { fault: string; message: string }) => {
        message = thrown.message
        return thrown.fault === 'missing'
      }) as Error,
    )
    expect(listed(dir)).toEqual(before)
    return message
  }

  it.each([
    ['refs elsewhere', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = files:///elsewhere\n', 'keeps its refs in a way that is not known'],
    ['refs in a table without the version for it', '[extensions]\n\trefStorage = reftable\n', 'keeps its refs in a table, under a format version that knows none'],
    ['another hash', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha512\n', 'has objects that are named in a way that is not known'],
    ['an unknown extension', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tfoobar = true\n', 'has an extension that is not known, "foobar"'],
    ['a later version', '[core]\n\trepositoryformatversion = 99\n', 'has a format version that is not known'],
    ['SHA-256 without the version for it', '[extensions]\n\tobjectFormat = sha256\n', 'has objects that are not named by SHA-1'],
    ['objects with two names', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tcompatObjectFormat = sha256\n', 'has objects with two names'],
    ['a configuration that git would not read', '[core\n', 'is not one that git would read'],
  ])('is refused: %s', (_title, config, message) => {
    expect(refused(config)).toContain(message)
  })

  it('is none that git made with SHA-256, nor one with its refs in a table: git itself does the work there', () => {
    const { base, dir } = stage()
    gitIn(base, 'init', '-q', '--object-format=sha256', 'sha256')
    expect(openRepository(join(base, 'sha256'), ENV)).toMatchObject({ objectFormat: 'sha256', refStorage: 'files' })
    writeFileSync(join(dir, '.git/config'), '[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n')
    expect(openRepository(dir, ENV)).toMatchObject({ objectFormat: 'sha1', refStorage: 'reftable' })
  })

  it.each([
    ['an unknown extension under version 0, as git does', '[extensions]\n\tfoobar = true\n'],
    ['harmless extensions', '[core]\n\trepositoryformatversion = 1\n[extensions]\n\tnoop = 1\n\tobjectFormat = SHA1\n\trefStorage = files\n\tpreciousObjects = true\n\tpartialClone = origin\n\tworktreeConfig = true\n'],
  ])('is not one with %s', (_title, config) => {
    const { dir } = stage()
    writeFileSync(join(dir, '.git/config'), config)
    expect(openRepository(dir, ENV).workTree).toBe(dir)
  })
})

describe('a repository of another user', () => {
  const stranger = 4_000_000

  it('is taken where the user\'s git takes it', () => {
    const { dir } = stage()
    expect(openRepository(dir, ENV, stranger).workTree).toBe(dir)
  })

  it('is refused where the user\'s git refuses it', () => {
    const { dir, base } = stage()
    mkdirSync(join(base, 'bin'))
    writeFileSync(join(base, 'bin/git'), '#!/bin/sh\nexit 128\n')
    chmodSync(join(base, 'bin/git'), 0o755)
    const env = { ...ENV, PATH: `${join(base, 'bin')}:${ENV.PATH}` }
    expect(() => openRepository(dir, env, stranger)).toThrow(expect.objectContaining({ fault: 'missing', message: expect.stringContaining('belongs to another user') as string }) as Error)
    expect(openRepository(dir, env).workTree).toBe(dir)
  })
})

describe('the user\'s git', () => {
  it('is ended in time, with what it started', async () => {
    const { repository, git } = stage()
    git('config', 'alias.wait', '!sleep 31.5 & sleep 31.5')
    const started = Date.now()
    const { status } = await openGit(repository, ENV).try(['wait'], { timeout: 300 })
    expect(status).toBe(124)
    expect(Date.now() - started).toBeLessThan(10_000)
    expect(await openGit(repository, ENV).try(['var', 'GIT_EDITOR'], { timeout: 20_000, env: { GIT_EDITOR: 'an editor' } })).toMatchObject({ status: 0, stdout: Buffer.from('an editor\n') })
  })

  it('is not misled by what a hook inherits', async () => {
    const [one, other] = [stage(), stage()]
    const git = openGit(one.repository, { ...ENV, GIT_DIR: other.repository.gitDir, GIT_INDEX_FILE: 'nowhere', GIT_WORK_TREE: other.dir, GIT_PREFIX: 'x/' })
    expect(Buffer.from(await git.run(['rev-parse', '--show-toplevel'])).toString().trim()).toBe(one.dir)
    expect(Buffer.from(await git.run(['ls-files'])).toString()).toBe('README.md\n')
  })

  it('leaves out exactly what git says is local to a repository', async () => {
    const { repository } = stage()
    const names = gitIn(repository.gitDir, 'rev-parse', '--local-env-vars').trim().split('\n')
    const env = { ...ENV, ...Object.fromEntries(names.map((name) => [name, 'spoilt'])), GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'a.b', GIT_CONFIG_VALUE_0: 'c' }
    expect(names.length).toBeGreaterThan(10)
    expect((await openGit(repository, env).try(['rev-parse', 'HEAD'])).status).toBe(0)
    expect((await openGit(repository, env).try(['config', 'a.b'])).status).toBe(1)
  })

  it('takes bytes and gives bytes', async () => {
    const { repository } = stage()
    const git = openGit(repository, ENV)
    const bytes = Buffer.from([0, 255, 10, 128, 13])
    const oid = Buffer.from(await git.run(['hash-object', '-w', '--stdin'], { input: bytes })).toString().trim()
    expect(Buffer.from(await git.run(['cat-file', 'blob', oid]))).toEqual(bytes)
  })

  it('may end before it has read its input', async () => {
    const { repository } = stage()
    expect((await openGit(repository, ENV).try(['--version'], { input: 'x'.repeat(4 << 20) })).status).toBe(0)
  })

  it('says in git\'s own first line what failed', async () => {
    const { repository } = stage()
    const git = openGit(repository, ENV)
    await expect(git.run(['rev-parse', '--verify', 'nothing-of-this-name'])).rejects.toMatchObject({ fault: 'missing', message: 'git rev-parse failed: fatal: Needed a single revision' })
    expect(await git.try(['rev-parse', '--verify', '-q', 'nothing-of-this-name'])).toMatchObject({ status: 1, stderr: '' })
  })

  it('is missing where PATH has none', async () => {
    const { repository, base } = stage()
    await expect(openGit(repository, { PATH: base }).run(['--version'])).rejects.toMatchObject({ fault: 'missing', message: 'no program "git" on PATH', hint: 'install git' })
  })

  it('runs in another work tree when it is told to', async () => {
    const { repository, dir, base } = stage()
    gitIn(dir, 'worktree', 'add', '-q', '-b', 'other', join(base, 'linked'))
    expect(Buffer.from(await openGit(repository, ENV).run(['branch', '--show-current'], { cwd: join(base, 'linked') })).toString()).toBe('other\n')
  })
})

const listed = (dir: string): string[] => readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => existsSync(join(dir, path))).sort()
