import { execFileSync, spawnSync } from 'node:child_process'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, rmdirSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clone, clone } from '../clone.ts'
import { type Place, at, git, placeAt } from '../places.ts'

const CHECK = ['sh', 'check.sh']

/** A repository with a check, which is red once `red` lies there. */
function checked(made: Clone, name: string, ...init: string[]): Place {
  git(made, made.base, 'init', '-q', ...init, name)
  const dir = at(made, name)
  writeFileSync(join(dir, 'check.sh'), 'test ! -e red || { echo "check: error: red" >&2; exit 1; }\n')
  writeFileSync(join(dir, 'notes'), 'one\n')
  git(made, dir, 'add', '-A')
  git(made, dir, 'commit', '-qm', 'first')
  return placeAt(made, dir)
}

/** Every file below a folder, with what tells one state of it from another. */
const stateOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => [path, lstatSync(join(folder, path))] as const)
    .map(([path, stat]) => `${path} ${stat.size} ${stat.mode} ${stat.isDirectory() ? '' : stat.mtimeMs}`)
    .sort()

const isRoot = process.geteuid?.() === 0
const SOMEBODY = '54321'
/** Root may do anything, so it has somebody else do it. */
const asSomebody = (...argv: string[]): string[] => (isRoot ? ['setpriv', `--reuid=${SOMEBODY}`, `--regid=${SOMEBODY}`, '--clear-groups', ...argv] : argv)
const give = (to: string, dir: string): void => void execFileSync('chown', ['-R', to, dir])
const canBeSomebody = !isRoot || spawnSync('setpriv', ['--version']).status === 0

// Root without setpriv can write everywhere.
describe.skipIf(!canBeSomebody)('a git directory in which nothing can be written', () => {
  it('is read as ever, what is run goes through, and sealing says why it can not be; then it can', () => {
    const made = clone()
    const { dir } = checked(made, 'w')
    if (isRoot) give(`${SOMEBODY}:${SOMEBODY}`, made.base)
    const remnant = (...args: string[]) => made.run(asSomebody('git', 'remnant', ...args), { cwd: dir })
    expect(remnant('run', '--', ...CHECK).status).toBe(0)
    expect(remnant('teardown').status).toBe(0)
    expect(remnant('run', '--', 'node', '-e', '0').status).toBe(0) // waits to be sealed
    execFileSync('chmod', ['-R', 'a-w', join(dir, '.git')])
    const before = stateOf(join(dir, '.git'))

    for (const verb of ['list', 'resolve', 'brief', 'verify', 'log']) expect([verb, remnant(verb)]).toEqual([verb, expect.objectContaining({ status: 0, stderr: '' })])
    expect(remnant('resolve').stdout).toContain('NO_DRIFT')
    expect(remnant('run', '--', 'sh', '-c', 'echo out; exit 3')).toMatchObject({ status: 3, stdout: 'out\n', stderr: expect.stringContaining("can't be written") })
    for (const verb of [['teardown'], ['init'], ['forget', JSON.parse(remnant('list', '--json').stdout).remnants[0].digest]])
      expect([verb, remnant(...verb)]).toEqual([verb, { status: expect.toSatisfy((status: number) => status === 74 || status === 69), stdout: expect.any(String), stderr: expect.stringMatching(/^git-remnant: .+\n/) }])
    expect(stateOf(join(dir, '.git'))).toEqual(before)

    execFileSync('chmod', ['-R', 'u+w', join(dir, '.git')])
    expect(remnant('verify').status).toBe(0)
    expect(remnant('run', '--', 'sh', 'check.sh').status).toBe(0)
    expect(remnant('teardown').status).toBe(0)
    expect(remnant('list').stdout.trim().split('\n')).toHaveLength(2)
  })
})

/** A file system of its own, of one megabyte; null: only root may have one. */
function smallDisk(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-disk-'))
  const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder]).status === 0
  const remove = (): void => {
    if (mounted) spawnSync('umount', ['-l', folder])
    rmdirSync(folder)
  }
  if (!mounted) {
    remove()
    return null
  }
  onTestFinished(remove)
  return folder
}
const canMount = isRoot && process.platform === 'linux' && spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'none', tmpdir()]).status === 0

