import { absentPath, failed } from '../model/ending.ts'
import { type Ending, type Failure, type Toolchain, asksVersion, hasOption, keysIn, namedFiles, programKeys, programOf, toolKey } from '../model/toolchain.ts'

export default {
  id: 'pip',
  why: 'pip says in lines that begin with ERROR which requirement no index can meet, and which of its files it could not read.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!PIP.test(program)) return null
    const keys = [...programKeys(command), ...namedFiles(command.folder, args)]
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const local = args.some((arg) => /^\.(?:\/|\[|$)/.test(arg) || /^(?:-e|--editable)/.test(arg))
    return { verifies: false, readsSources: local, delegates: false, keys: [...new Set(keys)] }
  },
  summary: () => null,
  failure(ending) {
    if (!PIP.test(programOf(ending.command).program)) return null
    const lines = ending.output.split('\n').filter((line) => line.length <= 2000)
    return unread(ending, lines) ?? unmet(ending, lines) ?? refused(ending, lines)
  },
} satisfies Toolchain

const PIP = /^pip(?:\d[\d.]*)?$/

/** A file of requirements, or a project, that is not there. */
function unread(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const { folder } = ending.command
  const file = lines.map((line) => /^ERROR: Could not open (?:requirements|constraints) file: \[Errno 2\] No such file or directory: '([^']{1,300})'$/.exec(line)).find((one) => one !== null)
  if (file !== undefined) return failed(ending, 'path-missing', [file[0]], absentPath(ending, file[1] as string))
  const hint = lines.map((line) => /^(?:Hint: )?It looks like a path\. File '([^']{1,300})' does not exist\.?$/.exec(line)).find((one) => one !== null)
  if (hint !== undefined) return failed(ending, 'path-missing', [hint[0]], absentPath(ending, hint[1] as string))
  const project = lines.find((line) => /^ERROR: .{1,400}(?:does not appear to be a Python project: n|is not installable\. N)either 'setup\.py' nor 'pyproject\.toml' found\.$/.test(line))
  if (project === undefined) return null
  const named = programOf(ending.command).args.find((arg) => /^\.{0,2}(?:\/|$|\[)|^[\w-]+\/$/.test(arg) && !arg.startsWith('/')) ?? '.'
  const at = named.replace(/\[.*$/, '')
  return failed(ending, 'path-missing', [project], keysIn('absent', folder, [`${at}/setup.py`, `${at}/pyproject.toml`]))
}

/** What no index offers, or not together. An index that was not reached is told from this by the retries that pip reports. */
function unmet(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const { command } = ending
  const { args } = programOf(command)
  const told = lines.filter((line) => UNMET.test(line)).map((line) => line.replace(/ \(from versions: .*$/, ''))
  if (told.length === 0) return null
  const silent = hasOption(args, ['--retries', '-q', '--quiet']) || args.some((arg) => /^-q+$/.test(arg))
  const keys = [...programKeys(command), toolKey(command.folder, 'python3'), ...namedFiles(command.folder, args)]
  return failed(ending, silent && !args.includes('--no-index') ? null : 'dependency', told, keys)
}

const UNMET = /^(?:ERROR: (?:No matching distribution found for |Could not find a version that satisfies |Cannot install .{1,400} because these package versions have conflicting|Package '[^']{1,200}' requires a different Python: |.{0,300}THESE PACKAGES DO NOT MATCH THE HASHES)|The conflict is caused by:)/

/** The policy of the system, a requirement that can not be read, a package that does not build. */
function refused(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const managed = lines.find((line) => /^error: externally-managed-environment$/.test(line))
  if (managed !== undefined) return failed(ending, 'denied', [managed], ['privilege', ...programKeys(ending.command)])
  const denied = lines.find((line) => /^ERROR: Could not install packages due to an OSError: \[Errno 13\]/.test(line))
  if (denied !== undefined) return failed(ending, 'denied', [denied], ['privilege'])
  const invalid = lines.find((line) => /^ERROR: Invalid requirement: /.test(line))
  if (invalid !== undefined) return failed(ending, /\(from line \d+ of /.test(invalid) ? 'red' : 'usage', [invalid], programKeys(ending.command))
  const none = lines.find((line) => /^ERROR: You must give at least one requirement to \w+/.test(line))
  if (none !== undefined) return failed(ending, 'usage', [none.replace(/ \(maybe you meant .*$/, '')], programKeys(ending.command))
  return failed(ending, null, lines.filter((line) => /^ERROR: (?:Failed (?:building wheel|to build)|Could not build wheels)/.test(line)))
}
