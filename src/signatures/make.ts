import { canonical } from '../base/canonical.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { closing, failed, telling, unfound } from '../model/ending.ts'
import { Key, joinPath } from '../model/key.ts'
import { type Toolchain, asksVersion, hasOption, isGateName, keysIn, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'make',
  why: 'make says which target of which makefile failed and with what status; compilers before it say file, line and error.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'make' && program !== 'gmake') return null
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const targets = args.filter((arg, i) => !arg.startsWith('-') && !arg.includes('=') && !VALUES.has(args[i - 1] ?? ''))
    const idle = hasOption(args, ['--dry-run', '--just-print', '--recon', '--question', '--touch', '--help']) || args.some((arg) => /^-[a-zA-Z]*[nqth]/.test(arg) && !/^-[CfjIloW]/.test(arg))
    return {
      verifies: !idle && targets.length > 0 && targets.every((target) => target === 'all' || isGateName(target)),
      readsSources: true,
      delegates: true,
      keys: [...programKeys(command), ...makefiles(command.folder, args), ...definitions(command, args)],
    }
  },
  summary: (output) => (STOPPED.test(closing(output, 1)[0] ?? '') ? { passed: false } : null),
  failure(ending) {
    const { command, output } = ending
    const { args } = programOf(command)
    const lines = output.split('\n')
    const keys = [...programKeys(command), ...makefiles(command.folder, args)]
    const no = lines.find((line) => /^g?make(?:\[\d+\])?: \*\*\* No targets specified and no makefile found\./.test(line))
    if (no !== undefined) return unfound(ending, 'path-missing', [no], keys.filter((key) => key.startsWith('file:')).map((key) => `absent:${key.slice(5)}`))
    const rule = lines.map((line) => /^g?make(?:\[\d+\])?: \*\*\* No rule to make target '([^']{1,300})'(, needed by '[^']{1,300}')?\. {2}Stop\.$/.exec(line)).find((one) => one !== null)
    if (rule !== undefined) {
      const target = rule[1] as string
      const file = optionOf(args, ['-f', '--file', '--makefile'])
      // What another make says, or of what a target needs, is the makefile's fault; so is, where more follows, what somebody made something else of.
      const told = (args.includes(target) || file === target) && rule[2] === undefined && !/^g?make\[/.test(rule[0]) && closing(output, 3).includes(rule[0]) ? unfound : failed
      const there = folderOf(command.folder, args)
      if (there === null) return told(ending, null, [rule[0]])
      const absent = keysIn('absent', there, [target])
      if (file === target) return told(ending, 'path-missing', [rule[0]], absent)
      // An included file, a rule of make's own or one from the environment may make it, which no single file shows.
      const ways: readonly Key[] = [...absent, 'env:MAKEFILES', 'tree:.']
      if (rule[2] !== undefined) return told(ending, 'path-missing', [rule[0]], [...keys, ...ways])
      return args.includes(target) ? told(ending, 'usage', [rule[0]], [...keys, ...ways]) : told(ending, 'red', [rule[0]])
    }
    const gone = lines.map((line) => /^g?make: \*\*\* (.{1,300}): No such file or directory\. {2}Stop\.$/.exec(line)).find((one) => one != null)
    if (gone != null) {
      const absent = absentFolder(command.folder, args, gone[1] as string)
      return absent === null ? null : unfound(ending, absent.length > 0 ? 'path-missing' : null, [gone[0]], absent)
    }
    const unread = lines.find((line) => /^[^\s:]{1,200}:\d+: \*\*\* .{1,300}\. {2}Stop\.$/.test(line))
    if (unread !== undefined) return failed(ending, 'red', [unread])
    const stops = lines.filter((line) => STOPPED.test(line))
    if (stops.length === 0 || stops.some((line) => /\] Error 12[67]$/.test(line))) return null
    const compiler = lines.flatMap((line) => COMPILER.exec(line)?.[0] ?? [])
    // What the failing recipe printed last, which may be its own command line.
    const before = lines.slice(0, lines.indexOf(stops[0] as string)).filter((line) => !/^g?make(?:\[\d+\])?: /.test(line))
    return failed(ending, 'red', [...(compiler.length > 0 ? compiler : telling(before.join('\n'))), ...stops.slice(0, 2)])
  },
} satisfies Toolchain

const VALUES = new Set(['-C', '--directory', '-f', '--file', '--makefile', '-j', '-I', '-l', '-o', '-W'])
const STOPPED = /^g?make(?:\[\d+\])?: \*\*\* \[.{1,300}\] Error \d+$/
const COMPILER = /^[\w./+-]{1,200}(?::\d+){1,2}: (?:fatal )?error: \S.{0,400}$|^(?:\S{1,200}: )?undefined reference to .{1,200}$|^\S{0,200}ld: .{0,200}cannot find -l\S+$/

/** Every name that make looks for, in the folder where it works. */
function makefiles(folder: string, args: readonly string[]) {
  const there = folderOf(folder, args) ?? folder
  const named = optionOf(args, ['-f', '--file', '--makefile'])
  return keysIn('file', there, named === null ? ['GNUmakefile', 'makefile', 'Makefile'] : [named])
}

/** The makefiles with all that they include. */
function definitions({ folder, env }: CanonicalCommand, args: readonly string[]): Key[] {
  const there = folderOf(folder, args)
  if (there === null) return []
  const given = args.flatMap((arg, i) => {
    const [, short, long, value = ''] = /^(?:-([fI])|--(file|makefile|include-dir)(?==|$))=?(.*)$/s.exec(arg) ?? []
    if (short === undefined && long === undefined) return []
    return [short === 'I' || long === 'include-dir' ? '-I' : '-f', value === '' ? (args[i + 1] ?? '') : value]
  })
  // A variable may name what is included.
  const variables = args.filter((arg, i) => /^[A-Za-z_][\w.-]*[:?+!]{0,3}=/.test(arg) && !VALUES.has(args[i - 1] ?? ''))
  const first = env.filter(([name]) => name === 'MAKEFILES').map(([name, value]) => `${name}=${value}`)
  const key = `makefiles:${canonical([there, ...given, ...first, ...variables])}`
  return Key.safeParse(key).success ? [key] : []
}

/** Where make works: each `-C` leads on from the one before. null: outside the repository. */
const folderOf = (folder: string, args: readonly string[]): string | null => entered(args).reduce((there: string | null, to) => (there === null || to.startsWith('/') ? null : joinPath(there, to)), folder)

/** The folders that make is told to enter, in their order. */
const entered = (args: readonly string[]): string[] => args.flatMap((arg, i) => (/^-C$|^--directory$/.test(arg) ? [args[i + 1] ?? '.'] : (/^(?:-C|--directory=)(.+)$/s.exec(arg)?.[1] ?? [])))

/** The key of the first folder of this name that make is told to enter; none where it lies outside the repository. null: it is told to enter no such folder. */
function absentFolder(folder: string, args: readonly string[], name: string): Key[] | null {
  const all = entered(args)
  const at = all.indexOf(name)
  const before = at === -1 ? null : folderOf(folder, all.slice(0, at).flatMap((to) => ['-C', to]))
  return at === -1 ? null : before === null ? [] : keysIn('absent', before, [name])
}
