import { createHash } from 'node:crypto'
import type { Remnant } from '../model/remnant.ts'

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
 * The git objects of a remnant, each after those that it names; the last is the commit. They follow from the remnant alone:
 * `parents` are the commits of what it supersedes, in the order of `supersedes`.
 */
export function objectsOf(digest: string, bytes: Uint8Array, remnant: Remnant, parents: readonly string[]): GitObject[] {
  const blob = gitObject('blob', bytes)
  const folder = treeOf('100644', `${digest}.json`, blob)
  const remnants = treeOf('40000', digest.slice(0, 2), folder)
  const root = treeOf('40000', '.remnants', remnants)
  const who = `git-remnant <git-remnant@remnant.invalid> ${secondsOf(remnant.provenance.observed_until)} +0000`
  const lines = [`tree ${root.oid}`, ...parents.map((parent) => `parent ${parent}`), `author ${who}`, `committer ${who}`, '', `Remnant ${digest}`, '']
  return [blob, folder, remnants, root, gitObject('commit', Buffer.from(lines.join('\n'), 'utf8'))]
}

/** The id of a remnant's commit. */
export const commitOf = (objects: readonly GitObject[]): string => (objects.at(-1) as GitObject).oid

/** Digests that a remnant supersedes, in the order of its field. */
export const supersededBy = (remnant: Remnant): string[] => remnant.supersedes.map(([digest]) => digest)

function gitObject(type: GitObject['type'], content: Uint8Array): GitObject {
  return { oid: createHash('sha1').update(`${type} ${content.byteLength}\0`).update(content).digest('hex'), type, content }
}

const treeOf = (mode: string, name: string, entry: GitObject): GitObject =>
  gitObject('tree', Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'utf8'), Buffer.from(entry.oid, 'hex')]))

/** Git knows no time before 1970. */
const secondsOf = (time: string): number => Math.max(0, Math.floor(Date.parse(time) / 1000))
