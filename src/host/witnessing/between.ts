import { sourcesOf } from '../../distill/causes.ts'
import { knowing } from '../../distill/known.ts'
import { objectOf } from '../../base/json.ts'
import type { Key } from '../../model/key.ts'
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

/** Where a command is a gate (a test, build, lint or check), the sources on which its turning green rests; null: it is none. */
export function sourcesOfGate(argv: readonly string[], folder: string, { toolchains }: Sets): Key | null {
  const { commands, single } = readArgv(argv, { folder, root: null })
  const [only] = commands
  const known = single && only !== undefined ? knowing(toolchains)(only.command) : null
  return known?.invocation?.verifies === true ? sourcesOf(known.command) : null
}

/**
 * How the tracked and the untracked files that git does not ignore differ from what they were when a gate of this session was last
 * seen to end red here: both states were looked at, whoever made the difference. Empty: they do not, none did, or it can't be told.
 */
export async function editsSinceRed({ session, repository, files }: Looked, world: World): Promise<Observation['edits']> {
  const { worktree, session: whose, blobs: known } = objectOf(readCache(pathIn(repository), files))
  if (whose !== session || worktree !== repository.workTree) return []
  const [before, after] = [new Map(Object.entries(objectOf(known))), await blobsIn(world)]
  if (after === null) return []
  const edits = [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: blobOf(before.get(path)), after: after.get(path) ?? null }))
    .filter((edit) => edit.before !== edit.after)
  return edits.length > MOST_EDITS ? [] : edits
}

/** Keeps how the work tree is now, where a gate ended red; forgets it, where it ended green. */
export async function noteAfterGate(red: boolean, { session, repository, files }: Looked, world: World): Promise<void> {
  const blobs = red ? await blobsIn(world) : null
  if (blobs !== null) writeCache(pathIn(repository), { session, worktree: repository.workTree, blobs: Object.fromEntries(blobs) }, files)
  else if (files.stat(pathIn(repository)) !== null) files.remove(pathIn(repository))
}

const pathIn = ({ commonDir }: Repository): string => `${commonDir}/remnant/cache/red-tree.json`
const blobOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** null: not all of them can be told. */
async function blobsIn(world: World): Promise<ReadonlyMap<string, string> | null> {
  const tree: Tree | null = await world.tree('.').catch(() => null)
  return tree === null || tree.doubt !== null ? null : new Map(tree.files.map(({ path, blob }) => [path, blob]))
}
