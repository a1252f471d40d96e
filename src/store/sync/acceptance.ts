import type { ObjectFormat } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Git } from '../../host/git.ts'
import { decodeRemnant } from '../../model/remnant.ts'
import { decodeSignature } from '../../model/signature.ts'
import { type Content, blobsAt, blobsInTurn } from '../git/cat-file.ts'
import { type SignatureName, signatureObjects, signaturePathOf } from '../signing/signatures.ts'
import { type GitObject, commitFrom, commitOf, objectsOf, pathOf, supersededBy } from '../git/recipe.ts'

export interface Accepted {
  /** Remnants by digest with their commits, each after those that it supersedes; they have no refs yet. */
  readonly accepted: ReadonlyMap<string, string>
  readonly rejected: readonly { readonly digest: string; readonly fault: string }[]
}

export interface Asked {
  /** Commits that are said to hold these remnants; their objects are here, and nothing is believed of them. */
  readonly candidates: ReadonlyMap<string, string>
  /** The commit that this clone's own ref of a digest names; null: there is no such ref. */
  readonly here: (digest: string) => string | null
  readonly isForgotten: (digest: string) => boolean
}

/**
 * Which commits are exactly those that follow from the signatures in them; that says nothing of whether a signature is good.
 * `candidates`: commits by the refs that named them.
 */
export async function examineSignatures(candidates: ReadonlyMap<string, string>, git: Git): Promise<{ accepted: Map<string, string>; rejected: { ref: string; fault: string }[] }> {
  const accepted = new Map<string, string>()
  const rejected: { ref: string; fault: string }[] = []
  for (const chunk of chunksOf([...candidates])) {
    const contents = await blobsAt(git, chunk.map(([ref, commit]) => [ref, `${commit}:${signaturePathOf(nameIn(ref))}`]))
    for (const [ref, commit] of chunk) {
      const fault = signatureFault(nameIn(ref), commit, contents.get(ref), git.repository.objectFormat)
      if (fault === null) accepted.set(ref, commit)
      else rejected.push({ ref, fault })
    }
  }
  return { accepted, rejected }
}

const nameIn = (ref: string): SignatureName => {
  const [digest = '', remnant = ''] = ref.split('/').reverse()
  return { digest, remnant }
}

function signatureFault(name: SignatureName, commit: string, content: Content | undefined, format: ObjectFormat): string | null {
  if (!(content instanceof Uint8Array)) return 'names a commit that holds no such signature'
  try {
    decodeSignature(content, name.digest, name.remnant)
  } catch (thrown) {
    if (thrown instanceof RemnantError) return thrown.message.replace(/^signature "[0-9a-f]+" /, '')
    throw thrown
  }
  return commitOf(signatureObjects(name, content, format)) === commit ? null : 'names a commit that does not follow from its signature'
}

/** How many remnants git is asked for at once. */
const CHUNK = 10_000
/** How many a lineage may bring along that the remote has no refs for. */
const MOST = 20_000

/** A remnant under examination: what its commit's id follows from, without its bytes. */
interface Node {
  readonly commit: string
  readonly tree: string
  readonly until: string
  readonly older: readonly string[]
}

/**
 * Which commits are exactly those that follow from the remnants in them: digest, form, name, lineage and every byte of the
 * objects (a commit id covers them). What a remnant supersedes comes with it, if its own commit is right too.
 */
export async function examine({ candidates, here, isForgotten }: Asked, git: Git): Promise<Accepted> {
  const nodes = new Map<string, Node>()
  const faults = new Map<string, string>()
  for (let open = candidates; open.size > 0; ) {
    const older = new Map<string, string>()
    for (const chunk of chunksOf([...open])) {
      await load(new Map(chunk), nodes, faults, isForgotten, git)
      const wanted = chunk.flatMap(([digest]) => lineageOf(digest, nodes.get(digest), (each) => here(each) !== null || nodes.has(each) || faults.has(each) || open.has(each)))
      for (const [digest, commit] of await parentsAt(wanted, git)) older.set(digest, commit)
    }
    if (nodes.size + older.size > MOST) {
      for (const digest of older.keys()) faults.set(digest, 'belongs to a lineage that is too long')
      break
    }
    open = older
  }
  const { accepted, rejected } = judged(nodes, faults, here, git.repository.objectFormat)
  return { accepted, rejected: rejected.filter(({ digest }) => candidates.has(digest)) }
}

