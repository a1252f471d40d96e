import { sha256 } from '../base/digest.ts'
import { commandOf, isOutside, shown } from '../model/command.ts'
import { isOurs, readDeclaration } from '../model/declaration.ts'
import { type Intended, OBSERVATION_SCHEMA, type Observation, type Turn } from '../model/observation.ts'
import { joinPath } from '../model/key.ts'
import { type ShellReading, readShell } from '../model/shell.ts'
import type { Toolchain } from '../model/toolchain.ts'
import { assess, principalOf } from './assess.ts'
import { type Lookup, knowing } from './known.ts'

/** An observation and what its reader needs besides: its command as it was read, and the session's own root. */
export interface Observed {
  readonly observation: Observation
  readonly reading: ShellReading | null
  readonly root: string | null
  /** When it was started, where the log says so. */
  readonly began: string | null
  /** Its keys are all that it depends on. */
  readonly traced: boolean
  readonly intended: Intended | null
  /** Each line of the output stands where it was printed, errors among them. */
  readonly inOrder: boolean
}

/**
 * Turns of a log as observations: folders and paths relative to the session's repository, outcomes as what they prove.
 * The session's root is the repository of the folder in which it was started, else of its first recorded folder; of `roots` the first
 * where folders are relative. A record that comes again is one record; one that comes again with something else in it is another.
 */
export async function* observe(turns: AsyncIterable<Turn>, toolchains: readonly Toolchain[], roots: readonly string[]): AsyncGenerator<Observed> {
  const lookup = knowing(toolchains)
  const seen = new Set<string>()
  let root: string | null = null
  for await (const turn of turns) {
    const identity = identityOf(turn)
    if (seen.has(identity)) continue
    seen.add(identity)
    root ??= turn.cwd !== null ? rootOf(turn.started ?? turn.cwd, roots) : turn.folder !== undefined ? (roots[0] ?? null) : null
    yield observed(turn, root, lookup)
  }
}

const identityOf = ({ host, session, record_id, kind, command, outcome, output, edits }: Turn): string =>
  sha256(JSON.stringify([host, session, record_id, kind, command, outcome, output, edits]))

function observed(turn: Turn, root: string | null, lookup: Lookup): Observed {
  const typed = turn.command === null || typeof turn.command === 'string' ? turn.command : shown(commandOf(turn.command))
  const { folder, command } = enter(turn.folder ?? relative(turn.cwd, root), typed, root)
  const reading = command === null ? null : readIn(command, folder, root)
  const principal = reading === null ? null : principalOf(reading)
  const ours = reading?.commands.some(({ command: { argv } }) => isOurs(argv)) ?? false
  const declared = turn.declared ?? (principal === null ? null : readDeclaration(principal.command.argv))
  const outcome = turn.kind === 'command' ? outcomeIn(turn, reading, lookup) : turn.outcome
  const observation: Observation = {
    schema: OBSERVATION_SCHEMA,
    host: turn.host,
    session: turn.session,
    record_id: turn.record_id,
    at: turn.at,
    kind: declared === null ? turn.kind : 'declaration',
    folder,
    head: turn.head,
    command,
    outcome,
    output: ours || (turn.cut === true && outcome.is === 'unknown') ? null : turn.output,
    edits: turn.edits.map((edit) => ({ ...edit, path: placeOf(edit.path, root, folder) })),
    declared,
    keys: turn.keys,
  }
  return { observation, reading, root, began: turn.began ?? null, traced: turn.traced === true, intended: turn.intended ?? null, inOrder: turn.inOrder === true }
}

function outcomeIn(turn: Turn, reading: ShellReading | null, lookup: Lookup): Observation['outcome'] {
  if (reading === null || !reading.parsed) return turn.outcome.is === 'transient' ? turn.outcome : { is: 'unknown' }
  const principal = principalOf(reading)
  if (principal === null) return turn.outcome
  return assess({ principal, reading, outcome: turn.outcome, output: turn.cut === true ? null : turn.output, witnessed: turn.host === 'git-remnant', lookup })
}

/** A change of folder that may have failed unseen, or led elsewhere, leaves open where the rest ran. */
function readIn(command: string, folder: string, root: string | null): ShellReading {
  const reading = readShell(command, { folder, root })
  if (!UNSURE_FOLDER.test(command)) return reading
  return { ...reading, commands: reading.commands.map((one) => ({ ...one, symbolic: true, worded: false })) }
}

const UNSURE_FOLDER = /\bCDPATH=|\b(?:cd|pushd)\s[^;&|\n]*(?:[12&]?>|\|\|)/

/** A text that begins by entering a folder of the repository ran in that folder. */
function enter(folder: string, command: string | null, root: string | null): { folder: string; command: string | null } {
  const entered = command === null ? null : ENTERS.exec(command)
  const target = entered?.[2] ?? entered?.[3]
  if (command === null || root === null || target === undefined || !(target === root || target.startsWith(`${root}/`))) return { folder, command }
  return { folder: relative(target, root), command: command.slice((entered as RegExpExecArray)[0].length) }
}

const ENTERS = /^\s*cd\s+(?:(["'])((?:\/|[A-Za-z]:[\\/])[\w@%+=:,./ -]*)\1|((?:\/|[A-Za-z]:[\\/])[\w@%+=:,./-]*))\s*&&\s*/

/** A session that was started above the repository is at home in it; one from anywhere else had another clone as its root. */
const rootOf = (cwd: string, roots: readonly string[]): string => {
  const path = slashed(cwd)
  const known = roots.map(slashed)
  return known.find((root) => path === root || path.startsWith(`${root}/`)) ?? known.find((root) => root.startsWith(`${path}/`)) ?? path
}

/** Where an edit was made. Where the log names no folder of its own, one by its whole path may have been anywhere. */
const placeOf = (path: string, root: string | null, folder: string): string =>
  path === '.' || (root === null && isOutside(slashed(path))) ? '.' : relative(path, root, folder)

/** Relative to the root; what lies outside stays absolute. `from`: where a relative path starts. */
function relative(path: string | null, root: string | null, from = '.'): string {
  if (path === null) return '.'
  const plain = slashed(path)
  if (!isOutside(plain)) return isOutside(from) ? `${from}/${plain}` : (joinPath(from, plain) ?? plain)
  if (root === null) return plain
  if (plain === root) return '.'
  return plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain
}

/** `C:\x`, `C:/x` and `/c/x` are one folder. */
const slashed = (path: string): string => {
  const windows = /^(?:([A-Za-z]):[\\/]|\/([A-Za-z])\/)/.exec(path)
  const drive = windows?.[1] ?? windows?.[2]
  const plain = drive === undefined ? path : `${drive.toUpperCase()}:/${path.slice(3).replaceAll('\\', '/')}`
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain
}
