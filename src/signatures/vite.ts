import { closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'vite',
  why: 'vite build closes with the time that it took, or says above its error that the build failed.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'vite') return null
    const { folder } = command
    if (asksVersion(args) || (args.length === 1 && args[0] === '-v')) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['-c', '--config'])
    const builds = args[0] === 'build'
    const configs = config === null ? ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((end) => `vite.config.${end}`) : [config]
    const keys = [...programKeys(command), 'lock:npm/vite' as const, ...keysIn('file', folder, ['package.json', 'index.html', ...configs])]
    return { verifies: builds && !hasOption(args, ['-w', '--watch', '--help', '-h']), readsSources: builds, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  summary(output) {
    const lines = closing(output, 40)
    if (lines.some((line) => FAILED.test(line))) return { passed: false }
    return /^✓ built in \d+(?:\.\d+)?m?s$/.test(lines.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const at = lines.findIndex((line) => FAILED.test(line))
    if (at === -1) return null
    const said = lines.slice(at + 1, at + 12).filter((line) => line.trim() !== '' && !/^\s+at |^error during build:/.test(line))
    return failed(ending, 'red', said.slice(0, 3))
  },
} satisfies Toolchain

const FAILED = /^error during build:$|^✗ Build failed in \d/
