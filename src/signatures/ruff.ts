import { closing, failed } from '../model/ending.ts'
import { ruffKeys } from '../model/ruff.ts'
import { type Toolchain, asksVersion, hasOption, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'ruff',
  why: 'Ruff gives each finding its rule, its file and a message, and closes with their number or with All checks passed.',
  knows(command) {
    const { program, args } = programOf(command)
    const verb = args.find((arg) => !arg.startsWith('-')) ?? ''
    if (program !== 'ruff' || verb === 'format') return null
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const checks = verb === 'check'
    return { verifies: checks && !hasOption(args, IDLE), readsSources: checks, delegates: false, keys: ruffKeys(command) }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 5)
    if (lines.some((line) => /^Found [1-9]\d* errors?\b/.test(line))) return { passed: false }
    return /^All checks passed!$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const found = lines.flatMap((line, i) => {
      const one = /^(\S.{0,300}?):\d+:\d+: ([A-Z]{1,6}\d{2,4}|SyntaxError:|invalid-syntax:) (?:\[\*\] )?(\S.{0,400})$/.exec(line)
      if (one !== null && one[2] !== 'E902') return [`${one[1]}: ${one[2]} ${one[3]}`]
      const full = /^([A-Z]{1,6}\d{2,4}|invalid-syntax:) (?:\[\*\] )?(\S.{0,400})$/.exec(line)
      const file = /^ *--> (.{1,300}?):\d+:\d+$/.exec(lines[i + 1] ?? '')?.[1]
      return full === null || file === undefined || full[1] === 'E902' ? [] : [`${file}: ${full[1]} ${full[2]}`]
    })
    const failure = lines.findIndex((line) => line === 'ruff failed')
    const cause = failure === -1 ? [] : lines.slice(failure, failure + 4)
    return failed(ending, 'red', [...found.sort(), ...cause])
  },
} satisfies Toolchain

const IDLE = ['--fix', '--fix-only', '--unsafe-fixes', '--watch', '-w', '--exit-zero', '-e', '--add-noqa', '--statistics', '--show-files', '--show-settings', '--help', '-h']
