import { join } from 'node:path'
import type { ObjectFormat } from '../../base/digest.ts'
import type { Host } from '../../command.ts'
import type { Git, Repository } from '../../host/git.ts'
import { workTreesOf } from '../../host/git/work-trees.ts'
import { rebuildGuardIndex } from '../../host/guarding/indexing.ts'
import { dropSealedLines } from '../../host/journals/drop.ts'
import { type Remnant, encodeRemnant } from '../../model/remnant.ts'
import type { Held } from '../../model/store.ts'
import { objectsOf, pathOf } from '../../store/git/recipe.ts'
import { listRefs, readRef } from '../../store/git/refs.ts'
import { openLocalLists } from '../../store/local-lists.ts'
import { type Remains, removeCopies, removeObjects, removeRefs, without } from '../../store/sync/forgetting.ts'
import type { Tombstones } from '../../store/sync/tombstones.ts'
import { descendantsOf } from './lineage.ts'

/** What was done to forget a remnant, and what is left of it. */
export interface Removed {
  readonly digest: string
  /** Every digest that goes: its own, those written anew, and what an earlier call left behind. */
  readonly gone: readonly string[]
  /** A tombstone of it was there before. */
  readonly already: boolean
  /** Something was stored under its digest, whole or damaged. */
  readonly found: boolean
  /** Refs that were removed, of all that goes. */
  readonly refs: number
  /** Paths of copies that were removed, and of those that git tracks and that stay. */
  readonly copies: readonly string[]
  readonly tracked: readonly string[]
  /** Its objects could be told, and were looked for. */
  readonly known: boolean
  readonly remains: Remains
  /** Lines that were kept of its session are removed. */
  readonly journal: boolean
  /** Remnants of this clone that superseded it: the old digest, the new one. */
  readonly rewritten: readonly { readonly from: string; readonly to: string }[]
  /** Remnants of others that supersede it, and keep its objects. */
  readonly others: readonly string[]
  /** Remnants that it had answered claims of, which nothing answers now. */
  readonly freed: readonly string[]
}

/** Written anew: the old digest, the new one, and what the old one's objects were. */
interface Anew {
  readonly from: Held
  readonly to: string
}

/**
 * Removes a remnant from this clone, writes anew what of this clone supersedes it, and leaves a tombstone, before anything is
 * gone, for each digest that goes. What an earlier call left behind, killed before it was done, goes too.
 */
export async function remove(digest: string, tombstones: Tombstones, host: Host): Promise<Removed> {
  const [git, store] = [await host.git(), await host.store()]
  const { commonDir } = git.repository
  const now = `${host.now().toISOString().slice(0, 19)}Z`
  const already = tombstones.has(digest)
  const found = await store.read(digest)
  const remnant = found !== null && 'remnant' in found ? found.remnant : null
  const descendants = await descendantsOf(digest, store)
  const others = descendants.filter(({ rank }) => rank !== 'own').map((held) => held.digest)
  const parents = parentsIn(git.repository)
  const objects = remnant === null ? [] : objectsWith(digest, remnant, parents, git.repository.objectFormat)

  const anew: Anew[] = []
  const renamed = new Map<string, string>()
  const inherited = (remnant?.supersedes ?? []).filter(([older]) => !tombstones.has(older))
  for (const from of descendants.filter(({ rank }) => rank === 'own')) {
    const { digest: to } = await store.write(without(from.remnant, digest, inherited, renamed))
    anew.push({ from, to })
    renamed.set(from.digest, to)
  }
  tombstones.add({ remnant: digest, forgotten_at: now, replaced_by: null })
  for (const { from, to } of anew) tombstones.add({ remnant: from.digest, forgotten_at: now, replaced_by: to })
  const unfinished = leftBehind(tombstones, git, host).filter((one) => one !== digest && !renamed.has(one))
  for (const one of unfinished) if (tombstones.read(one) === null) tombstones.add({ remnant: one, forgotten_at: now, replaced_by: null })
  const gone = [digest, ...anew.map(({ from }) => from.digest), ...unfinished]
  const oldObjects = anew.map(({ from }) => ({ digest: from.digest, objects: objectsWith(from.digest, from.remnant, parents, git.repository.objectFormat) }))
  const refs = await removeRefs(gone, git)
  const copies = await Promise.all((await workTreesOf(git)).map((workTree) => removeCopies(gone, workTree, git, host.files)))
  const tracked = copies.flatMap((one) => one.tracked)
  // From the youngest down: each hangs on those that supersede it.
  const under = (one: string): string[] => tracked.filter((path) => path.includes(one))
  for (const old of oldObjects.reverse()) await removeObjects(old.digest, old.objects, under(old.digest), git, host.files)
  const remains = await removeObjects(digest, objects, under(digest), git, host.files)
  const journal = remnant !== null && openLocalLists(commonDir, host.files).own().has(digest) && dropSealedLines(remnant.provenance.host, remnant.session_id, git.repository, host.files) > 0
  dropDerived(commonDir, host)
  await rebuildGuardIndex(host)
  return {
    digest,
    gone,
    already,
    found: found !== null,
    refs,
    copies: copies.flatMap((one) => one.removed),
    tracked,
    known: objects.length > 0,
    remains,
    journal,
    rewritten: anew.map(({ from, to }) => ({ from: from.digest, to })),
    others,
    freed: anew.length === 0 && remnant !== null ? remnant.supersedes.map(([older]) => older) : [],
  }
}

/** What was forgotten and is here all the same: whoever did so was killed before it was done. */
function leftBehind(tombstones: Tombstones, { repository }: Git, { files }: Host): string[] {
  const refs = listRefs(repository).digests
  const { workTree } = repository
  return [...tombstones.all()].filter((digest) => refs.has(digest) || (workTree !== null && files.stat(join(workTree, pathOf(digest))) !== null)).sort()
}

/** What was remembered of what remnants say; it is made anew, without this one. */
function dropDerived(commonDir: string, { files }: Host): void {
  const folder = join(commonDir, 'remnant', 'cache')
  for (const { name } of files.list(folder)) if (name === 'outlines' || name.startsWith('verdicts-')) files.remove(join(folder, name))
}

const parentsIn = (repository: Repository) => (remnant: Remnant): string[] =>
  remnant.supersedes.map(([older]) => {
    const ref = readRef(repository, older)
    return ref !== null && 'oid' in ref ? ref.oid : ''
  })

const objectsWith = (digest: string, remnant: Remnant, parents: (remnant: Remnant) => string[], format: ObjectFormat): ReturnType<typeof objectsOf> =>
  objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents(remnant), format)
