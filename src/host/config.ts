import { join } from 'node:path'
import { decodeUtf8, parseStrict } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import { objectOf } from '../base/json.ts'
import { check } from '../base/schema.ts'
import { CONFIG_FIELDS, CONFIG_SCHEMA, Config, TRUST_WIDENING } from '../model/config.ts'
import { isConfigAccepted } from './trust/approvals.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/**
 * The configuration that counts here: the tracked file, less what widens trust, under the local one, which wins by field
 * (and by field of `gate`). What widens trust counts once this very file was accepted in this clone (`allow config`).
 * Throws `malformed` with the file and the place.
 */
export function loadConfig(repository: Repository, files: Files): Config {
  const { bytes, config: tracked } = trackedConfig(repository, files) ?? { bytes: new Uint8Array(), config: {} }
  const local = localConfig(repository, files) ?? {}
  const trusted = Object.keys(widening(tracked)).length > 0 && isConfigAccepted(repository, files, sha256(bytes)) ? tracked : withoutTrust(tracked)
  const gate = { ...trusted.gate, ...local.gate }
  return { ...trusted, ...local, ...(Object.keys(gate).length > 0 && { gate }), schema: CONFIG_SCHEMA }
}

/** The work tree's own `.remnants/config.json`; null: there is none. Throws `malformed`. */
export const trackedConfig = (repository: Repository, files: Files): Configured | null =>
  repository.workTree === null ? null : configAt(join(repository.workTree, '.remnants', 'config.json'), '.remnants/config.json', files)

/** This clone's own configuration file; null: there is none. Throws `malformed`. */
export const localConfig = (repository: Repository, files: Files): Config | null =>
  configAt(join(repository.commonDir, 'remnant', 'config.json'), 'remnant/config.json in the git directory', files)?.config ?? null

/** What of a tracked file counts only once it was accepted, by its place in the file. */
export const widening = ({ gate, ...fields }: Config): Readonly<Record<string, unknown>> => ({
  ...Object.fromEntries(TRUST_WIDENING.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
  ...(gate?.setup === undefined ? {} : { 'gate.setup': gate.setup }),
})

interface Configured {
  readonly bytes: Uint8Array
  readonly config: Config
}

/** What the tracked file says that anybody may say who can push to the repository. */
function withoutTrust({ gate, ...tracked }: Config): Config {
  const { setup: _needsApproval, ...harmless } = gate ?? {}
  const needsApproval: readonly string[] = TRUST_WIDENING
  return { ...Object.fromEntries(Object.entries(tracked).filter(([field]) => !needsApproval.includes(field))), ...(gate !== undefined && { gate: harmless }) }
}

function configAt(path: string, name: string, files: Files): Configured | null {
  const bytes = files.read(path)
  if (bytes === null) return null
  const what = `configuration "${name}"`
  const value = parsed(bytes, what)
  const { schema } = objectOf(value)
  if (typeof schema === 'string' && schema !== CONFIG_SCHEMA && schema.startsWith('git-remnant/'))
    throw new RemnantError('malformed', `${what} has a schema that this version does not know`, { hint: 'update git-remnant' })
  return { bytes, config: check(Config, value, what, `its fields are: ${CONFIG_FIELDS.join(', ')}`) }
}

function parsed(bytes: Uint8Array, what: string): unknown {
  try {
    return parseStrict(decodeUtf8(bytes))
  } catch (cause) {
    throw cause instanceof RemnantError ? new RemnantError(cause.fault, `${what}: ${cause.message}`, { hint: 'it is one JSON object', cause }) : cause
  }
}
