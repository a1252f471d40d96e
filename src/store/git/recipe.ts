import { type ObjectFormat, objectId } from '../../base/digest.ts'
import type { Remnant } from '../../model/remnant.ts'

/** Where a remnant lies in its commit's tree, and in the work tree. */
export const pathOf = (digest: string): string => `.remnants/${digest.slice(0, 2)}/${digest}.json`

export const REFS = 'refs/remnants/'
export const refOf = (digest: string): string => `${REFS}${digest}`

/** One git object: its name, its type, its content without the header. */
export interface GitObject {
  readonly oid: string
  readonly type: 'blob' | 'tree' | 'commit'
  readonly content: Uint8Array
}

/**
 * The git objects of a remnant, each after those that it names; the last is the commit. They follow from the remnant and the
 * repository's object format alone: `parents` are the commits of what it supersedes, in the order of `supersedes`.
 */
export function objectsOf(digest: string, bytes: Uint8Array, remnant: Remnant, parents: readonly string[], format: ObjectFormat): GitObject[] {
  return holding(pathOf(digest), bytes, { parents, seconds: secondsOf(remnant.provenance.observed_until), message: `Remnant ${digest}\n`, format })
}

/** The objects of a commit that holds one file and was made by nobody in particular, each after those that it names. */
export function holding(
  path: string,
  bytes: Uint8Array,
  { parents = [], seconds, message, format }: { readonly parents?: readonly string[]; readonly seconds: number; readonly message: string; readonly format: ObjectFormat },
): GitObject[] {
  const [name = '', ...folders] = path.split('/').reverse()
  const objects = [gitObject('blob', bytes, format)]
  const within = (mode: string, entry: string): GitObject => {
    objects.push(treeOf(mode, entry, objects.at(-1) as GitObject, format))
    return objects.at(-1) as GitObject
  }
  let root = within('100644', name)
  for (const folder of folders) root = within('40000', folder)
  return [...objects, commitObject(root.oid, parents, seconds, message, format)]
}

function commitObject(tree: string, parents: readonly string[], seconds: number, message: string, format: ObjectFormat): GitObject {
  const who = `git-remnant <git-remnant@remnant.invalid> ${seconds} +0000`
  const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`, '', message]
  return gitObject('commit', Buffer.from(lines.join('\n'), 'utf8'), format)
}

/** The id of a remnant's commit, where its tree is known. */
export const commitFrom = (digest: string, tree: string, observedUntil: string, parents: readonly string[], format: ObjectFormat): string =>
  commitObject(tree, parents, secondsOf(observedUntil), `Remnant ${digest}\n`, format).oid

/** The id of a remnant's commit. */
export const commitOf = (objects: readonly GitObject[]): string => (objects.at(-1) as GitObject).oid

/** Digests that a remnant supersedes, in the order of its field. */
export const supersededBy = (remnant: Remnant): string[] => remnant.supersedes.map(([digest]) => digest)

const gitObject = (type: GitObject['type'], content: Uint8Array, format: ObjectFormat): GitObject => ({ oid: objectId(type, content, format), type, content })

const treeOf = (mode: string, name: string, entry: GitObject, format: ObjectFormat): GitObject =>
  gitObject('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(entry.oid, 'hex')]), format)

/** Git knows no time before 1970. */
const secondsOf = (time: string): number => Math.max(0, Math.floor(Date.parse(time) / 1000))
