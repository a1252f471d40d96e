import { joinPath } from '../model/key.ts'
import { absentPath, closing, failed, isPassing, npmPackage, packageKeys, unfound } from '../model/ending.ts'
import { type Ending, type Toolchain, absentToolKey, asksVersion, keysIn, namedFiles, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'node',
  why: 'Node prints the error that ended a program at the start of a line, its stack under it, and its own version last.',
  knows(command) {
    const { program, args } = programOf(command)
    if (!/^(?:node|nodejs|tsx|ts-node|bun|deno)$/.test(program) || args.includes('--test') || (program === 'deno' && /^(?:test|check|lint|fmt)$/.test(args[0] ?? ''))) return null
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const script = args.find((arg, i) => /\.[cm]?[jt]sx?$/.test(arg) && !arg.startsWith('-') && !VALUES.has(args[i - 1] ?? '')) ?? ''
    if ((program === 'bun' || program === 'deno') && script === '') return null
    const keys = [...programKeys(command), ...namedFiles(command.folder, args)]
    const name = script.replace(/^.*\//, '').replace(/\.[cm]?[jt]sx?$/, '')
    const checks = CHECKS.test(name) || (/^(?:--check|-c)$/.test(args[0] ?? '') && script !== '')
    return { verifies: checks && !args.some((arg) => /^--(?:watch|help|fix|write|inspect)/.test(arg)), readsSources: script !== '', delegates: false, keys }
  },
  summary: () => null,
  failure(ending) {
    const thrown = uncaught(ending.output)
    if (thrown === null) return null
    const { folder } = ending.command
    if (isPassing(thrown)) return 'transient'
    const module = /^Error(?: \[\w+\])?: Cannot find (?:module|package) '([^']{1,400})'/.exec(thrown)?.[1]
    if (module !== undefined) {
      const name = npmPackage(module)
      if (name !== null) return failed(ending, 'dependency', [thrown.replace(/ imported from .*$/, '')], [...new Set([folder, scriptFolder(ending)])].flatMap((from) => packageKeys(from, name)).concat('tree:.'))
      if (absentPath(ending, module).length > 0) return unfound(ending, 'path-missing', [thrown.replace(/ imported from .*$/, '')], absentPath(ending, module))
      const absent = missingFiles(ending, module)
      return absent.length > 0 ? failed(ending, 'path-missing', [thrown.replace(/ imported from .*$/, '')], absent) : failed(ending, 'red', [thrown])
    }
    if (/^Error: EACCES: /.test(thrown)) return failed(ending, 'denied', [thrown], ['privilege'])
    const spawned = /^Error: spawn ([\w.+-]{1,100}) ENOENT$/.exec(thrown)?.[1]
    const sought = /^Error: ENOENT: no such file or directory, \w+ '([^'/~][^']{0,300})'/.exec(thrown)?.[1]
    const keys = spawned !== undefined ? [absentToolKey(folder, spawned)] : sought !== undefined ? keysIn('absent', folder, [sought]) : []
    return failed(ending, 'red', [thrown, ...codeOf(ending.output), ...placeOf(ending.output, thrown)], keys)
  },
} satisfies Toolchain

const VALUES = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader'])
const CHECKS = /^(?:tests?|checks?|verify|validate|lint|type-?check|build|run-tests?)$|^test[-_.]|[-_.]test$|^check[-_.]/

/** Where Node begins to look for what the program asks for. */
function scriptFolder({ command }: Ending): string {
  const script = programOf(command).args.find((arg, i, all) => !arg.startsWith('-') && !VALUES.has(all[i - 1] ?? ''))
  return joinPath(command.folder, script === undefined || /[\s'"`()]/.test(script) ? '.' : script.replace(/[^/]*$/, '') || '.') ?? command.folder
}

/** The error that ended the program: a line of its own, with a stack or Node's version behind it. */
function uncaught(output: string): string | null {
  const lines = closing(output, 60)
  const ended = /^Node\.js v\d/.test(lines.at(-1) ?? '')
  const at = lines.findLastIndex((line) => /^(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S/.test(line))
  if (at === -1 || !(ended || lines.slice(at + 1, at + 8).some((line) => /^ {4}at \S/.test(line)))) return null
  if (!ended && lines.slice(at + 1).some((line) => !/^\s|^\}|^- |^Require stack:/.test(line))) return null
  return lines[at] as string
}

/** The innermost file on the stack that is neither Node's own nor an installed package's: where the fault lies. */
function placeOf(output: string, thrown: string): string[] {
  const lines = closing(output, 60)
  const stack = lines.slice(lines.lastIndexOf(thrown) + 1, lines.lastIndexOf(thrown) + 30).filter((line) => /^ {4}at /.test(line))
  const file = stack.map((line) => /(?:^ {4}at |\()(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/])[^()]{1,400}?):\d+:\d+\)?$/.exec(line)?.[1]).find((path) => path !== undefined && !/[\\/]node_modules[\\/]/.test(path))
  return file === undefined ? [] : [`at ${file}`]
}

const codeOf = (output: string): string[] => closing(output, 30).flatMap((line) => /^ {2}(code: '[\w-]{1,100}'),?$/.exec(line)?.[1] ?? []).slice(-1)

/** A module that is a file: as the command itself names it, or beside a file that the command names. */
function missingFiles(ending: Ending, module: string) {
  const { folder } = ending.command
  if (!module.startsWith('.')) {
    const named = absentPath(ending, module)
    if (named.length > 0) return named
  }
  for (const word of programOf(ending.command).args) {
    const script = joinPath(folder, word)
    if (script === null || !/\.[cm]?[jt]sx?$/.test(word) || word.startsWith('/')) continue
    const from = /(?:^- |imported from )((?:\/|[A-Za-z]:[\\/]).{1,400}?)$/m.exec(ending.output)?.[1]?.replaceAll('\\', '/')
    if (from === undefined || !from.endsWith(`/${script}`)) continue
    const root = from.slice(0, -script.length)
    const path = module.startsWith('.') ? joinPath(script.replace(/[^/]*$/, '') || '.', module) : module.startsWith(root) ? module.slice(root.length) : null
    if (path === null) continue
    return keysIn('absent', '.', /\.\w+$/.test(path) ? [path] : ['', '.js', '.json', '.cjs', '.mjs', '.ts', '/index.js'].map((ending) => `${path}${ending}`))
  }
  return []
}
