import { describe, expect, it } from 'vitest'
import { type Access, openAccesses } from '../../src/host/trace/accesses.ts'
import { bounded, MOST_KEYS } from '../../src/host/trace/bounded.ts'
import { openCalls } from '../../src/host/trace/calls.ts'
import { type Scene, keysOf } from '../../src/host/trace/keys.ts'
import { openTrace } from '../../src/host/trace.ts'
import { openProcesses } from '../../src/host/processes.ts'
import { openRepository } from '../../src/host/git.ts'
import { type Ground, ground } from '../probes/ground.ts'

/** What lines of strace say, one access a word: `read:/a`. */
function accessesIn(...lines: string[]): { said: string[]; lost: string | null } {
  const calls = openCalls()
  const accesses = openAccesses('/w')
  const said = lines.flatMap((line) => [...calls(line)].flatMap((call) => accesses.take(call).map(({ is, path }) => `${is}:${path}`)))
  return { said, lost: accesses.lost() }
}

describe('a line of strace', () => {
  it.each<[string, string[]]>([
    ['7 openat(AT_FDCWD</w>, "a.txt", O_RDONLY|O_CLOEXEC) = 3</w/a.txt>', ['read:/w/a.txt']],
    ['7 openat(4</w/sub>, "a.txt", O_RDONLY) = 3</w/sub/a.txt>', ['read:/w/sub/a.txt']],
    ['7 openat(AT_FDCWD</w>, "a", O_RDONLY) = -1 ENOENT (No such file or directory)', ['sought:/w/a']],
    ['7 openat(AT_FDCWD</w>, "a", O_RDONLY) = -1 EACCES (Permission denied)', ['saw:/w/a']],
    ['7 openat(AT_FDCWD</w>, "a", O_RDONLY) = -1 EMFILE (Too many open files)', []],
    ['7 openat(AT_FDCWD</w>, "o", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/o>', ['wrote:/w/o']],
    ['7 openat(AT_FDCWD</w>, "o", O_WRONLY|O_CREAT|O_APPEND, 0666) = 3</w/o>', ['read:/w/o', 'wrote:/w/o']],
    ['7 openat(AT_FDCWD</w>, ".", O_RDONLY|O_DIRECTORY) = 3</w>', ['saw:/w']],
    ['7 openat(AT_FDCWD</w>, "/t", O_RDWR|O_TMPFILE, 0600) = 3</t/#1 (deleted)>', []],
    ['7 getdents64(3</w/sub>, 0x55a9e4b0b2a0 /* 4 entries */, 32768) = 104', ['listed:/w/sub']],
    ['7 newfstatat(AT_FDCWD</w>, "../x", {st_mode=S_IFREG|0644, st_size=5, ...}, 0) = 0', ['saw:/x']],
    ['7 newfstatat(3</w/a>, "", {st_mode=S_IFREG|0644, st_size=5, ...}, AT_EMPTY_PATH) = 0', []],
    ['7 access("/w/run", X_OK) = 0', ['ran:/w/run']],
    ['7 access("run", R_OK) = 0', ['saw:/w/run']],
    ['7 execve("/bin/sh", [...], 0x7ffd /* 35 vars */) = 0', ['ran:/bin/sh']],
    ['7 execve("./x", [...], 0x7ffd /* 35 vars */) = -1 EACCES (Permission denied)', ['ran:/w/x']],
    ['7 rename("a", "b") = 0', ['wrote:/w/a', 'wrote:/w/b']],
    ['7 renameat2(AT_FDCWD</w>, "a", 5</w/d>, "b", 0) = 0', ['wrote:/w/a', 'wrote:/w/d/b']],
    ['7 symlink("target", "ln") = 0', ['wrote:/w/ln']],
    ['7 mkdir("d", 0777) = -1 EEXIST (File exists)', ['saw:/w/d']],
    ['7 utimensat(AT_FDCWD</w>, "a", NULL, 0) = 0', ['saw:/w/a']],
    ['7 openat(AT_FDCWD</w>, "q\\"x\\t\\303\\251>) = 1", O_RDONLY) = 3</w/q\\"x\\t\\303\\251\\76) = 1>', ['read:/w/q"x\té>) = 1']],
    ['7 openat(AT_FDCWD</w/a, b>, "c", O_RDONLY) = 3</w/a, b/c>', ['read:/w/a, b/c']],
    ['7 --- SIGCHLD {si_signo=SIGCHLD} ---', []],
    ['7 openat(AT_FDCWD</w>, "cut', []],
    ['', []],
    ['no number', []],
  ])('%s', (line, said) => {
    expect(accessesIn(line)).toEqual({ said, lost: null })
  })

  it('that another process interrupts is one call', () => {
    const lines = ['7 openat(AT_FDCWD</w>, "a", O_RDONLY <unfinished ...>', '8 access("b", F_OK <unfinished ...>', '7 <... openat resumed>) = 3</w/a>']
    expect(accessesIn('7 clone(child_stack=NULL) = 8', ...lines, '8 <... access resumed>) = 0').said).toEqual(['read:/w/a', 'saw:/w/b'])
  })

  it('is of the folder in which its process is', () => {
    expect(accessesIn('7 chdir("sub") = 0', '7 vfork( <unfinished ...>', '8 access("a", F_OK) = 0', '7 <... vfork resumed>) = 8', '8 chdir("..") = 0', '8 access("a", F_OK) = 0', '7 access("b", F_OK) = 0').said).toEqual([
      ...['saw:/w/sub', 'saw:/w/sub/a', 'saw:/w', 'saw:/w/a', 'saw:/w/sub/b'],
    ])
  })

  it('is lost where nobody can say what it means', () => {
    expect(accessesIn('7 access("a", F_OK) = 0', '9 access("b", F_OK) = 0').lost).toMatch(/in which folder/)
    expect(accessesIn('7 chroot("/x") = 0').lost).toBe('it calls chroot')
    expect(accessesIn('7 io_uring_setup(8, {flags=0}) = 5').lost).toBe('it calls io_uring_setup')
    expect(accessesIn('7 chroot("/x") = -1 EPERM (Operation not permitted)').lost).toBe(null)
  })

  it.each([
    ['the command itself', ['7 execve("/usr/bin/make", ["make"], 0x1) = 0', '7 getdents64(3</w>, 0x5, 9) = 4'], 'asked:/w', ['/usr/bin/make']],
    ['a wrapper that becomes it', ['7 execve("/opt/wrap", ["wrap"], 0x1) = 0', '7 getdents64(3</w>, 0x5, 9) = 4', '7 execve("/usr/bin/make", ["make"], 0x1) = 0'], 'ran:/usr/bin/make', []],
    ['what it becomes', ['7 execve("/usr/bin/make", ["make"], 0x1) = 0', '7 execve("/bin/ls", ["ls"], 0x1) = 0', '7 getdents64(3</w>, 0x5, 9) = 4'], 'listed:/w', []],
    ['what it starts', ['7 execve("/usr/bin/make", ["make"], 0x1) = 0', '7 vfork() = 8', '8 execve("/usr/bin/make", ["make"], 0x1) = 0', '8 getdents64(3</w>, 0x5, 9) = 4'], 'listed:/w', []],
  ])('of a make says that it asked where that is %s', (_, lines, said, makes) => {
    const calls = openCalls()
    const accesses = openAccesses('/w')
    const found = lines.flatMap((line) => [...calls(line)].flatMap((call) => accesses.take(call)))
    expect(`${found.at(-1)?.is}:${found.at(-1)?.path}`).toBe(said)
    expect([...accesses.makes()]).toEqual(makes)
  })

  it.each([
    ['["node", "--test", "test/"]', 'met:/w/a'],
    ['["node", "sizes.js"]', 'saw:/w/a'],
    ['["node", "run.js", "--tests"]', 'saw:/w/a'],
  ])('of a program that walks folders only meets what it passes: %s', (argv, said) => {
    expect(accessesIn(`7 execve("/usr/bin/node", ${argv}, 0x1) = 0`, '7 clone(child_stack=NULL) = 8', '8 statx(AT_FDCWD</w>, "a", 0, 0, {...}) = 0').said.at(-1)).toBe(said)
  })
})

