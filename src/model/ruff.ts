import type { CanonicalCommand } from './command.ts'
import type { Key } from './key.ts'
import { keysIn, namedFiles, optionOf, programKeys, programOf, upwards } from './toolchain.ts'

/** What decides how ruff checks or formats: itself, the configuration that it finds or is told, and the files that are named. */
export function ruffKeys(command: CanonicalCommand): readonly Key[] {
  const { args } = programOf(command)
  const config = optionOf(args, ['--config'])
  return [
    ...new Set([
      ...programKeys(command),
      ...upwards(command.folder, ['pyproject.toml', 'ruff.toml', '.ruff.toml']),
      ...(config === null || config.includes('=') ? [] : keysIn('file', command.folder, [config])),
      ...namedFiles(command.folder, args),
    ]),
  ]
}
