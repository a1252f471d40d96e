import { join } from 'node:path'
import type { ObjectFormat } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import type { Git, Repository } from '../host/git.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { dropSealedLines } from '../host/journals/drop.ts'
import { workTreesOf } from '../host/git/work-trees.ts'
import { plainText } from '../model/plain.ts'
import { type Remnant, encodeRemnant } from '../model/remnant.ts'
import type { Held, Store } from '../model/store.ts'
import { type Remains, removeCopies, removeObjects, removeRefs, without } from '../store/sync/forgetting.ts'
import { openLocalLists } from '../store/local-lists.ts'
import { objectsOf, pathOf, refOf } from '../store/git/recipe.ts'
import { listRefs, readRef } from '../store/git/refs.ts'
import { type Tombstones, openTombstones } from '../store/sync/tombstones.ts'
import { openTransport, remoteNamed } from '../store/sync/transport.ts'

export default {
  name: 'forget',
  kind: 'porcelain',
  summary: 'Remove a remnant from this clone, and keep it away',
  details: [
    'Its ref, its copies and its objects go, as far as nothing else leads to them, and what is left is said. Remnants of this clone',
    'that supersede it are written anew without it. A tombstone, local to this clone, keeps it away on the next fetch; --undo lifts',
    'that. No remote is changed: what it still has is said, and whoever may write there can delete the ref. Where no remote is shared',
    'with, this may be the only copy, which nothing brings back: "git remnant show DIGEST --json" lets you see it first.',
  ].join('\n'),
  positionals: [{ name: 'DIGEST', describe: 'the remnant: its first digits, four or more', required: true }],
  options: { undo: { type: 'boolean', describe: 'lift the tombstone: the next fetch, or sealing, may bring it back; by itself it makes nothing again' } },
  statuses: { 1: 'there is no such remnant, or no such tombstone' },
  async run(args, host) {
    const repository = await host.repository()
    const { commonDir } = repository
    const tombstones = openTombstones(commonDir, host.files)
    const name = args.text('DIGEST') ?? ''
    const digest = oneOf(name, [...listRefs(repository).digests, ...(await (await host.store()).digests()), ...tombstones.all()])
    if (digest === null) return { text: `no remnant "${plainText(name, 80)}" here`, data: { digest: null }, status: 1 }
    if (args.flag('undo')) {
      const lifted = tombstones.lift(digest)
      return { text: lifted ? `${digest.slice(0, 12)} ${await wayBack(digest, host)}` : `${digest.slice(0, 12)} was not forgotten here`, data: { digest, lifted }, status: lifted ? 0 : 1 }
    }
    return forget(digest, tombstones, host)
  },
} satisfies Command

/** Written anew: the old digest, the new one, and what the old one's objects were. */
interface Anew {
  readonly from: Held
  readonly to: string
}

