import * as fs from 'node:fs'
import { RemnantError } from './base/errors.ts'
import type { Files } from './host/files.ts'
import type { Git, Repository } from './host/git.ts'
import type { Store, StoreFault } from './model/store.ts'
import { addExclude, wantsExclude } from './store/exclude.ts'
import type { Disk } from './store/git/atomic-fs.ts'
import { openObjects } from './store/git/objects.ts'
import { pathOf } from './store/git/recipe.ts'
import { listRefs } from './store/git/refs.ts'
import { openKeeping } from './store/keeping.ts'
import { openLocalLists } from './store/local-lists.ts'
import { CHUNK, commitsOf, openReading } from './store/reading.ts'
import { openTombstones } from './store/sync/tombstones.ts'
import { auditor } from './store/verify/audit.ts'
import { leadsElsewhere } from './store/verify/leading.ts'

export interface StoreOptions {
  readonly repository: Repository
  /** The user's git; asked for only where this process can't or should not do it. */
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly disk?: Disk
  /** Milliseconds; what a signature's bounds are held against. */
  readonly now?: () => number
}

/**
 * The store of a git repository: a commit and a ref for each remnant in the common git directory, a copy for readers in the
 * work tree. Content is taken from the copy where that hashes to its name, else from the ref, and then the copy is put right.
 */
export function openStore({ repository, git, files, disk = fs, now = Date.now }: StoreOptions): Store {
  const { commonDir, workTree } = repository
  const objects = openObjects(repository, git, disk)
  const lists = openLocalLists(commonDir, files)
  const tombstones = openTombstones(commonDir, files)
  const reading = openReading({ repository, git, files, objects, lists, tombstones, now })
  const keeping = openKeeping({ repository, git, files, objects, lists, tombstones, reading })

  return {
    write: keeping.write,

    digests: async () => reading.digests(listRefs(repository)),

    read: async (digest) => {
      await reading.rankOne()
      return reading.one(digest, listRefs(repository), true)
    },

    readAll: reading.all,
    outlook: reading.outlook,

    audit: async function* (wanted) {
      const refs = listRefs(repository)
      const audit = auditor({
        refs,
        copyOf: reading.copies(),
        superseded: (digest) => reading.one(digest, refs, false),
        isForgotten: (digest) => tombstones.has(digest),
        commitFor: (digest, remnant) => keeping.commitFor(digest, remnant, refs),
        isHere: async (oid) => (await (await git()).try(['--no-replace-objects', 'cat-file', '-e', oid], { env: { GIT_NO_LAZY_FETCH: '1' } })).status === 0,
        leadsElsewhere: async (digest, oid) => leadsElsewhere(digest, oid, await git()),
      })
      for (let at = 0; at < wanted.length; at += CHUNK) {
        const chunk = wanted.slice(at, at + CHUNK)
        const contents = await objects.contents(commitsOf(refs, chunk))
        for (const digest of chunk) yield { digest, faults: await audit(digest, contents.get(digest)) }
      }
    },

    checkout: async () => {
      if (workTree === null) throw new RemnantError('missing', 'a bare repository has no work tree', { hint: 'run it in a work tree: git worktree list' })
      const refs = listRefs(repository)
      const copyOf = reading.copies()
      const open = reading.digests(refs, []).filter((digest) => typeof copyOf(digest) === 'string')
      if (open.length > 0 && (await wantsExclude(repository, files, git))) addExclude(repository, files)
      const restored: string[] = []
      const faults: StoreFault[] = []
      for (let at = 0; at < open.length; at += CHUNK) {
        const chunk = open.slice(at, at + CHUNK)
        const contents = await objects.contents(commitsOf(refs, chunk))
        for (const digest of chunk) {
          const fault = copyOf(digest) === 'linked' ? 'is reached through a symbolic link' : reading.bringBack(digest, refs, contents.get(digest))
          if (fault === null) restored.push(digest)
          else faults.push({ subject: pathOf(digest), fault, repair: `git remnant verify ${digest.slice(0, 12)}` })
        }
      }
      return { restored, faults }
    },
  }
}
