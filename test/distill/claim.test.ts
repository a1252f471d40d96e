import { describe, expect, it } from 'vitest'
import { distilled, edited, kept, purgedBy, ran, type Step } from './session.ts'

const RED_TESTS = '# tests 1\n# suites 0\n# pass 0\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 55.1\n'
const GREEN = '# tests 3\n# suites 0\n# pass 3\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 55.1\n'
const red = (what: string) => `not ok 1 - ${what}\n  ---\n  error: 'expected 1'\n  code: 'ERR_ASSERTION'\n  ...\n# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 61.2\n`
const MISSING_SCRIPT = 'npm error Missing script: "typecheck"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n'
const NOT_FOUND = 'bash: line 1: jest: command not found\n'
const PUSHED = 'To github.com:dev/clockwork.git\n   1a2b3c4..5d6e7f8  main -> main\n'

const EXPIRED = 'An error occurred (ExpiredToken) when calling the PutObject operation: The provided token has expired.\n'

const stories: readonly [string, readonly Step[], readonly string[]][] = [
  ['a gate that passes is a verified invariant', [ran('npm test', 0, GREEN)], ['invariant `npm test` is a gate of `.` [recorded]']],
  ['a gate whose cache lies in a temporary folder, without that', [ran('export XDG_CACHE_HOME=/tmp/a TMPDIR=/tmp/b/ && CI=1 UV_CACHE_DIR=/private/tmp/a npm test', 0, GREEN)], ['invariant `CI=1 npm test` is a gate of `.` [recorded]']],
  ['a gate with other things in temporary folders is none', [ran('DATA_DIR=/tmp/a npm test', 0, GREEN)], []],
  ['a gate that stays red, without a cache of the moment', [ran('UV_CACHE_DIR=/tmp/a npm test', 1, RED_TESTS)], ['open npm test']],
  ['a gate that was red with one cache and green with another', [ran('UV_CACHE_DIR=/tmp/a npm test', 1, RED_TESTS), ran('UV_CACHE_DIR=/tmp/b npm test', 0, GREEN)], ['invariant `npm test` is a gate of `.` [recorded]']],
  ['a gate that was green with one cache and red with another', [ran('npm test', 0, GREEN), ran('UV_CACHE_DIR=/tmp/b npm test', 1, RED_TESTS)], ['open npm test']],
  ['what fails with a cache of its own is no dead end without it', [ran('UV_CACHE_DIR=/tmp/a npm run typecheck', 1, MISSING_SCRIPT)], []],
  ['a gate that was red with a cache of its own, and then green', [ran('RUFF_CACHE_DIR=/tmp/a npm test', 1, red('adds')), ran('npm test', 0, GREEN)], ['invariant `npm test` is a gate of `.` [recorded]']],
  ['a gate that was green, and then red with a cache of its own, is none', [ran('npm test', 0, GREEN), edited('src/a.js'), ran('npm --cache /tmp/b test', 1, red('adds'))], []],
  ['a gate by two options that differ in the cache alone', [ran('ruff check --cache-dir /tmp/a .', 0, 'All checks passed!\n'), ran('ruff check --cache-dir=/tmp/b .', 0, 'All checks passed!\n')], ['invariant `ruff check .` is a gate of `.` [recorded]']],
  ['in the folder where it ran', [ran('cd packages/a && npm test', 0, GREEN)], ['invariant `npm test` is a gate of `packages/a` [recorded]']],
  ['in the folder that it names whole', [ran('cd /home/dev/clockwork/packages/a && npm test', 0, GREEN), ran('cd "/home/dev/clockwork/packages/a" && npm test', 0, GREEN)], ['invariant `npm test` is a gate of `packages/a` [recorded]']],
  ['a piped gate by its own closing lines', [ran('npm test | tail -20', 0, GREEN)], ['invariant `npm test` is a gate of `.` [summary]']],
  ['a masked gate without them is nothing', [ran('npm test || true', 0, 'done')], []],
  ['a gate whose script hides a failure is nothing', [ran('npm test', 0, red('adds'))], []],
  ['a command that verifies nothing is no gate', [ran('ls -la', 0, 'a\nb'), ran('npm run dev', 0, 'listening')], []],
  ['a missing program', [ran('jest', 127, NOT_FOUND)], ['program-missing jest']],
  ['a missing script', [ran('npm run typecheck', 1, MISSING_SCRIPT)], ['usage npm run typecheck']],
  ['what the same command later outlived was no boundary', [ran('npm run typecheck', 1, MISSING_SCRIPT), edited('package.json'), ran('npm run typecheck', 0, '')], [
    'invariant `npm run typecheck` is a gate of `.` [recorded]',
  ]],
  ['a red gate that was fixed', [ran('npm test', 1, red('adds')), edited('src/a.js'), ran('npm test', 0, GREEN)], ['invariant `npm test` is a gate of `.` [recorded]']],
  ['a gate that ended red once is an open handoff', [ran('npm test', 0, GREEN), edited('src/a.js'), ran('npm test', 1, red('adds'))], ['open npm test']],
  ['red twice with no edit between is a boundary', [ran('npm test', 1, red('adds')), ran('npm test', 1, red('adds'))], ['red npm test']],
  ['red twice with an edit between is a handoff', [ran('npm test', 1, red('adds')), edited('src/a.js'), ran('npm test', 1, red('adds'))], ['open npm test']],
  ['red twice with two faults is a handoff', [ran('npm test', 1, red('adds')), ran('npm test', 1, red('subtracts'))], ['open npm test']],
  ['red twice, of a script of the repository', [ran('npm run deploy', 1, 'no such bucket'), ran('npm run deploy', 1, 'no such bucket')], ['red npm run deploy']],
  ['red twice for want of a credential is nothing: a new one leaves no trace here', [ran('npm run deploy', 1, EXPIRED), ran('npm run deploy', 1, EXPIRED)], []],
  ['red twice, of a gate, whatever its words speak of', [ran('npm test', 1, `${red('adds')}${EXPIRED}`), ran('npm test', 1, `${red('adds')}${EXPIRED}`)], ['red npm test']],
  ['a push that git confirms', [ran('git push origin main', 0, PUSHED)], ['done git push origin main = refs/heads/main']],
  ['a push that was refused is none', [ran('git push origin main', 1, ' ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs\n')], []],
  ['a dry run is none', [ran('git push --dry-run origin main', 0, PUSHED)], []],
  ['an answer is nothing', [ran('grep -r x src', 1, '')], []],
  ['what befell it and passes is nothing', [ran('npm test', 137, 'Killed')], []],
  ['two of a list that ended well', [ran('npm test && npm run lint', 0, GREEN)], ['invariant `npm run lint` is a gate of `.` [recorded]', 'invariant `npm test` is a gate of `.` [recorded]']],
  ['a list that ended badly says nothing of its members', [ran('npm test && npm run lint', 1, red('adds'))], []],
  ['what ran elsewhere', [ran('npm test', 0, GREEN), ran('npm run lint', 0, '', { cwd: '/srv/other' })], ['invariant `npm test` is a gate of `.` [recorded]']],
  ['what ran in a container', [ran('docker exec web npm test', 0, GREEN)], []],
  ['a call that was refused changed nothing', [ran('jest', 127, NOT_FOUND), ran('npm install jest', { is: 'transient' }, '', { output: null })], ['program-missing jest']],
  ['a call that was broken off may have', [ran('jest', 127, NOT_FOUND), ran('npm install jest', { is: 'transient' }, 'added 1 package')], []],
  ['words that the shell worked out', [ran('npm test -- $FILES', 0, GREEN)], []],
]