// Only who may mount a small disk can fill one.
describe.skipIf(!canMount)('a full disk', () => {
  it.each(['sha1', 'sha256'])('leaves nothing half-written and loses nothing: what waits is sealed once there is room (%s)', (format) => {
    const made = clone()
    const disk = smallDisk() as string
    git(made, made.base, 'init', '-q', `--object-format=${format}`, join(disk, 'w'))
    const { dir, remnant, json } = placeAt(made, join(disk, 'w'))
    writeFileSync(join(dir, 'check.sh'), 'exit 0\n')
    git(made, dir, 'add', '-A')
    git(made, dir, 'commit', '-qm', 'first')
    expect(remnant('run', '--', ...CHECK).status).toBe(0)
    expect(fill(join(disk, 'fill'))).toBe('ENOSPC')

    expect(remnant('run', '--', 'sh', '-c', 'exit 3').status).toBe(3)
    for (let time = 0; time < 2; time++) expect(remnant('teardown')).toEqual({ status: 74, stdout: '', stderr: expect.stringMatching(/^git-remnant: .+\nhint: make room(?: on the disk| or give permission, then do it again)\n$/) })
    expect(git(made, dir, 'for-each-ref', 'refs/remnants')).toBe('')
    expect(json('verify')).toMatchObject({ faults: [] })
    expect(remnant('resolve').status).toBe(0)

    rmSync(join(disk, 'fill'))
    expect(json('teardown')).toMatchObject({ written: true, claims: { verified_invariants: 1 } })
    expect(json('verify')).toMatchObject({ faults: [] })
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    expect(git(made, dir, 'fsck', '--strict')).toBe('')
  })
})

function fill(path: string): string {
  for (let size = 1 << 16; size > 0; size >>= 1)
    for (;;)
      try {
        writeFileSync(path, Buffer.alloc(size), { flag: 'a' })
      } catch (thrown) {
        if (size === 1) return (thrown as NodeJS.ErrnoException).code ?? ''
        break
      }
  return ''
}

describe('locks that another git process holds', () => {
  const LOCKS = ['index', 'HEAD', 'packed-refs', 'refs/heads/main', 'shallow']

  it('are left alone, and keep no verb from its work', () => {
    const made = clone()
    const { dir, remnant, json } = checked(made, 'w')
    for (const name of LOCKS) writeFileSync(join(dir, `.git/${name}.lock`), '')
    for (const verb of [['init'], ['run', '--', ...CHECK], ['teardown'], ['resolve'], ['brief'], ['list'], ['verify'], ['gate']]) expect([verb, remnant(...verb)]).toEqual([verb, expect.objectContaining({ status: 0 })])
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    for (const name of LOCKS) expect(readFileSync(join(dir, `.git/${name}.lock`), 'utf8')).toBe('')
    // What needs one of them says so, and can be done again.
    const { digest } = JSON.parse(remnant('list', '--json').stdout).remnants[0]
    const forgotten = remnant('forget', digest)
    expect(forgotten).toMatchObject({ status: 74, stderr: expect.stringContaining("can't be removed") })
    for (const name of LOCKS) rmSync(join(dir, `.git/${name}.lock`))
    expect(remnant('forget', digest).status).toBe(0)
    expect(git(made, dir, 'for-each-ref', 'refs/remnants')).toBe('')
    expect(remnant('verify').status).toBe(0)
  })
})

describe('a clock that jumps', () => {
  const TEN_YEARS = 315_360_000_000
  const SHIFT = `const by = Number(process.env.SHIFT_MS), Real = Date
globalThis.Date = class extends Real { constructor(...a) { a.length === 0 ? super(Real.now() + by) : super(...a) } static now() { return Real.now() + by } }\n`

  it.each([
    ['ahead, then back', [TEN_YEARS, 0, -TEN_YEARS]],
    ['back, then ahead', [-TEN_YEARS, TEN_YEARS, 0]],
  ])('changes no verdict: the order in the log counts (%s)', (_title, shifts) => {
    const made = clone()
    const shim = join(made.base, 'shift.cjs')
    writeFileSync(shim, SHIFT)
    const { dir } = checked(made, 'w')
    const [first, second, third] = shifts.map((ms) => placeAt(made, dir, { NODE_OPTIONS: `--require ${JSON.stringify(shim)}`, SHIFT_MS: String(ms) })) as [Place, Place, Place]
    // It was green until a file came; the last run decides.
    expect(first.remnant('run', '--', ...CHECK).status).toBe(0)
    writeFileSync(join(dir, 'red'), '')
    expect(second.remnant('run', '--', ...CHECK).status).toBe(1)
    const kept = third.json('teardown') as unknown as { digest: string | null; claims: Record<string, number> }
    expect(kept.claims?.verified_invariants ?? 0).toBe(0)
    rmSync(join(dir, 'red'))
    utimesSync(join(dir, 'check.sh'), new Date(), new Date(Date.now() + TEN_YEARS))
    expect(third.remnant('run', '--', ...CHECK).status).toBe(0)
    expect(first.json('teardown')).toMatchObject({ written: true, claims: { verified_invariants: 1 } })
    for (const place of [first, second, third]) {
      const verdicts = place.json('resolve').remnants.map(({ verdict }) => verdict)
      expect(verdicts.filter((verdict) => verdict === 'NO_DRIFT')).toHaveLength(1)
      expect(place.json('verify')).toMatchObject({ faults: [] })
    }
  })
})

