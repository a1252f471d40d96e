import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { objectOf } from '../../base/json.ts'
import type { Config } from '../../model/config.ts'
import { isConfigAccepted } from '../trust/approvals.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { textOf } from './files.ts'

/** What of the configuration the guard needs. */
export interface GuardConfig extends Pick<Config, 'repository_root' | 'env_values'> {
  readonly guard: 'off' | 'note' | 'full'
}

/**
 * The same fields that `loadConfig` would give, without its schema, which costs more than the guard may: the local file wins by field,
 * and of the tracked one `guard` counts once that very file was accepted. Throws for what is no JSON: whoever asks says nothing then.
 */
export function guardConfig(repository: Repository, files: Files): GuardConfig {
  const text = repository.workTree === null ? null : textOf(join(repository.workTree, '.remnants', 'config.json'))
  const tracked = fieldsIn(text)
  const local = fieldsIn(textOf(join(repository.commonDir, 'remnant', 'config.json')))
  const accepted = local.guard === undefined && tracked.guard !== undefined && text !== null && isConfigAccepted(repository, files, sha256(text))
  const root = local.repository_root ?? tracked.repository_root
  const values = local.env_values ?? tracked.env_values
  return {
    guard: modeOf(local.guard ?? (accepted ? tracked.guard : undefined)),
    ...(typeof root === 'string' && { repository_root: root }),
    ...(Array.isArray(values) && { env_values: values.filter((value) => typeof value === 'string') }),
  }
}

const fieldsIn = (text: string | null) => objectOf(text === null ? null : JSON.parse(text))

/** A mode that nobody knows is no leave to stop anything. */
const modeOf = (mode: unknown): GuardConfig['guard'] => (mode === undefined || mode === 'full' ? 'full' : mode === 'note' ? 'note' : 'off')