describe('a command that was witnessed', () => {
  const witnessed = (command: string): Step => ran(command, 0, '', { host: 'git-remnant' })
  it.each([
    ['writes a file of the repository', `sh -c 'echo "export const x = 1" > f.mjs'`],
    ['writes one by its redirection alone', "sh -c 'node -e 0 >> out/log.txt'"],
    ['writes one that the shell works out', `sh -c 'node -e 0 > "$OUT"'`],
  ])('is a change and no fact where it %s', async (_, command) => {
    const made = await distilled([witnessed(command)])
    expect(kept(made)).toEqual([])
    expect(purgedBy(made)).toEqual(['effect'])
  })

  it('is a fact where it only throws its output away, and a gate where it is one', async () => {
    expect(kept(await distilled([witnessed("sh -c 'node report.mjs > /dev/null'")]))).toEqual(['invariant `node report.mjs` passes in `.` [witnessed]'])
    expect(kept(await distilled([witnessed('npm test > out.txt')]))).toEqual(['invariant `npm test` is a gate of `.` [witnessed]'])
  })
})

describe('a name that objects have of their own', () => {
  it.each(['constructor', '__proto__', 'toString', 'valueOf'])('is a program, a verb and a script as any other: %s', async (name) => {
    expect(kept(await distilled([ran(`${name} ${name}`, 127, `bash: line 1: ${name}: command not found\n`)]))).toEqual([`program-missing ${name} ${name}`])
    for (const runner of ['npm', 'pnpm', 'cargo', 'gh pr', 'glab mr', 'gh release', 'gh run', 'twine', 'uv', 'docker'])
      expect(kept(await distilled([ran(`${runner} ${name} x`, 0, 'done\n'), ran(`${name} | ${runner} ${name}`, 0, 'done\n')]))).toEqual([])
    expect(kept(await distilled([ran('npm test', 0, GREEN), ran(`${name} package.json`, 0, 'x')]))).toEqual([])
  })
})

