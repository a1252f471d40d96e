import { absentPath, closing, failed } from '../model/ending.ts'
import { type Toolchain, asksVersion, hasOption, keysIn, namedFiles, optionOf, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'mypy',
  why: 'mypy gives each error one line with file, message and its code in brackets, and closes with Found or with Success.',
  knows(command) {
    const { program, args } = programOf(command)
    if (program !== 'mypy') return null
    const { folder } = command
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys: programKeys(command) }
    const config = optionOf(args, ['--config-file'])
    const keys = [
      ...programKeys(command),
      ...keysIn('file', folder, config === null ? ['mypy.ini', '.mypy.ini', 'pyproject.toml', 'setup.cfg'] : [config]),
      ...namedFiles(folder, args),
    ]
    return { verifies: !hasOption(args, ['--help', '-h', '--install-types', '--stats']), readsSources: true, delegates: false, keys: [...new Set(keys)] }
  },
  lastDecides: true,
  diagnoses: true,
  summary(output) {
    const last = closing(output, 3)
    if (last.some((line) => /^Found \d+ errors? in \d+ files? \(/.test(line))) return { passed: false }
    return /^Success: no issues found in \d+ source files?$/.test(last.at(-1) ?? '') ? { passed: true } : null
  },
  failure(ending) {
    const lines = ending.output.split('\n')
    const file = lines.map((line) => /^mypy: (?:can't read file '([^']{1,300})': No such file or directory|error: Cannot find config file '([^']{1,300})')$/.exec(line)).find((one) => one !== null)
    const absent = file === undefined ? [] : absentPath(ending, file[1] ?? file[2] ?? '')
    if (file !== undefined && absent.length > 0) return failed(ending, 'path-missing', [file[0]], absent)
    const errors = lines.flatMap((line) => {
      const found = /^([^\s:][^:]{0,300}\.pyi?):\d+(?::\d+){0,3}: (error: \S.{0,500})$/.exec(line)
      return found === null ? [] : [`${found[1]}: ${(found[2] as string).replace(/ +\[/g, ' [')}`]
    })
    // Modules and stubs that are not installed show in no key.
    const installed = errors.length > 0 && errors.every((line) => /\[import(?:-not-found|-untyped)?\]$/.test(line))
    return failed(ending, installed ? null : 'red', errors.sort())
  },
} satisfies Toolchain
