import { describe, expect, it } from 'vitest'
import { distilled, edited, kept, ran, type Step } from './session.ts'

const GREEN = '# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.0\n'
const RED = "not ok 1 - a\n  ---\n  error: 'Expected 1'\n  code: 'ERR_ASSERTION'\n  ...\n# tests 1\n# suites 0\n# pass 0\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 50.0\n"
const PUSHED = 'To github.com:a/b.git\n   1234567..89abcde  main -> main\n'
const green = ran('npm test', 0, GREEN)
const at = (time: string): Step => ({ at: `2026-06-01T10:00:${time}Z` })

/** Sessions that someone might take for a proof. None is. */
const nothing: readonly [string, readonly Step[]][] = [
  ['a status that is turned round', [ran('! npm test', 0, RED)]],
  ['a status told behind a pipe', [ran('npm test 2>&1 | tail -40; echo "exit: ${PIPESTATUS[0]}"', 0, `${GREEN}exit: 1\n`)]],
  ['closing lines that another command may have printed', [ran("npm test 2>&1 | tail -5; printf '# pass 1\\n# fail 0\\n'", 0, GREEN)]],
  ['closing lines of the first of several steps', [ran('npm test | tail -20', 0, '> x@1.0.0 test\n> pytest -q && ./quiet.sh\n\n3 passed in 0.10s\n')]],
  ['an output of which the end is missing', [ran('npm test', { is: 'unknown' }, GREEN, { cut: true })]],
  ['a green run, then a list that failed', [green, ran('npm run build && npm test', 1, RED)]],
  ['a green run, then red under another spelling', [green, ran('npm run test', 1, RED), edited('package.json')]],
  ['a green run, then its red output in a file', [green, ran('npm test > out.txt 2>&1; tail -50 out.txt', 0, RED), edited('package.json')]],
  ['a folder that was not there', [ran('cd nope; npm test', 0, `bash: line 1: cd: nope: No such file or directory\n${GREEN}`)]],
  ['a folder that may not have been there', [ran('cd nope 2>/dev/null; npm test', 0, GREEN)]],
  ['a folder that was looked for elsewhere', [ran('CDPATH=/srv/other; cd packages && npm test', 0, GREEN)]],
  ['a folder outside that an option names', [ran('make -C /srv/other/app test', 0, 'ok')]],
  ['a program of another name', [ran('alias npm=true\nnpm test', 0, GREEN)]],
  ['a gate that can not fail', [ran('make -i test', 0, 'ok'), ran('make SHELL=/bin/true test', 0, ''), ran('MAKEFLAGS=-n make test', 0, ''), ran('npm test --script-shell=/bin/true', 0, '')]],
  ['a gate that was asked for help', [ran('node --test --help', 0, 'Usage: node'), ran('bash -n scripts/test.sh', 0, ''), ran('./scripts/test.sh --help', 0, 'usage')]],
  ['a gate that found nothing to check', [ran('npm test', 0, GREEN.replaceAll(' 1', ' 0')), ran('make test', 0, "make: 'test' is up to date.\n")]],
  ['a gate whose counters say that it failed', [ran('npm test', 0, `${RED}${'filler\n'.repeat(60)}`)]],
  ['a push that was passed over', [ran('false && git push origin main; cat old.log', 0, PUSHED)]],
  ['a push whose words another file holds', [ran('git push -q origin main; cat old.log', 0, PUSHED)]],
  ['a push whose words were printed before it', [ran(`echo "To github.com:a/b.git"; cat x; git push origin main`, 0, `${PUSHED}Everything up-to-date\n`)]],
  ['a declaration that was refused', [green, ran('git remnant claim "The cache must be writable." --effect "require path cache"', 1, 'refused'), edited('package.json')]],
  ['a declaration that never ran', [green, ran('git remnant claim "The cache must be writable." --effect "require path cache"', { is: 'transient' }, '', { output: null }), edited('package.json')]],
  ['a declaration that leans on nothing', [ran('echo hi', 0, 'hi'), ran('git remnant claim "The cache must be writable." --by "echo hi" --effect "require path cache"', 0, '')]],
  ['an edit while the gate was running', [{ ...edited('package.json'), ...at('03.000') }, { ...ran('npm test', 0, GREEN), ...at('09.000'), began: '2026-06-01T10:00:02.000Z' }]],
  ['a later edit by a clock that was set back', [{ ...green, ...at('30.000') }, { ...edited('package.json'), ...at('01.000') }]],
  ['a later failure within the same second', [{ ...green, at: '2026-06-01T10:00:00Z' }, { ...ran('npm test', 1, RED), at: '2026-06-01T10:00:00.500Z' }, edited('package.json')]],
]