describe('what a session lets one conclude', () => {
  it.each(stories)('%s', async (_, steps, expected) => {
    expect(kept(await distilled(steps))).toEqual(expected)
  })

  it('says by which rule each candidate was purged', async () => {
    const rules = async (...steps: Step[]) => purgedBy(await distilled(steps))
    expect(await rules(ran('npm test', 0, GREEN), edited('package.json'))).toEqual(['precondition'])
    expect(await rules(ran('npm run lint', 0, '', { cwd: '/home/dev/clockwork' }), ran('npm test', 0, GREEN, { cwd: '/srv/other' }))).toEqual(['other-repository'])
    expect(await rules(ran('docker exec web npm test', 0, GREEN))).toEqual(['unsealed'])
    expect(await rules(ran('frobnicate', 3, 'odd'))).toEqual(['unclassified'])
    expect(await rules(ran('npm test -- /tmp/build-1234/a.test.js', 0, GREEN))).toEqual(['temporary-path'])
  })

  it.each(['git diff --exit-code', 'git describe --tags', 'git rev-parse HEAD', 'git status', '/usr/bin/git log -1', 'env A=1 git status'])('has no key for the state of git, on which "%s" rests', async (command) => {
    const witnessed = { host: 'git-remnant' } as const
    expect(kept(await distilled([ran('frobnicate', 0, '', witnessed)]))).toEqual(['invariant `frobnicate` passes in `.` [witnessed]'])
    const { remnant, purged } = await distilled([ran(command, 0, '', witnessed)])
    expect(remnant).toBe(null)
    expect(purged).toMatchObject([{ rule: 'unsealed', reason: "git's own state, on which it rests, can not be read: no key holds it" }])
  })

  it('takes the earliest run after the last change of its keys as proof', async () => {
    const { remnant } = await distilled([ran('npm test', 0, GREEN), edited('package.json'), ran('npm test', 0, GREEN), ran('npm test', 0, GREEN)])
    expect(remnant?.verified_invariants[0]?.verification_receipt.record_id).toBe('call-2')
  })
})

describe('a declared claim', () => {
  const declare = (more: string) => ran(`git remnant claim "The cache directory must be writable" ${more}`, 0, 'noted')

  it('is kept with the result that it leans on, as asserted', async () => {
    const all = await distilled([ran('npm test', 0, GREEN), ran('make lint', 0, 'ok'), declare('--by "npm test" --effect "require path cache"')])
    expect(kept(all)).toContain('invariant The cache directory must be writable [asserted]')
    const claim = all.remnant?.verified_invariants.find(({ statement }) => statement.startsWith('The cache'))
    expect(claim).toMatchObject({ effect: { verb: 'require', kind: 'path', value: 'cache' }, verification_receipt: { record_id: 'call-0' } })
  })

  it.each([
    ['require key env:CI', 'env:CI'],
    ['use interface orders', 'interface:orders'],
    ['require path cache/', 'exists:cache'],
    ['avoid path dist', 'exists:dist'],
  ])('rests on what its command may read, and on what "%s" names', async (effect, key) => {
    const all = await distilled([ran('npm test', 0, GREEN), declare(`--by "npm test" --effect "${effect}"`)])
    const claim = all.remnant?.verified_invariants.find(({ statement }) => statement.startsWith('The cache'))
    const keysOf = (id?: string) => new Map(all.remnant?.claim_dependency_map).get(id ?? '')
    const gate = all.remnant?.verified_invariants.find(({ statement }) => statement.includes('is a gate'))
    expect(keysOf(claim?.claim_id)).toEqual([...(keysOf(gate?.claim_id) ?? []), 'reads:[".","npm","test"]', key].sort())
  })

  it.each([
    ['when its effect names a key that can be none', [ran('npm test', 0, GREEN), declare('--by "npm test" --effect "require key The Port"')], 'effect'],
    ['when its effect names a path outside of the repository', [ran('npm test', 0, GREEN), declare('--by "npm test" --effect "require path ../cache"')], 'effect'],
    ['without a result before it', [declare('--effect "require path cache"')], 'receipt'],
    ['when the named command failed', [ran('npm test', 1, red('adds')), declare('--by "npm test" --effect "require path cache"')], 'receipt'],
    ['when the named command is not in the log', [ran('npm test', 0, GREEN), declare('--by "npm run e2e" --effect "require path cache"')], 'receipt'],
    ['without an effect', [ran('npm test', 0, GREEN), declare('')], 'effect'],
    ['when it points at its conversation', [ran('npm test', 0, GREEN), ran('git remnant claim "This should work now" --effect "use tool node"', 0, '')], 'no-deixis'],
  ] as const)('is purged %s', async (_, steps, rule) => {
    expect(purgedBy(await distilled([...steps]))).toContain(rule)
  })
})