async function load(commits: ReadonlyMap<string, string>, nodes: Map<string, Node>, faults: Map<string, string>, isForgotten: Asked['isForgotten'], git: Git): Promise<void> {
  const wanted = new Map([...commits].filter(([digest]) => !isForgotten(digest)))
  for (const digest of commits.keys()) if (!wanted.has(digest)) faults.set(digest, FORGOTTEN)
  const names = [...wanted].map(([digest, commit]) => [digest, `${commit}:${pathOf(digest)}`] as const)
  for await (const few of blobsInTurn(git, names)) {
    for (const [digest, content] of few) {
      const found = nodeFrom(digest, wanted.get(digest) as string, content, git.repository.objectFormat)
      if ('fault' in found) faults.set(digest, found.fault)
      else nodes.set(digest, found)
    }
  }
}

function nodeFrom(digest: string, commit: string, content: Content, format: ObjectFormat): Node | { readonly fault: string } {
  if (!(content instanceof Uint8Array)) return { fault: content.fault.startsWith('has git objects') ? 'names a commit that holds no such remnant' : content.fault }
  try {
    const remnant = decodeRemnant(content, digest)
    const { oid: tree } = objectsOf(digest, content, remnant, [], format).at(-2) as GitObject
    return { commit, tree, until: remnant.provenance.observed_until, older: supersededBy(remnant) }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return { fault: thrown.message.replace(/^remnant "[0-9a-f]+" /, '') }
  }
}

/** Where the remnants that one supersedes should lie, for those that are not known otherwise. */
const lineageOf = (digest: string, node: Node | undefined, known: (digest: string) => boolean): [string, string][] =>
  node === undefined ? [] : node.older.flatMap((older, i): [string, string][] => (known(older) || older === digest ? [] : [[older, `${node.commit}^${i + 1}`]]))

async function parentsAt(wanted: readonly (readonly [string, string])[], git: Git): Promise<[string, string][]> {
  if (wanted.length === 0) return []
  const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch-check=%(objecttype) %(objectname)'], { input: wanted.map(([, name]) => `${name}\n`).join('') })
  const lines = Buffer.from(stdout).toString('latin1').split('\n')
  return wanted.flatMap(([digest], i): [string, string][] => {
    const commit = /^commit ([0-9a-f]{40,64})$/.exec(lines[i] ?? '')?.[1]
    return commit === undefined ? [] : [[digest, commit]]
  })
}

/** From the oldest to those that supersede them; what waits for one that never comes is rejected. */
function judged(nodes: ReadonlyMap<string, Node>, faults: Map<string, string>, here: Asked['here'], format: ObjectFormat): Accepted {
  const accepted = new Map<string, string>()
  const waiting = new Map<string, string[]>()
  const ready = [...nodes.keys()]
  for (let digest = ready.pop(); digest !== undefined; digest = ready.pop()) {
    const node = nodes.get(digest) as Node
    if (accepted.has(digest) || faults.has(digest)) continue
    const open = node.older.find((older) => here(older) === null && !accepted.has(older) && nodes.has(older) && !faults.has(older))
    if (open !== undefined) {
      waiting.set(open, [...(waiting.get(open) ?? []), digest])
      continue
    }
    const lost = node.older.find((older) => here(older) === null && !accepted.has(older))
    const parents = node.older.map((older) => here(older) ?? accepted.get(older) ?? '')
    const there = here(digest)
    if (lost !== undefined) faults.set(digest, `supersedes remnant "${lost.slice(0, 12)}", which ${faults.get(lost) ?? 'is not there'}`)
    else if (commitFrom(digest, node.tree, node.until, parents, format) !== node.commit) faults.set(digest, 'names a commit that does not follow from its remnant')
    else if (there !== null && there !== node.commit) faults.set(digest, 'is another commit here')
    else accepted.set(digest, node.commit)
    ready.push(...(waiting.get(digest) ?? []))
    waiting.delete(digest)
  }
  for (const digest of nodes.keys()) if (!accepted.has(digest) && !faults.has(digest)) faults.set(digest, 'supersedes itself')
  return { accepted, rejected: [...faults].map(([digest, fault]) => ({ digest, fault })).sort((a, b) => (a.digest < b.digest ? -1 : 1)) }
}

const FORGOTTEN = 'was forgotten in this clone'

function* chunksOf<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += CHUNK) yield list.slice(at, at + CHUNK)
}
