import { closing, failed } from '../model/ending.ts'
import { ruffKeys } from '../model/ruff.ts'
import { type Toolchain, hasOption, programOf } from '../model/toolchain.ts'

export default {
  id: 'ruff-format',
  why: 'Ruff names each file that it would format otherwise, and closes with how many there are.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'ruff' || args.find((arg) => !arg.startsWith('-')) !== 'format') return null
    const checks = hasOption(args, ['--check', '--diff'])
    return { verifies: checks && !hasOption(args, IDLE), readsSources: checks, delegates: false, keys: ruffKeys(command) }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const lines = closing(output, 5)
    if (lines.some((line) => /^\d+ files? would be reformatted\b/.test(line))) return { passed: false }
    return /^\d+ files? already formatted$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const stopped = lines.findIndex((line) => line === 'ruff failed')
    return failed(ending, 'red', [...lines.filter((line) => /^Would reformat: \S/.test(line)), ...(stopped === -1 ? [] : lines.slice(stopped, stopped + 4))])
  },
} satisfies Toolchain

const IDLE = ['--exit-zero', '-e', '--help', '-h']
