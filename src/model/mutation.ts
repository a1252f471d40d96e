import type { Target } from './claim.ts'
import type { CanonicalCommand } from './command.ts'
import type { World } from './probe.ts'

/** A change of the world outside that a command would make. */
export interface IntendedMutation {
  readonly repeat: 'harmful' | 'convergent'
  /** From the command line alone; null where it can't be told from it. Its key is `target:KIND/ID`. */
  readonly target: Target | null
  /** What would be made, as far as the command line says (`v1.2.0`). */
  readonly identifier: string | null
  /** SHA-256 of what would be sent, where the command line holds it. */
  readonly state_hash?: string | null
}

/** One deed, named before it is done: nothing else that may be done there goes by this name. */
export interface Identity {
  readonly target: Target
  readonly identifier: string
}

/** What the output confirms. `targetValue`: the target's value as the log states it (a remote's URL, without user-info). */
export interface ConfirmedMutation {
  readonly target: Target
  readonly targetValue: string | null
  readonly identifier: string | null
  readonly state_hash: string | null
}

/** `not-done`: the output shows that nothing was changed · null: it does not say. */
export type Confirmation = ConfirmedMutation | 'not-done' | null

/**
 * One tool that changes the outside world. Its targets, by kind, and the value that the probe of `target:KIND/ID` reads:
 *
 * - `git-remote`: a remote's name, or its URL where the command named none; the remote's push URL.
 * - `github`, `gitlab`: `OWNER/REPO`, with the host before it unless that is github.com or gitlab.com; `HOST/OWNER/REPO` of a remote.
 * - `npm`: a package; the configured registry's URL, or `default`, and the package. `REGISTRY PACKAGE`, where the command named it: itself.
 * - `migrations`: a folder whose tool finds its database by configuration; `DATABASE_URL` of the environment, else of the
 *   folder's `.env`. Unreadable where neither says it, or where that database is of one machine.
 * - `terraform`: a configuration's folder; the folder and its workspace.
 * - the COORDINATES: the ID names the place whoever reads it; the ID itself.
 * - `machine`: `sqlite:PATH`, `file:PATH`, `service:UNIT`, … of the machine on which it happened. No key names a machine, so
 *   that another one's `/etc` would pass for it: unreadable, and what was done there is not kept.
 *
 * Nothing is contacted, and no value has user-info in it.
 */
export interface Mutation {
  readonly id: string
  readonly why: string
  /** By which a text is told to be about it: a program (`psql`), or any program and a word behind it (`npm publish`). */
  readonly names: readonly string[]
  /** Where several tools do one deed: what it goes by, whichever of them does it. Without it the program and its first words tell. */
  readonly operation?: string
  /** What the command is about to do. null: not a command of this tool, a dry run, or a form that only reads. */
  intends(command: CanonicalCommand): IntendedMutation | null
  /**
   * What names the deed before it is done, where files of the work tree say it and the command line does not: the same as `confirms`
   * would tell. Asked only of a command that it intends. null: it can't be told for certain. Without it the command line says all.
   */
  identify?(command: CanonicalCommand, world: World): Promise<Identity | null>
  /** The target, where the work tree says it and the command line does not. Asked only of a command that it intends. null: it can't be told for certain. */
  locate?(command: CanonicalCommand, world: World): Promise<Target | null>
  /** What the tool's own words show of a command that did not fail. `succeeded`: its status is known and says that it did what it was asked. */
  confirms(command: CanonicalCommand, output: string, succeeded: boolean): Confirmation
  /** What its last three lines show can't be belied by what stands above them. */
  readonly lastDecides?: boolean
  /** Verbs with which it ends its standard output, whenever it succeeds, with a line that names what it made. */
  readonly closesWith?: RegExp
}

/**
 * Kinds of targets whose ID is the place itself: `http` a URL · `database` a URL of a server · `image` a repository of a
 * registry · `pypi`, `crates`, `rubygems` a package, with its index or the index's name before it unless that is the public one ·
 * `kubernetes` `CONTEXT` or `CONTEXT/NAMESPACE` · `pulumi` `ORG/PROJECT/STACK` · `cloud` an account, bucket or resource of
 * a provider · `mail` the addressed · `host` `HOST:PATH`.
 */
export const COORDINATES: ReadonlySet<string> = new Set(['http', 'database', 'image', 'pypi', 'crates', 'rubygems', 'kubernetes', 'pulumi', 'cloud', 'mail', 'host'])

/** A target, if its parts are words that stand for themselves and fit into a key. */
export const targetOf = (kind: string, id: string): Target | null =>
  id === '' || kind.length + id.length > 480 || isOpen(id) || /\p{Cc}/u.test(id) || !id.isWellFormed() ? null : { kind, id }

/** What was done at a target, if that is known. */
export const doneAt = (target: Target | null, identifier: string | null, state_hash: string | null = null): ConfirmedMutation | null =>
  target === null ? null : { target, targetValue: COORDINATES.has(target.kind) ? target.id : null, identifier, state_hash }

/** A word that the shell may still have to work out, so that it does not name what it says. */
export const isOpen = (word: string): boolean => /[$`]|^~/.test(word)

/** Words by which tools say that they never came to do it. */
export const neverReached = (output: string): boolean => NEVER_REACHED.test(output)

const NEVER_REACHED = new RegExp(
  [
    String.raw`could ?n(?:ot|['’]t) (?:resolve|connect to)\b|failed to connect to|connection refused|no such host|network is unreachable|name or service not known|temporary failure in name resolution|no route to host`,
    String.raw`\b(?:ENOTFOUND|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)\b`,
    String.raw`\brate limit (?:exceeded|reached)|\bHTTP 429\b|429 too many requests`,
    String.raw`^(?:[\w./-]+: )?(?:line )?(?:\d+: )?[\w./-]+: (?:command )?not found$`,
    String.raw`^(?:error|fatal|Error|ERROR|FATAL)\b[^\n]{0,200}\b(?:unauthorized|authentication (?:failed|required)|permission denied|access denied|forbidden|not logged in)`,
  ].join('|'),
  'im',
)

/** A URL or `user@host:path` without the user, password or token in it, as git itself shows it; a local path as it is. */
export function withoutUserInfo(url: string): string {
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.exec(url)?.[0]
  if (scheme !== undefined) return scheme + url.slice(scheme.length).replace(/^[^/]*@/, '')
  return /^[^/@]*@[^/]*:/.test(url) ? url.slice(url.indexOf('@') + 1) : url
}
