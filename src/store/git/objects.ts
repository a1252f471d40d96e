import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Git, Repository } from '../../host/git.ts'
import { AtomicFs, type Disk } from './atomic-fs.ts'
import { type Content, UNREADABLE, byGit } from './cat-file.ts'
import { openGitObjects } from './git-objects.ts'
import type { Objects } from './port.ts'
import { pathOf, refOf } from './recipe.ts'

/** From here on one `git cat-file --batch` is faster than reading in this process. */
const BULK = 50
/** isomorphic-git reads a whole pack to get at one object of it. */
const MAX_PACK_BYTES = 64 * 1024 * 1024

/** In an ordinary repository this process does it, through `disk`; where objects have SHA-256 names or refs lie in a table, the user's git. */
export function openObjects(repository: Repository, git: () => Promise<Git>, disk: Disk): Objects {
  const { commonDir } = repository
  if (repository.objectFormat !== 'sha1' || repository.refStorage !== 'files') return openGitObjects(git)
  const fs = new AtomicFs(commonDir, disk)
  const cache = {}
  const embedded = async (commits: ReadonlyMap<string, string>): Promise<Map<string, Content>> => {
    const { readBlob } = await import('isomorphic-git')
    const found = new Map<string, Content>()
    for (const [digest, oid] of commits) {
      try {
        found.set(digest, (await readBlob({ fs, gitdir: commonDir, oid, filepath: pathOf(digest), cache })).blob)
      } catch {
        found.set(digest, { fault: UNREADABLE })
      }
    }
    return found
  }
  return {
    put: async (objects) => {
      const { writeObject } = await import('isomorphic-git')
      for (const { type, oid, content } of objects) {
        const wrapped = Buffer.concat([Buffer.from(`${type} ${content.byteLength}\0`, 'latin1'), content])
        await writeObject({ fs, gitdir: commonDir, format: 'deflated', oid, object: deflateSync(wrapped) })
      }
      fs.settle()
    },
    makeRef: async (digest, oid) => {
      const { writeRef } = await import('isomorphic-git')
      await writeRef({ fs, gitdir: commonDir, ref: refOf(digest), value: oid, force: true })
      return fs.made.has(digest)
    },
    contents: async (commits) => {
      if (commits.size === 0) return new Map()
      if (commits.size > BULK || needsGit(commonDir)) return byGit(await git(), commits)
      const found = await embedded(commits)
      // What isomorphic-git can't read (or saw in a pack that has gone since), git may; its word is the last one.
      const open = new Map([...commits].filter(([digest]) => !(found.get(digest) instanceof Uint8Array)))
      return open.size === 0 ? found : new Map([...found, ...(await byGit(await git(), open))])
    },
  }
}

/** Alternates, objects that are fetched when they are needed, and large packs are left to git itself. */
function needsGit(commonDir: string): boolean {
  if (textOf(join(commonDir, 'objects', 'info', 'alternates')).trim() !== '') return true
  const packs = join(commonDir, 'objects', 'pack')
  return namesIn(packs).some(
    (name) => name.endsWith('.promisor') || (name.endsWith('.pack') && (statSync(join(packs, name), { throwIfNoEntry: false })?.size ?? 0) > MAX_PACK_BYTES),
  )
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