async function forget(digest: string, tombstones: Tombstones, host: Host): ReturnType<Command['run']> {
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

  const remote = await remoteHas(gone, git, host)
  const rewritten = anew.map(({ from, to }) => ({ from: from.digest, to }))
  const freed = anew.length === 0 && remnant !== null ? remnant.supersedes.map(([older]) => older) : []
  const nothing = already && found === null && refs === 0 && gone.length === 1 && remains.reachable.length === 0 && others.length === 0
  const lines = [
    `forgot ${digest.slice(0, 12)}: ${refs === 0 ? 'it had no ref' : 'its ref is removed'}, a tombstone keeps it away from here`,
    `  objects  ${objectsLine(objects.length > 0, remains, others)}`,
    ...rewritten.map(({ from, to }) => `  written anew without it  ${from.slice(0, 12)} → ${to.slice(0, 12)}`),
    ...(journal ? ['  the lines that were kept of its session are removed'] : []),
    ...freed.map((older) => `  what it had answered of ${older.slice(0, 12)} counts again: git remnant reprobe checks it`),
    ...remoteLines(remote, remains.reachable.length === 0 && tracked.length === 0),
  ]
  const again = [`${digest.slice(0, 12)} is forgotten already: nothing of it is here, and a tombstone keeps it away`, ...remoteLines(remote, false)]
  return {
    text: (nothing ? again : lines).join('\n'),
    data: { digest, already, refs, copies: copies.flatMap((one) => one.removed), tracked, objects: stateOf(objects.length > 0, remains), reachable: remains.reachable, rewritten, superseded_by_others: others, remote },
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

/** Throws `misuse` where it can't be a digest, or where several begin so. */
function oneOf(name: string, digests: readonly string[]): string | null {
  const digits = name.replace(/^refs\/remnants\//, '').toLowerCase()
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new RemnantError('misuse', `"${plainText(name, 80)}" is not a digest or its first digits`, { hint: 'type four hex digits or more; git remnant list shows them' })
  const found = [...new Set(digests)].filter((digest) => digest.startsWith(digits))
  if (found.length > 1) throw new RemnantError('misuse', `"${plainText(name, 80)}" could be ${found.length} remnants`, { hint: 'type more digits; git remnant list shows them' })
  return found[0] ?? null
}

/** What supersedes it, by however many steps through remnants of this clone; the oldest first. Those of others end a line. */
async function descendantsOf(digest: string, store: Store): Promise<Held[]> {
  const all: Held[] = []
  for await (const one of store.readAll()) if ('remnant' in one) all.push(one)
  const found = new Map<string, Held>()
  let open = [digest]
  while (open.length > 0) {
    const next = all.filter(({ digest: each, remnant }) => !found.has(each) && remnant.supersedes.some(([older]) => open.includes(older)))
    for (const held of next) found.set(held.digest, held)
    open = next.filter(({ rank }) => rank === 'own').map((held) => held.digest)
  }
  return inOrder([...found.values()])
}

/** Each behind all that it supersedes. */
function inOrder(held: readonly Held[]): Held[] {
  const open = new Set(held.map(({ digest }) => digest))
  const ordered: Held[] = []
  while (open.size > 0) {
    const ready = held.filter(({ digest, remnant }) => open.has(digest) && !remnant.supersedes.some(([older]) => open.has(older)))
    if (ready.length === 0) break
    for (const one of ready) open.delete(one.digest)
    ordered.push(...ready)
  }
  return ordered
}

const parentsIn = (repository: Repository) => (remnant: Remnant): string[] =>
  remnant.supersedes.map(([older]) => {
    const ref = readRef(repository, older)
    return ref !== null && 'oid' in ref ? ref.oid : ''
  })

const objectsWith = (digest: string, remnant: Remnant, parents: (remnant: Remnant) => string[], format: ObjectFormat): ReturnType<typeof objectsOf> =>
  objectsOf(digest, encodeRemnant(remnant).bytes, remnant, parents(remnant), format)

const stateOf = (known: boolean, { packed, reachable }: Remains): string => (!known ? 'unknown' : reachable.length > 0 ? 'reachable' : packed ? 'packed' : 'removed')

function objectsLine(known: boolean, { packed, reachable }: Remains, others: readonly string[]): string {
  if (others.length > 0) return `stay: ${others.map((other) => other.slice(0, 12)).join(', ')} of others supersede${others.length === 1 ? 's' : ''} it, and git keeps what that leads to; forget that one too`
  if (reachable.length > 0) return `stay: ${reachable.map((one) => plainText(one, 200)).join(', ')} still ${reachable.length === 1 ? 'holds' : 'hold'} the same file`
  if (!known) return 'could not be read, so none was looked for'
  return packed ? 'stay in a pack that nothing names any more, until "git gc" finds them old enough (gc.pruneExpire, two weeks)' : 'removed'
}

interface RemoteHas {
  readonly remote: string
  /** Refs that it has; null: it did not answer. */
  readonly refs: readonly string[] | null
}

const PATIENCE_MS = 15_000

/** What may bring back what is no longer kept away, in words; nothing that can't. */
async function wayBack(digest: string, host: Host): Promise<string> {
  const found = await (await host.store()).read(digest)
  if (found !== null && 'remnant' in found) return 'is here, and is no longer kept away'
  if ((await host.config()).share !== undefined) return 'may come back: git remnant fetch, if the remote still has it'
  return `is no longer kept away, and is not here: ${NOT_SHARED}, so only a clone that has it, or sealing the same session again, could bring it back`
}

const NOT_SHARED = 'remnants of this clone are shared with no remote'

/** Asks the one remote that remnants may have gone to. null: there is none. */
async function remoteHas(digests: readonly string[], git: Git, host: Host): Promise<RemoteHas | null> {
  const { share } = await host.config()
  if (share === undefined) return null
  const end = Date.now() + PATIENCE_MS
  try {
    const there = await openTransport(git, await remoteNamed(git, share), { timeLeft: () => end - Date.now() }).list()
    return { remote: share, refs: digests.map(refOf).filter((ref) => there.has(ref)) }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return { remote: share, refs: null }
  }
}

function remoteLines(has: RemoteHas | null, gone: boolean): string[] {
  if (has === null) return gone ? [`  ${NOT_SHARED}: unless another clone fetched it from here, nothing has it any more`] : []
  const name = plainText(has.remote, 80)
  if (has.refs === null) return [`  ${name} did not answer, and may have it`]
  if (has.refs.length === 0) return [`  ${name} does not have it`]
  return [...has.refs.map((ref) => `  ${name} still has ${ref}`), '  whoever may write there can delete that ref there; a clone that fetched it keeps it until it forgets it too']
}
