import type { Content } from './cat-file.ts'
import type { GitObject } from './recipe.ts'

/** Git's objects and refs of remnants in one repository's common directory. */
export interface Objects {
  /** Writes objects, each after those that it names; durable on return. Throws `unwritable`. */
  put(objects: readonly GitObject[]): Promise<void>
  /** Makes a remnant's ref. false: it was there, and says the same. Throws `corrupt` where it says something else. */
  makeRef(digest: string, oid: string): Promise<boolean>
  /** What the commits hold at the places of their remnants, by digest. */
  contents(commits: ReadonlyMap<string, string>): Promise<Map<string, Content>>
}
