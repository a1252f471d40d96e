import { absentPath, closing, failed } from '../model/ending.ts'
import { type Toolchain, absentToolKey, asksVersion, hasOption, namedFiles, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'rustc',
  why: 'The Rust compiler gives most errors a code of their own, points to file and place, and says how many made it stop.',
  knows(command) {
    const { program, args: words } = programOf(command)
    if (program !== 'rustc' && program !== 'rustdoc') return null
    const args = words[0]?.startsWith('+') ? words.slice(1) : words
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const compiles = args.some((arg) => arg.endsWith('.rs'))
    return {
      verifies: compiles && !hasOption(args, ['--help', '-h', '--print', '--explain']),
      readsSources: compiles,
      delegates: false,
      keys: [...new Set([...programKeys(command), ...namedFiles(command.folder, args)])],
    }
  },
  summary: (output) => (closing(output, 40).some((line) => ABORTED.test(line)) ? { passed: false } : null),
  failure(ending) {
    const { command } = ending
    const lines = ending.output.split('\n')
    const unread = lines.map((line) => /^error: couldn't read `?([^`:]{1,300})`?: No such file or directory/.exec(line)).find((one) => one !== null)
    const absent = unread === undefined ? [] : absentPath(ending, unread[1] as string)
    if (unread !== undefined && absent.length > 0) return failed(ending, 'path-missing', [unread[0]], absent)
    const linker = lines.map((line) => /^error: linker `([\w.+-]{1,100})` not found$/.exec(line)).find((one) => one !== null)
    if (linker !== undefined) return failed(ending, 'program-missing', [linker[0]], [absentToolKey(command.folder, linker[1] as string), ...programKeys(command)])
    const misuse = lines.find((line) => /^error: (?:argument for `--?[\w-]{1,60}` must be|unknown crate type: |error loading target specification: |no input filename given)/.test(line))
    if (misuse !== undefined && programOf(command).program.startsWith('rust')) return failed(ending, 'usage', [misuse], programKeys(command))
    return failed(ending, 'red', errors(lines))
  },
} satisfies Toolchain

const ABORTED = /^error: aborting due to \S.{0,80} errors?\b/

/** `error[E0308]: mismatched types --> a.rs: expected …`: the message, the file, and what stands at the place itself. */
function errors(lines: readonly string[]): string[] {
  return lines.flatMap((line, i) => {
    const short = /^(\S.{0,300}\.rs):\d+:\d+: (error(?:\[E\d{4}\])?: \S.{0,400})$/.exec(line)
    if (short !== null) return [`${short[2]} --> ${short[1]}`]
    if (!/^error(?:\[E\d{4}\])?: \S/.test(line) || ABORTED.test(line)) return []
    const file = /^ *--> (.{1,300}):\d+:\d+$/.exec(lines[i + 1] ?? '')?.[1]
    if (file === undefined) return /^error\[|^error: (?:linking with|couldn't read) /.test(line) ? [line] : []
    const label = lines.slice(i + 2, i + 12).map((one) => /^ *\| [^^]*\^+(?:-+)? (\S.{0,200})$/.exec(one)?.[1]).find((one) => one !== undefined)
    return [`${line.slice(0, 200)} --> ${file}${label === undefined ? '' : `: ${label}`}`]
  })
}
