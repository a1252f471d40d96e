import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { objectOf } from '../../base/json.ts'
import type { Files } from '../../host/files.ts'
import type { Repository } from '../../host/git.ts'
import { readCache, writeCache } from '../../host/world/cache.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'

/** How long gates took the last time that they ran here, in seconds; a cache under `remnant/cache/`. */
export interface Durations {
  /** null: it never ran here. */
  of(command: CanonicalCommand): number | null
  note(ran: readonly { readonly command: CanonicalCommand; readonly seconds: number }[]): void
}

export function openDurations({ commonDir }: Repository, files: Files): Durations {
  const path = join(commonDir, 'remnant', 'cache', 'gates.json')
  const read = (): Record<string, unknown> => ({ ...objectOf(readCache(path, files)) })
  let known: Record<string, unknown> | undefined
  return {
    of(command) {
      known ??= read()
      const seconds = known[sha256(commandKey(command))]
      return typeof seconds === 'number' ? seconds : null
    },
    note(ran) {
      if (ran.length === 0) return
      known = { ...read(), ...Object.fromEntries(ran.map(({ command, seconds }) => [sha256(commandKey(command)), seconds])) }
      writeCache(path, known, files)
    },
  }
}
