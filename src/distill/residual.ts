import { canonical } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import type { FalsifiedBranch } from '../model/claim.ts'
import { isOutside } from '../model/command.ts'
import type { Key } from '../model/key.ts'
import { type Change, touches } from './changes.ts'
import { firstFrom } from './candidate.ts'
import type { Evidence } from './evidence.ts'

/** What changed between two states of the repository, as far as the log shows it (004, `verified_patch_receipt`). */
export interface Patch {
  readonly patch_id: string
  readonly diff_sha256: string
}

/** Why nobody can say what turned a gate, in words. `order`: the step that leaves it open; null: there is none. */
export interface Unpatched {
  readonly reason: string
  readonly order: number | null
}

/** A gate's way from red to green. */
export interface Fix {
  /** Runs that passed since, in order; there is at least one. */
  readonly green: readonly Evidence[]
  /**
   * The edits, net, between the first red run on the way and the first green one; where the log does not show all of these,
   * since the first red run from which on it does. null: from none on, or nothing changed.
   */
  readonly patch: Patch | null
  /** Ids of the same since each later red run: whoever committed the earlier attempts apart has one of these for the fix. */
  readonly parts: readonly string[]
  /** Why there is no patch; null: there is one. */
  readonly unpatched: Unpatched | null
  readonly branches: readonly FalsifiedBranch[]
  /** Signatures of its red runs on the way, each once. */
  readonly reds: readonly string[]
}

/** The last time before a moment that a gate turned from red to green. null: it never did, or was red again by then. */
export function fixBefore(order: number, runs: readonly Evidence[], keys: readonly Key[], changes: readonly Change[]): Fix | null {
  const before = runs.filter((run) => run.order < order)
  if (before.at(-1)?.verdict !== true) return null
  const at = before.findLastIndex((run, i) => run.verdict === true && before[i - 1]?.verdict === false)
  const [red, green] = [before[at - 1], before[at]]
  if (red === undefined || green === undefined) return null
  const reds = streakTo(at - 1, before)
  const since = reds.map(({ order: from }) => between(from, green.order, changes))
  const shown = since.findIndex((made) => isComplete(made, keys))
  const patch = patchOf(since[shown] ?? [], keys)
  const parts = patch === null ? [] : since.slice(shown + 1).flatMap((made) => patchOf(made, keys)?.patch_id ?? [])
  return {
    green: runs.slice(at).filter(({ verdict }) => verdict === true),
    patch,
    parts: [...new Set(parts)].filter((id) => id !== patch?.patch_id),
    unpatched: patch === null ? unpatched(since[shown] ?? between(red.order, green.order, changes), keys) : null,
    branches: branchesOf(reds, keys, changes),
    reds: [...new Set(reds.flatMap(({ failure }) => failure?.signature ?? []))],
  }
}

/**
 * The attempts of a red streak: edits, and the gate was red again, with which signature. What was given up before the gate
 * told is none (004, boundary 3). `patch_id` is null where the log does not show all of what changed.
 */
export function branchesOf(reds: readonly Evidence[], keys: readonly Key[], changes: readonly Change[]): FalsifiedBranch[] {
  const branches = new Map<string, FalsifiedBranch>()
  for (const [i, red] of reds.entries()) {
    const last = reds[i - 1]
    const tried = last === undefined ? [] : between(last.order, red.order, changes)
    if (red.failure === null || !tried.some(isEdit)) continue
    const patch = patchOf(tried, keys)
    if (patch === null && isComplete(tried, keys)) continue // what was edited was put back
    const branch = { patch_id: patch?.patch_id ?? null, gate: red.receipt.command, terminal_error_signature: red.failure.signature }
    branches.set(canonical(branch), branch)
  }
  return [...branches].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map(([, branch]) => branch)
}

/** The last edits before a gate's last red run, as far as the log shows them. */
export function patchBefore(red: Evidence, keys: readonly Key[], changes: readonly Change[], runs: readonly Evidence[]): Patch | null {
  const moments = [-1, ...runs.filter(({ order }) => order < red.order).map(({ order }) => order), red.order]
  for (let i = moments.length - 1; i > 0; i--) {
    const made = between(moments[i - 1] as number, moments[i] as number, changes)
    if (made.some(isEdit)) return patchOf(made, keys)
  }
  return null
}

/** The red runs that end at a place, without any that passed between. */
const streakTo = (at: number, runs: readonly Evidence[]): readonly Evidence[] => runs.slice(runs.slice(0, at + 1).findLastIndex(({ verdict }) => verdict === true) + 1, at + 1)

const between = (from: number, to: number, changes: readonly Change[]): readonly Change[] =>
  changes.slice(firstFrom(changes, from), firstFrom(changes, to)).filter(({ order }) => order > from)

const isEdit = (change: Change): change is Extract<Change, { is: 'path' }> & { blobs: NonNullable<Change['blobs']> } =>
  change.is === 'path' && change.blobs !== undefined && !isOutside(change.path)

/** Whether a step that may have counted is an edit whose result the log holds. */
function isShown(change: Change, keys: readonly Key[]): boolean {
  if (isEdit(change)) return change.blobs.after !== null
  if (change.is === 'path') return isOutside(change.path)
  return change.is !== 'all' && !keys.some((key) => touches(change, key))
}

const isComplete = (made: readonly Change[], keys: readonly Key[]): boolean => made.every((change) => isShown(change, keys))

/** Why what was made between a red run and a green one is no patch. */
function unpatched(made: readonly Change[], keys: readonly Key[]): Unpatched {
  const open = made.find((change) => !isShown(change, keys))
  if (open !== undefined)
    return {
      reason: isEdit(open)
        ? 'the log shows that a file was edited between the last red run of the gate and its first green one, and not its whole content afterwards'
        : 'a command between the last red run of the gate and its first green one may have changed something, and nobody recorded what',
      order: open.order,
    }
  return {
    reason: made.some(isEdit)
      ? 'what was edited since the gate was first red was put back before it turned green'
      : 'no edit was recorded between the last red run of the gate and its first green one (one by hand is seen only between two runs by "git remnant run", and never in what git ignores)',
    order: null,
  }
}

/** null: the log does not show all of it, or nothing changed. */
function patchOf(made: readonly Change[], keys: readonly Key[]): Patch | null {
  if (!isComplete(made, keys)) return null
  const net = new Map<string, { before: string | null; after: string | null }>()
  for (const { path, blobs } of made.filter(isEdit)) net.set(path, { before: (net.get(path) ?? blobs).before, after: blobs.after })
  return patchOfRows([...net].map(([path, blobs]) => ({ path, ...blobs })))
}

/**
 * The patch of what changed net, by path: `patch_id` is the SHA-256 of the canonical list of `[path, blob before, blob after]`,
 * sorted by path (no diff text is at hand, of which `git patch-id` could be asked); `diff_sha256` that of the lines
 * `BEFORE AFTER PATH\n`, with 40 zeros where there is no file. null: nothing changed.
 */
export function patchOfRows(changed: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]): Patch | null {
  const rows = changed.filter(({ before, after }) => before !== after).map(({ path, before, after }) => [path, before, after] as const)
  if (rows.length === 0) return null
  rows.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return { patch_id: sha256(canonical(rows)), diff_sha256: sha256(rows.map(([path, before, after]) => `${before ?? NO_BLOB} ${after ?? NO_BLOB} ${path}\n`).join('')) }
}

const NO_BLOB = '0'.repeat(40)
