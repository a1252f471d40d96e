import { sha256 } from '../../base/digest.ts'
import { knowing } from '../../distill/known.ts'
import { objectOf } from '../../base/json.ts'
import type { Observation } from '../../model/observation.ts'
import type { Tree, World } from '../../model/probe.ts'
import type { Sets } from '../../model/sets.ts'
import { readArgv } from '../../model/shell.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'
import { readCache, writeCache } from '../world/cache.ts'

/** The work tree of a session, as `run` looks at it. */
export interface Looked {
  readonly session: string
  readonly repository: Repository
  readonly files: Files
}

/** Nobody edits more by hand between two runs of a gate; a merge or checkout does, and is no patch. */
const MOST_EDITS = 500

/** Whether a command is a gate: a test, build, lint or check. */
export function isGate(argv: readonly string[], folder: string, { toolchains }: Sets): boolean {
  const { commands, single } = readArgv(argv, { folder, root: null })
  const [only] = commands
  return single && only !== undefined && knowing(toolchains)(only.command)?.invocation?.verifies === true
}

/**
 * How the tracked and the untracked files that git does not ignore differ from what they were after the last gate of this session in
 * this work tree, from the first that ended red here on: both states were looked at, whoever made the difference. Where it can't be
 * told, an edit of the whole tree of which nobody knows what it left. Empty: they do not differ, or no gate ended red.
 */
export async function editsSinceRed(looked: Looked, world: World): Promise<Observation['edits']> {
  const known = readCache(pathIn(looked), looked.files)
  if (known === null) return []
  const { session, worktree, blobs } = objectOf(known)
  const after = await blobsIn(world)
  if (session !== looked.session || worktree !== looked.repository.workTree || after === null) return UNTOLD
  const before = new Map(Object.entries(objectOf(blobs)))
  const edits = [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: blobOf(before.get(path)), after: after.get(path) ?? null }))
    .filter((edit) => edit.before !== edit.after)
  return edits.length > MOST_EDITS ? UNTOLD : edits
}

/**
 * Keeps how the work tree is after a gate, once one of the session was red: other gates may pass between, and each edit counts for
 * those that are red still. `red`: it ended red.
 */
export async function noteAfterGate(red: boolean, looked: Looked, world: World): Promise<void> {
  const path = pathIn(looked)
  const { session, repository, files } = looked
  if (!red && files.stat(path) === null) return
  const blobs = await blobsIn(world)
  // What can't be told is told of nobody: from here on nothing is known.
  writeCache(path, blobs === null ? {} : { session, worktree: repository.workTree, blobs: Object.fromEntries(blobs) }, files)
  for (const { name } of files.list(folderIn(looked))) {
    const other = `${folderIn(looked)}/${name}`
    if (name.startsWith(NAME) && other !== path && Date.now() - (files.stat(other)?.changed ?? Infinity) > KEPT_MS) files.remove(other)
  }
}

/** A change after which nobody knows what lies in the work tree. */
const UNTOLD: Observation['edits'] = [{ path: '.', before: null, after: null }]

/** Sessions are over by then. */
const KEPT_MS = 7 * 24 * 3600_000
const NAME = 'red-tree-'
const folderIn = ({ repository: { commonDir } }: Looked): string => `${commonDir}/remnant/cache`

/** One for each session and work tree, whose runs may come in any order. */
const pathIn = (looked: Looked): string => `${folderIn(looked)}/${NAME}${sha256(JSON.stringify([looked.session, looked.repository.workTree])).slice(0, 16)}.json`
const blobOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** null: not all of them can be told. */
async function blobsIn(world: World): Promise<ReadonlyMap<string, string> | null> {
  const tree: Tree | null = await world.tree('.').catch(() => null)
  return tree === null || tree.doubt !== null ? null : new Map(tree.files.map(({ path, blob }) => [path, blob]))
}
