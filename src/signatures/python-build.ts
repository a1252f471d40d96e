import { failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'python-build',
  why: 'uv, build, Poetry, Hatch and Flit hand a Python project to its build backend; what that refuses stands in lines that begin with an error.',
  knows(command) {
    const { program, args, runner } = programOf(command)
    const rest = FRONTENDS.test(program) && args[0] === 'build' ? args.slice(1) : program === 'build' && /^(?:python[\d.]*|py|uv)$/.test(runner ?? '') ? args : null
    if (rest === null || asksVersion(rest)) return null
    const { folder } = command
    const named = rest.find((arg, i) => !arg.startsWith('-') && !VALUES.has(rest[i - 1] ?? '')) ?? '.'
    const keys = [...programKeys(command), ...keysIn('file', folder, ['pyproject.toml', 'setup.py', 'setup.cfg'].map((name) => `${named}/${name}`))]
    return { verifies: !hasOption(rest, ['--help', '-h', '--dry-run']), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  summary: () => null,
  failure(ending) {
    const lines = ending.output.split('\n').filter((line) => line.length <= 1000)
    if (!lines.some((line) => BACKEND.test(line))) return null
    return failed(ending, 'red', lines.filter((line) => TOLD.test(line)))
  },
} satisfies Toolchain

const FRONTENDS = /^(?:uv|poetry|hatch|flit)$/
const VALUES = new Set(['-o', '--out-dir', '--outdir', '-f', '--format', '-t', '--target', '-p', '--python', '--package', '-C', '--config-setting', '--output'])
/** The backend itself was reached, and refused: what went before it may be the network's. */
const BACKEND = /^ *(?:(?:Caused by: |[├╰]─▶ )?(?:The build backend returned an error|Call to `.{1,200}` failed \(exit (?:status|code): \d+\))|ERROR Backend .{1,200})$/
/** Not the lines that say where on this machine it lies. */
const TOLD = /^(?:error: (?!Failed to build )(?!.*[ `'"]\/)|(?:[A-Za-z_][\w.]*(?:Error|Exception)): |ERROR Backend )/