describe('keys of a trace', () => {
  const FILES = { 'a.txt': 'a', 'src/main.c': 'int x;', 'src/util.c': 'int y;', 'run.sh': '#!/bin/sh\n', '.gitignore': 'build/\n__pycache__/\n.env\n' }

  async function told(said: string, { files = FILES, then = () => {}, asked = null }: { files?: Record<string, string>; then?: (made: Ground) => void; asked?: readonly string[] | null } = {}) {
    const made = ground(files)
    const world = made.world()
    const before = await world.tree('.')
    then(made)
    const now = made.world()
    const scene: Scene = { top: made.top, closed: [`${made.top}/.git`], home: made.home, path: process.env.PATH ?? '', before: before!, after: (await now.tree('.'))!, world: now, start: Date.now() + 60_000, asked }
    const accesses = said.split(' ').map((one): Access => {
      const [is = '', path = ''] = one.split(':')
      return { is: is as Access['is'], path: path.startsWith('~/') ? made.home + path.slice(1) : path.startsWith('/') ? path : `${made.top}/${path}` }
    })
    const answer = await keysOf(accesses, scene)
    return 'keys' in answer ? answer.keys.join(' ') : `untold: ${answer.untold}`
  }

  it.each<[string, string]>([
    ['read:a.txt saw:src/main.c', 'file:a.txt file:src/main.c'],
    ['sought:nope.txt sought:src/nope.c', 'absent:nope.txt absent:src/nope.c'],
    ['listed:src read:src/main.c', 'file:src/main.c names:src'],
    ['saw:src read:src/main.c', 'file:src/main.c'],
    ['saw:src read:a.txt', 'file:a.txt names:src'],
    ['ran:run.sh', 'alike:[".","run.sh"] file:run.sh tool:sh'],
    ['asked:. asked:src read:src/main.c', 'file:src/main.c names:. names:src'],
    ['sought:etc sought:etc/a.conf sought:etc/b/c sought:src/etc/x sought:node_modules sought:node_modules/x', 'absent:etc absent:node_modules absent:node_modules/x absent:src/etc/x'],
    ['ran:/bin/sh read:a.txt', 'file:a.txt tool:sh'],
    ['read:/etc/passwd saw:.git/HEAD read:.remnants/x.json read:a.txt', 'file:a.txt'],
    ['read:.git/index read:a.txt', `untold: it reads git's own "index"`],
    ['read:.git/refs/tags/v1 read:a.txt', `untold: it reads git's own "v1"`],
    ['read:~/.npmrc read:~/.gitconfig read:~/.cargo/registry/x.rs read:~/.npm/_cacache/x read:/usr/share/x read:a.txt', 'file:a.txt'],
    ['read:/srv/no-such.conf read:a.txt', 'untold: it reads "/srv/no-such.conf", which lies outside the repository'],
    ['wrote:/srv/t read:/srv/t/x read:a.txt', 'file:a.txt'],
    ['read:/srv/lock wrote:/srv/lock read:a.txt', 'file:a.txt'],
    ['ran:/srv/tool/bin/x read:/srv/tool/lib/y.py read:a.txt', 'file:a.txt'],
    ['wrote:out.txt read:out.txt read:a.txt', 'file:a.txt'],
    ['wrote:tmp read:tmp/deep/x read:a.txt', 'file:a.txt'],
    ['sought:a.out wrote:a.out read:a.txt', 'absent:a.out file:a.txt'],
    ['listed:. met:a.txt read:run.sh', 'file:run.sh names:.'],
    ['met:a.txt', 'file:a.txt'],
    ['sought:__pycache__/a.pyc read:a.txt', 'file:a.txt'],
    ['read:src/../a.txt', 'file:a.txt'],
    ['read:/etc/passwd', 'untold: it depends on nothing that a key can name'],
  ])('%s → %s', async (said, keys) => {
    expect(await told(said)).toBe(keys)
  })

  it.each<[string, string, (made: Ground) => void, string]>([
    ['of what it made', 'sought:a.out wrote:a.out read:a.txt', (made) => made.write('a.out', 'x'), 'file:a.txt'],
    ['of what somebody else made', 'sought:a.out', (made) => made.write('a.out', 'x'), 'untold: "a.out" was made while it ran, by somebody else'],
    ['of what it reads and then changes', 'read:a.txt wrote:a.txt', (made) => made.write('a.txt', 'b'), 'untold: "a.txt", which it reads, changed while it ran'],
    ['of what it writes again as it was', 'read:a.txt wrote:a.txt', (made) => made.write('a.txt', 'a'), 'file:a.txt'],
    ['of what it removes', 'read:a.txt wrote:a.txt', (made) => made.git('rm', '-q', 'a.txt'), 'untold: it removes "a.txt", which it had looked at'],
    ['of a folder in which it makes something', 'listed:. wrote:out.txt', (made) => made.write('out.txt', 'x'), 'names:.'],
    ['of a folder in which somebody else does', 'listed:.', (made) => made.write('out.txt', 'x'), 'untold: the names in "." changed while it ran'],
    ['of an ignored file', 'read:.env', (made) => made.write('.env', 'x'), 'file:.env'],
    ['of an ignored file that it writes too', 'read:.env wrote:.env read:a.txt', (made) => made.write('.env', 'x'), 'file:a.txt'],
    ['of what a tool keeps for itself', 'read:__pycache__/a.pyc saw:a.txt', (made) => made.write('__pycache__/a.pyc', 'x'), 'file:a.txt'],
    ['of files of which something was made before', 'listed:. met:a.txt read:build/a.js', (made) => made.write('build/a.js', 'x'), 'file:a.txt file:build/a.js names:.'],
  ])('%s', async (_, said, then, keys) => {
    expect(await told(said, { then })).toBe(keys)
  })

  it('of a make are those of the names that it may look for, but of folders that something else listed too', async () => {
    expect(await told('asked:. asked:src listed:src read:src/main.c', { asked: ['main', 'test'] })).toBe('alike:[".","main","test"] file:src/main.c names:src')
    expect(await told('asked:src', { asked: ['a name that is too long for a key '.repeat(20)] })).toBe('names:src')
  })

  it('are not more than a claim can bear', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i < 250 ? 'many' : 'few'}/f${i}.txt`, 'x']))
    const keys = (await told(Object.keys(files).map((path) => `read:${path}`).join(' '), { files })).split(' ')
    expect(keys).toHaveLength(51)
    expect(keys).toContain('tree:many')
    expect(keys).toContain('file:few/f299.txt')
  })

  it('hold installed packages as the version that they name', async () => {
    const made = ground({ 'a.js': '' })
    const keys = new Set([...Array.from({ length: MOST_KEYS }, (_, i) => `file:node_modules/big/f${i}.js`), 'absent:node_modules/big/package.js', 'file:node_modules/@scope/one/x/y.js', 'file:a.js'])
    const after = (await made.world().tree('.'))!
    expect(bounded(keys, { top: made.top, after }).sort()).toEqual(['file:a.js', 'file:node_modules/@scope/one/package.json', 'file:node_modules/big/package.json'])
  })
})

describe('tracing', () => {
  const open = (argv: readonly string[], path = process.env.PATH) => {
    const made = ground({ 'a.txt': 'a' })
    const repository = openRepository(made.top, {})
    return openTrace({ argv, cwd: made.top, env: { PATH: path }, processes: openProcesses(), repository, world: made.world() })
  }

  it('says where it can not be done', async () => {
    expect(await open(['no-such-program-here'])).toEqual({ untold: 'there is no such program' })
    const { untold } = (await open(['/bin/sh', '-c', 'true'], '/nowhere')) as { untold: string }
    expect(untold).toMatch(process.platform === 'linux' ? /^strace is not installed/ : /^only Linux/)
  })
})
