import { table } from '../base/table.ts'
import type { Target } from './claim.ts'
import type { CanonicalCommand } from './command.ts'
import { isOpen, targetOf } from './mutation.ts'

/** A host's name or address that means the machine itself. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|(?:[\w-]{1,63}\.){1,8}localhost|127(?:\.\d{1,3}){1,3}|0\.0\.0\.0|\[?::1?\]?|)$/i.test(host)

/**
 * A URL as it may be kept: without user-info and fragment, without the values of a query and the steps of a path that may
 * be keys. `place`: without the query too. null: no URL of one place.
 */
export function publicUrl(text: string): { readonly url: string; readonly place: string; readonly host: string } | null {
  if (isOpen(text) || /[{}\s\\]|\[[^\][:]*-/.test(text)) return null
  const url = urlIn(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text) ? text : `http://${text}`)
  if (url === null || url.host === '') return null
  const hook = HOOKS.map((one) => one.exec(`${url.hostname}${url.pathname}`)?.[1]).find((found) => found !== undefined)
  const path = hook ?? url.pathname.split('/').map((step) => (isKeyLike(step) ? '-' : step)).join('/')
  const place = `${url.protocol}//${url.host}${path}`
  const query = [...url.searchParams].map(([name, value]) => {
    const told = !SECRET_NAME.test(name) && !isKeyLike(name) && !isKeyLike(value) && value.length <= 60
    return told ? `${name}=${value}` : `${isKeyLike(name) ? '-' : name}=`
  })
  return { url: query.length === 0 ? place : `${place}?${query.join('&')}`, place, host: url.hostname }
}

/** Whether a word may be a key rather than a name: a long run of letters and digits mixed, and neither a UUID nor a git id. */
export function isKeyLike(word: string): boolean {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(word) || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(word)) return false
  const runs = [...word.matchAll(/[A-Za-z0-9]{16,}/g)].map(([run]) => run)
  if (runs.some((run) => (/\d/.test(run) && /[A-Za-z]/.test(run)) || [...run.matchAll(/[a-z][A-Z]/g)].length > 5)) return true
  return word.length >= 20 && /\d/.test(word) && /[A-Z]/.test(word) && /[a-z]/.test(word)
}

const SECRET_NAME = /tok(?:en)?|key|secret|sig|auth|pass|pwd|code|cred|session|jwt|access|nonce|otp|pin\b/i

/** Web hooks carry their key in the path. */
const HOOKS: readonly RegExp[] = [
  /^hooks\.slack\.com(\/[a-z]+)\//,
  /^(?:[\w-]+\.)?discord(?:app)?\.com(\/api\/(?:v\d+\/)?webhooks)\//,
  /^api\.telegram\.org(\/)(?:file\/)?bot/,
  /^[\w.-]+\.webhook\.office\.com(\/[a-z0-9]+)\//,
]

function urlIn(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}

/** A database by its URL: a server's coordinate without user-info and options; of this machine where the server is, or where it is a file. */
export function databaseAt(url: string): Target | null {
  const file = /^(?:sqlite3?|file):(?:\/\/)?(.+)$/i.exec(url)
  if (file !== null) return sqliteAt((file[1] as string).replace(/[?#].*$/s, ''))
  const parts = /^(?:jdbc:)?([a-z][a-z0-9]{1,20})(?:\+[a-z0-9_]{1,20})?:\/\/(.*)$/is.exec(url)
  if (parts === null) return null
  const [, scheme, rest] = parts as unknown as [string, string, string]
  const bare = rest.slice(rest.lastIndexOf('@') + 1).replace(/[?#;].*$/s, '')
  const found = /^([\w.-]*|\[[0-9a-f:]{2,45}\])(?::(\d{1,5}))?(?:\/([\w.%-]*))?$/i.exec(bare)
  return found === null ? null : serverAt(scheme.toLowerCase(), found[1] as string, found[2] ?? null, found[3] ?? '')
}

/** A database of a server. A host that is a folder is a socket. */
export function serverAt(scheme: string, host: string, port: string | null, database: string): Target | null {
  const name = SCHEMES[scheme] ?? scheme
  if (isLoopback(host) || host.startsWith('/')) return targetOf('machine', `${name}:${database}`)
  return /^[\w.-]+$|^\[[0-9a-f:]+\]$/i.test(host) ? targetOf('database', `${name}://${host.toLowerCase()}${port === null || port === PORTS[name] ? '' : `:${port}`}/${database}`) : null
}

/** A database in a file; null for one that ends with its process or with the day. */
export const sqliteAt = (path: string): Target | null => (path === '' || path.includes(':memory:') || isTemporary(path) ? null : targetOf('machine', `sqlite:${path}`))

/** A folder that is cleared from time to time, or holds devices. */
export const isTemporary = (path: string): boolean => /^(?:\/(?:private\/)?(?:var\/)?tmp|\/dev|\/proc|\/run|\/var\/folders)(?:\/|$)/.test(path)

const SCHEMES: Readonly<Record<string, string>> = table({ postgres: 'postgresql', pgsql: 'postgresql', postgis: 'postgresql', mysql2: 'mysql', mariadb: 'mysql' })
const PORTS: Readonly<Record<string, string>> = table({ postgresql: '5432', mysql: '3306' })

/** The database of a tool that finds it by configuration: as the command line gives it, else the folder whose configuration does. */
export function migrationTarget(command: CanonicalCommand): Target | null {
  const given = command.env.find(([name]) => name === 'DATABASE_URL')?.[1]
  return given === undefined ? targetOf('migrations', command.folder) : databaseAt(given)
}
