import { absentPath, closing, failed, npmPackage, packageKeys } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'typescript',
  why: 'The TypeScript compiler gives each error a code of its own, and one line with file, place, code and message.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'tsc' && program !== 'vue-tsc') return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const projects = [optionOf(args, ['-p', '--project']), ...(hasOption(args, ['-b', '--build']) ? args.filter((arg) => !arg.startsWith('-')) : [])]
    const named = projects.flatMap((path) => (path === null ? [] : path.endsWith('.json') ? [path] : [`${path}/tsconfig.json`]))
    const configs = named.length > 0 ? keysIn('file', folder, named) : upwards(folder, ['tsconfig.json'])
    const keys = [...programKeys(command), ...configs, 'lock:npm/typescript', ...namedFiles(folder, args)]
    return { verifies: !hasOption(args, IDLE), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  diagnoses: true,
  still: true,
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => /^Found [1-9]\d* errors?[ .]/.test(line)) && !/\bWatching for file changes\b/.test(lines.join('\n'))) return { passed: false }
    const last = lines.findLast((line) => !/^\s/.test(line)) ?? ''
    return readError(last) === null ? null : { passed: false }
  },
  failure(ending) {
    const errors = ending.output.split('\n').flatMap((line) => readError(line) ?? [])
    if (errors.length === 0) return null
    const { folder } = ending.command
    const bare = errors.filter(({ file }) => file === null)
    const option = bare.find(({ code, message }) => /^TS(?:5023|5025|6044)$/.test(code) && refers(ending.command.argv, message))
    if (option !== undefined) return failed(ending, 'usage', [option.line], programKeys(ending.command))
    const path = bare.find(({ code }) => /^TS(?:5057|5058|5081|5083|6053)$/.test(code))
    if (path !== undefined) {
      const named = absentPath(ending, /'([^']{1,300})'/.exec(path.message)?.[1] ?? '')
      const absent = path.code === 'TS5057' ? named.map((key) => `${key}/tsconfig.json`) : path.code === 'TS5081' ? upwards(folder, ['tsconfig.json'], 'absent') : named
      if (absent.length > 0) return failed(ending, 'path-missing', [path.line], absent)
    }
    const missing = errors.map(({ code, message }) => (code === 'TS2307' ? npmPackage(/^Cannot find module '([^']{1,200})'/.exec(message)?.[1] ?? '.') : null))
    const keys = missing.flatMap((name) => (name === null ? [] : packageKeys(folder, name)))
    const dependency = missing.every((name) => name !== null)
    const lines = errors.map(({ line }) => line).sort()
    return failed(ending, dependency ? 'dependency' : 'red', lines, dependency ? [...keys, ...upwards(folder, ['tsconfig.json'])] : keys)
  },
} satisfies Toolchain

const IDLE = ['--watch', '-w', '--init', '--showConfig', '--help', '-h', '--all', '--listFilesOnly', '--clean', '--dry']

/** One error without its line and column, which say nothing of the fault; null for any other line. */
function readError(line: string): { file: string | null; code: string; message: string; line: string } | null {
  const found =
    /^(?:([^\s(][^(\n]{0,300}(?:\([^)]{0,60}\)[^(\n]{0,100})?)\(\d+,\d+\): )?error (TS\d+): (.{1,2000})$/.exec(line) ?? /^(\S[^:\n]{0,400}):\d+:\d+ - error (TS\d+): (.{1,2000})$/.exec(line)
  if (found === null) return null
  const [, file = null, code = '', message = ''] = found
  return { file, code, message, line: `${file === null ? '' : `${file}: `}error ${code}: ${message}` }
}

const refers = (argv: readonly string[], message: string): boolean => {
  const word = /'-{0,2}([^']{1,100})'/.exec(message)?.[1]
  return word !== undefined && argv.some((arg) => arg.replace(/^-+/, '').toLowerCase() === word.toLowerCase())
}
