import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const top = fileURLToPath(new URL('../..', import.meta.url))
const stands = (...argv: string[]): boolean => spawnSync(argv[0] as string, argv.slice(1)).status === 0

/** The toolchains that this machine has lie in the real home. */
const env = { RUSTUP_HOME: process.env.RUSTUP_HOME ?? join(homedir(), '.rustup') }

interface Project {
  readonly argv: readonly string[]
  readonly needs: readonly string[]
  readonly files: Readonly<Record<string, string>>
  /** A source that the test reaches by way of another: its path, and what makes the test pass. */
  readonly source: string
  readonly right: string
  readonly prepare?: readonly string[]
  /** The installed packages of this repository are its own. */
  readonly installed?: boolean
}

const JS = { 'package.json': '{"type":"module","private":true}\n', 'src/far.js': 'export const n = 1\n', 'src/near.js': "export { n } from './far.js'\n" }
const PY = { 'pkg/__init__.py': '', 'pkg/far.py': 'N = 1\n', 'pkg/near.py': 'from pkg.far import N\n', 'tests/__init__.py': '' }

const PROJECTS: readonly (readonly [string, Project])[] = [
  ['node --test', {
    ...{ argv: ['node', '--test', 'test/a.test.js'], needs: ['node', '--version'], source: 'src/far.js', right: 'export const n = 2\n' },
    files: { ...JS, 'test/a.test.js': "import test from 'node:test'\nimport assert from 'node:assert'\nimport { n } from '../src/near.js'\ntest('two', () => assert.equal(n, 2))\n" },
  }],
  ['vitest', {
    ...{ argv: ['npx', 'vitest', 'run', 'test/a.test.js'], needs: ['node', '--version'], source: 'src/far.js', right: 'export const n = 2\n', installed: true },
    files: { ...JS, 'test/a.test.js': "import { expect, it } from 'vitest'\nimport { n } from '../src/near.js'\nit('is two', () => expect(n).toBe(2))\n" },
  }],
  ['pytest', {
    ...{ argv: ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests/test_a.py'], needs: ['python3', '-m', 'pytest', '--version'], source: 'pkg/far.py', right: 'N = 2\n' },
    files: { ...PY, 'tests/test_a.py': 'from pkg.near import N\n\ndef test_two():\n    assert N == 2\n' },
  }],
  ['unittest', {
    ...{ argv: ['python3', '-m', 'unittest', 'tests.test_a'], needs: ['python3', '--version'], source: 'pkg/far.py', right: 'N = 2\n' },
    files: { ...PY, 'tests/test_a.py': 'import unittest\nfrom pkg.near import N\n\nclass T(unittest.TestCase):\n    def test_two(self):\n        self.assertEqual(N, 2)\n' },
  }],
  ['cargo test', {
    ...{ argv: ['cargo', 'test', '--offline', '--lib'], needs: ['cargo', '--version'], source: 'src/far.rs', right: 'pub const N: i32 = 2;\n', prepare: ['cargo', 'generate-lockfile', '--offline'] },
    files: { 'Cargo.toml': '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n', 'src/lib.rs': 'mod far;\n\n#[test]\nfn two() {\n    assert_eq!(far::N, 2);\n}\n', 'src/far.rs': 'pub const N: i32 = 1;\n' },
  }],
  ['make', {
    ...{ argv: ['make', 'test'], needs: ['make', '--version'], source: 'sub/far.txt', right: '2\n' },
    files: { Makefile: 'test:\n\t$(MAKE) -C sub check\n', 'sub/Makefile': 'check: far.txt\n\tgrep -q 2 far.txt\n', 'sub/far.txt': '1\n' },
  }],
]

function project({ files, installed, prepare }: Project): Clone {
  const made = clone({ onDisk: installed === true }) // where its packages can be linked
  for (const [path, text] of Object.entries({ '.gitignore': 'node_modules\ntarget\n__pycache__\n', ...files })) made.write(path, text)
  if (installed) expect(made.run(['cp', '-al', join(top, 'node_modules'), 'node_modules']).status === 0 || made.run(['cp', '-a', join(top, 'node_modules'), 'node_modules']).status === 0).toBe(true)
  if (prepare !== undefined) expect(made.run(prepare, { env }).status).toBe(0)
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

const remnant = (made: Clone, ...args: string[]) => made.run(['git-remnant', ...args], { env })
const resolved = (made: Clone) => (JSON.parse(remnant(made, 'resolve', '--json').stdout) as { remnants: { verdict: string; invalidated_claims: string[] }[] }).remnants

describe('what a check of a named test said', () => {
  it.each(PROJECTS.filter(([, { needs }]) => stands(...needs)))('falls with a source that the test reaches: %s', (_, shape) => {
    const made = project(shape)
    expect(remnant(made, 'run', '--', ...shape.argv).status).toBeGreaterThan(0)
    expect(remnant(made, 'teardown').stdout).toContain('kept    1 ')
    expect(resolved(made).map(({ verdict }) => verdict)).toEqual(['NO_DRIFT'])
    made.write(shape.source, shape.right)
    expect(resolved(made)[0]?.invalidated_claims).toHaveLength(1)
    expect(remnant(made, 'run', '--', ...shape.argv).status).toBe(0)
    made.write('docs/page.md', 'x\n')
    made.git('add', '-A')
    made.git('commit', '-q', '-m', 'Right')
    expect(remnant(made, 'teardown').stdout).toContain('kept    1 ')
    made.write(shape.source, `${shape.right}\n`)
    made.git('commit', '-qam', 'Again')
    const gates = (JSON.parse(remnant(made, 'gate', '--changed-since', 'HEAD~1', '--json').stdout) as { gates: { result: string }[] }).gates
    expect(gates).toHaveLength(1)
  }, 120_000)
})
