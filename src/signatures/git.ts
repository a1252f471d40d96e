import { absentPath, closing, failed } from '../model/ending.ts'
import { type Toolchain, namedFiles, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'git',
  why: 'git says fatal or error and why; what it refuses mostly rests on branches and remotes, which no key of a working tree shows.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'git') return null
    if (args.length === 1 && /^(?:--version|-v|version)$/.test(args[0] ?? '')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    return {
      verifies: false,
      readsSources: false,
      // Their hooks may run anything.
      delegates: /^(?:commit|push)$/.test(verbOf(args)),
      keys: [...new Set([...programKeys(command), ...namedFiles(command.folder, args)])],
    }
  },
  summary: () => null,
  failure(ending) {
    const { program, args } = programOf(ending.command)
    if (program !== 'git') return null
    const lines = closing(ending.output, 60).filter((line) => line.length <= 1000)
    if (lines.some((line) => /^fatal: Unable to create '.{1,400}\.lock': File exists\./.test(line))) return 'transient'
    if (lines.some((line) => REFUSED.test(line))) return null
    const file = lines.map((line) => NO_FILE.exec(line)).find((one) => one !== null)
    const absent = file === undefined ? [] : absentPath(ending, file.slice(1).find((one) => one !== undefined) ?? '')
    if (file !== undefined && absent.length > 0 && (file[1] === undefined || verbOf(args) === 'add')) return failed(ending, 'path-missing', [file[0]], absent)
    const patch = lines.filter((line) => /^error: (?:\S.{0,300}: patch does not apply|\S.{0,300}: does not (?:exist in index|match index))$/.test(line))
    if (patch.length > 0) return failed(ending, 'red', patch)
    const said = lines.filter((line) => SAID.test(line)).map((line) => line.replace(/ checked out at '.*$/, ' checked out'))
    const why = said.filter((line) => !CLOSING.test(line))
    return failed(ending, null, why.length > 0 ? why : said)
  },
} satisfies Toolchain

/** The subcommand, behind git's own options. */
const verbOf = (args: readonly string[]): string => args.find((arg, i) => !arg.startsWith('-') && !/^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(args[i - 1] ?? '')) ?? ''

/** What the fallback knows better: permission, authentication, policy, and words that git does not know. */
const REFUSED =
  /Permission (?:to \S+ )?denied|Authentication failed|could not read (?:Username|Password)|not authorized|returned error: 40[13]|hook declined|\(protected branch|Repository not found|is not a git command|^error: (?:unknown|ambiguous) (?:option|switch)|^(?:error|fatal): unrecognized argument/i
const NO_FILE = /^(?:fatal: pathspec '([^']{1,300})' did not match any files|error: can't open patch '([^']{1,300})': No such file or directory|fatal: could not open '([^']{1,300})' for reading: No such file or directory)$/
const SAID = /^(?:fatal|error|merge|CONFLICT \([\w/ ]{1,40}\)): ?\S| ! \[(?:remote )?rejected\] |^(?:hint: )?Automatic merge failed|^No stash entries found\.$|^nothing to commit\b|^nothing added to commit\b|^There is no tracking information/
/** What git adds to every failure of a kind. */
const CLOSING = /^error: failed to push some refs to|^fatal: Could not read from remote repository\.$|^error: (?:please |Please |could not apply )|^hint: |^Aborting$/