// Only root can have a repository of somebody else's.
describe.skipIf(!isRoot || process.env.SUDO_UID !== undefined)('a repository of another user', () => {
  it('is refused until the user\'s git trusts it, with nothing written', () => {
    const made = clone()
    const { dir } = checked(made, 'w')
    give(`${SOMEBODY}:${SOMEBODY}`, dir)
    const before = stateOf(dir)
    const remnant = (...args: string[]) => made.run(['git-remnant', ...args], { cwd: dir })
    for (const verb of ['init', 'list', 'resolve', 'teardown'])
      expect([verb, remnant(verb)]).toEqual([verb, { status: 69, stdout: '', stderr: expect.stringMatching(/^git-remnant: repository ".+" belongs to another user\nhint: .*safe\.directory.*\n$/) }])
    expect(remnant('run', '--', ...CHECK).status).toBe(0)
    expect(stateOf(dir)).toEqual(before)
    git(made, made.base, 'config', '--global', '--add', 'safe.directory', dir)
    expect(remnant('run', '--', ...CHECK).status).toBe(0)
    expect(remnant('teardown').status).toBe(0)
    expect(remnant('list').stdout).toContain('1 invariant')
  })
})

describe('a hook that git starts with its variables set', () => {
  it('works in the repository that git works in, wherever the user stands', () => {
    const made = clone()
    const [here, there] = [checked(made, 'here'), checked(made, 'there')]
    for (const place of [here, there]) {
      expect(place.remnant('init').status).toBe(0)
      expect(place.remnant('run', '--', ...CHECK).status).toBe(0)
    }
    const before = stateOf(join(there.dir, '.git'))
    const env = { GIT_DIR: join(here.dir, '.git'), GIT_WORK_TREE: here.dir }
    expect(made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'from elsewhere'], { cwd: there.dir, env }).status).toBe(0)
    expect(here.json('list').remnants).toHaveLength(1)
    expect(stateOf(join(there.dir, '.git'))).toEqual(before)
    // A commit of some paths has an index of its own, which is gone once it is made.
    writeFileSync(join(there.dir, 'staged'), 'staged\n')
    writeFileSync(join(there.dir, 'notes'), 'two\n')
    git(made, there.dir, 'add', 'staged')
    git(made, there.dir, 'commit', '-q', '-m', 'a part', '--', 'notes')
    expect(git(made, there.dir, 'status', '--porcelain')).toBe('A  staged')
    expect(there.json('list').remnants).toHaveLength(1)
    expect(git(made, there.dir, 'fsck', '--strict')).toBe('')
  })

  it('does not have a verb read or write another repository than the one it stands in', () => {
    const made = clone()
    const [here, there] = [checked(made, 'here'), checked(made, 'there')]
    expect(here.remnant('run', '--', ...CHECK).status).toBe(0)
    mkdirSync(join(made.base, 'objects'))
    const spoilt = placeAt(made, here.dir, { GIT_OBJECT_DIRECTORY: join(made.base, 'objects'), GIT_INDEX_FILE: join(there.dir, '.git/index'), GIT_NAMESPACE: 'x' })
    const before = stateOf(join(there.dir, '.git'))
    expect(spoilt.remnant('teardown').status).toBe(0)
    expect(readdirSync(join(made.base, 'objects'))).toEqual([])
    expect(stateOf(join(there.dir, '.git'))).toEqual(before)
    expect(here.json('verify')).toMatchObject({ faults: [] })
    expect(here.json('list').remnants).toHaveLength(1)
  })
})