describe('what proves nothing', () => {
  it.each(nothing)('%s', async (_, steps) => {
    expect(kept(await distilled(steps)).filter((line) => !line.startsWith('open'))).toEqual([])
  })
})

describe('after a gate’s last run, what may have changed its files takes the claim away', () => {
  it.each([
    'git -C . checkout HEAD~1',
    'git -c core.x=y checkout HEAD~1',
    'git read-tree -u -m HEAD',
    'git sparse-checkout set a',
    'gh pr checkout 3',
    'npm --prefix . install x',
    'npx npm-check-updates -u',
    'docker run -v .:/w x npm i',
    'python3 scripts/x.py',
    'node scripts/gen.js',
    './scripts/fix.sh',
    'node scripts/fix-check.mjs',
    './scripts/check.sh --fix',
    'python3 scripts/check/x.py',
    'npm run format',
    'make deps',
    "node -e \"require('fs').appendFileSync('package.json', ' ')\"",
    'sed -i s/a/b/ *.json',
    'sed -i s/a/b/ $(git ls-files)',
    'for f in a b; do sed -i s/a/b/ "$f"; done',
    'F=package.json; echo > $F',
    'echo > ./*.json',
    'rm -rf *',
    'cp {other,package}.json .',
    'git ls-files | xargs sed -i s/a/b/',
    'find . -name package.json -exec sed -i s/a/b/ {} +',
    "perl -0pi -e 's/a/b/' package.json",
    'patch -p1 < fix.patch',
    'tar xf files.tar',
    'dd of=package.json if=other.json',
    'yq -i .a=1 package.json',
    'vim -es package.json',
    'ruff format',
    'cargo fmt',
    'biome check --apply',
    'npx sort-package-json',
    'frobnicate',
    '.venv/bin/python - <<X\nopen("package.json", "w")\nX',
    '.venv/bin/pip install x',
  ])('%s', async (command) => {
    expect(kept(await distilled([green, ran(command, 0, '')])).filter((line) => line.includes('`npm test`'))).toEqual([])
  })

  it.each(['git status', 'git add -A && git commit -m x', 'ls -la', 'cat README.md', 'grep -rn x src', 'rg x | head', 'find . -name "*.js"', 'npm run lint', 'node --version', 'git push origin main', 'sed -n 1,5p a.js', 'node src/cli.mjs 1d', 'python3 -c "import sys; print(sys.version)"', 'node scripts/security-check.mjs', 'python3 tools/verify_links.py', './scripts/lint.sh src'])(
    'not %s',
    async (command) => {
      expect(kept(await distilled([green, ran(command, 0, '')]))).toContain('invariant `npm test` is a gate of `.` [recorded]')
    },
  )
})

describe('a script that is not there changes nothing', () => {
  const MODULE = (path: string, stack = '[]'): string => `node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module '${path}'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)\n  code: 'MODULE_NOT_FOUND',\n  requireStack: ${stack}\n}\n`

  it.each([
    ['node tools/a.js', 1, MODULE('/home/dev/clockwork/tools/a.js')],
    ['python3 tools/a.py', 2, "/usr/bin/python3: can't open file '/home/dev/clockwork/tools/a.py': [Errno 2] No such file or directory\n"],
    ['sh tools/a.sh', 2, 'sh: 0: cannot open tools/a.sh: No such file\n'],
    ['bash ./tools/a.sh', 127, 'bash: ./tools/a.sh: No such file or directory\n'],
  ])('%s', async (command, code, output) => {
    expect(kept(await distilled([green, ran(command, code, output)]))).toContain('invariant `npm test` is a gate of `.` [recorded]')
  })

  it.each([
    ['node tools/a.js', 1, MODULE('/home/dev/clockwork/lib/b.js', "[ '/home/dev/clockwork/tools/a.js' ]")],
    ['python3 tools/a.py', 2, "/usr/bin/python3: can't open file '/home/dev/clockwork/tools/b.py': [Errno 2] No such file or directory\n"],
    ['sh tools/a.sh', 127, 'bash: tools/b.sh: No such file or directory\n'],
    ['bash tools/a.sh tools/b.sh', 127, 'bash: tools/b.sh: No such file or directory\n'],
  ])('but one that it called may have been called late: %s', async (command, code, output) => {
    expect(kept(await distilled([green, ran(command, code, output)])).filter((line) => line.includes('`npm test`'))).toEqual([])
  })
})
