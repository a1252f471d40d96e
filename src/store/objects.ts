import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import type { Git } from '../host/git.ts'
import { MAX_REMNANT_BYTES } from '../model/remnant.ts'
import { AtomicFs, type Disk } from './atomic-fs.ts'
import { type GitObject, pathOf, refOf } from './recipe.ts'

/** From here on one `git cat-file --batch` is faster than reading in this process. */
const BULK = 50
/** isomorphic-git reads a whole pack to get at one object of it. */
const MAX_PACK_BYTES = 64 * 1024 * 1024

/** The remnant in a commit: its bytes, not yet trusted, or why they can't be had. */
export type Content = Uint8Array | { readonly fault: string }

/** Git's objects and refs of remnants in one repository's common directory. */
export interface Objects {
  /** Writes objects, each after those that it names; durable on return. Throws `unwritable`. */
  put(objects: readonly GitObject[]): Promise<void>
  /** Makes a remnant's ref. false: it was there, and says the same. Throws `corrupt` where it says something else. */
  makeRef(digest: string, oid: string): Promise<boolean>
  /** What the commits hold at the places of their remnants, by digest. */
  contents(commits: ReadonlyMap<string, string>): Promise<Map<string, Content>>
}

export function openObjects(commonDir: string, git: () => Promise<Git>, disk: Disk): Objects {
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

async function byGit(git: Git, commits: ReadonlyMap<string, string>): Promise<Map<string, Content>> {
  const found = new Map<string, Content>()
  const small: [string, string][] = []
  const names = [...commits].map(([digest, oid]): [string, string] => [digest, `${oid}:${pathOf(digest)}`])
  for (const [digest, answer] of await ask(git, '--batch-check', names)) {
    if (answer === 'broken' || answer === 'absent') found.set(digest, { fault: UNREADABLE })
    else if (answer.size > MAX_REMNANT_BYTES) found.set(digest, { fault: 'is over 1 MiB' })
    else small.push([digest, `${commits.get(digest)}:${pathOf(digest)}`])
  }
  for (const [digest, answer] of await ask(git, '--batch', small)) found.set(digest, typeof answer === 'string' ? { fault: UNREADABLE } : answer.content)
  return found
}

type Answered = 'broken' | 'absent' | { readonly size: number; readonly content: Uint8Array }

/** Asks `git cat-file` for blobs. It ends at the first damaged object; then the rest is asked again. */
async function ask(git: Git, mode: '--batch' | '--batch-check', names: readonly (readonly [string, string])[]): Promise<Map<string, Answered>> {
  const answers = new Map<string, Answered>()
  for (let rest = names; rest.length > 0; rest = names.slice(answers.size)) {
    const { stdout } = await git.try(['--no-replace-objects', 'cat-file', mode], { input: rest.map(([, name]) => `${name}\n`).join('') })
    let from = 0
    for (const [digest] of rest) {
      const end = stdout.indexOf(10, from)
      if (end === -1) break
      const header = /^[0-9a-f]+ blob (\d+)$/.exec(Buffer.from(stdout.subarray(from, end)).toString('latin1'))
      from = end + 1
      if (header === null) {
        answers.set(digest, 'absent')
        continue
      }
      const size = Number(header[1])
      if (mode === '--batch-check') answers.set(digest, { size, content: EMPTY })
      else {
        if (stdout.byteLength < from + size + 1) break
        answers.set(digest, { size, content: stdout.subarray(from, from + size) })
        from += size + 1
      }
    }
    const next = names[answers.size]
    if (next !== undefined) answers.set(next[0], 'broken')
  }
  return answers
}

const EMPTY = new Uint8Array()
const UNREADABLE = 'has git objects that are missing or damaged'

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
