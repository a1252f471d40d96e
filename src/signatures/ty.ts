import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from '../model/toolchain.ts'

export default {
  id: 'ty',
  why: 'ty gives each finding its rule and, a line below, its file, and closes with their number.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'ty') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config-file'])
    const keys = [
      ...programKeys(command),
      ...upwards(folder, ['pyproject.toml', 'ty.toml']),
      ...(config === null ? [] : keysIn('file', folder, [config])),
      ...namedFiles(folder, args),
    ]
    const checks = args.find((arg) => !arg.startsWith('-')) === 'check'
    return { verifies: checks && !hasOption(args, IDLE), readsSources: checks, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  closesLike: 'ruff',
  // Where it passes it closes in the very words of Ruff: only its status says so.
  summary: (output) => (closing(output, 5).some((line) => /^Found [1-9]\d* diagnostics?$/.test(line)) ? { passed: false } : null),
  failure(ending) {
    const lines = ending.output.split('\n')
    const found = lines.flatMap((line, i) => {
      const one = /^error\[([a-z-]{1,80})\]:? (\S.{0,400})$/.exec(line)
      const file = /^ *--> (.{1,300}?):\d+:\d+$/.exec(lines[i + 1] ?? '')?.[1]
      const concise = /^(\S.{0,300}?):\d+:\d+: error\[([a-z-]{1,80})\] (\S.{0,400})$/.exec(line)
      if (concise !== null) return [`${concise[1]}: ${concise[2]} ${concise[3]}`]
      return one === null || file === undefined ? [] : [`${file}: ${one[1]} ${one[2]}`]
    })
    return failed(ending, 'red', found.sort())
  },
} satisfies Toolchain

const IDLE = ['--watch', '-W', '--exit-zero', '--add-ignore', '--fix', '--help', '-h']
