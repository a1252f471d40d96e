import type { Git } from '../../host/git.ts'
import { MAX_REMNANT_BYTES } from '../../model/remnant.ts'
import { pathOf } from './recipe.ts'

/** The remnant in a commit: its bytes, not yet trusted, or why they can't be had. */
export type Content = Uint8Array | { readonly fault: string }

/** The remnants in commits by the user's git alone, which looks at a blob's size before it is read: for what strangers made too. */
export const byGit = (git: Git, commits: ReadonlyMap<string, string>): Promise<Map<string, Content>> =>
  blobsAt(git, [...commits].map(([digest, oid]) => [digest, `${oid}:${pathOf(digest)}`]))

/** What git has under names (`COMMIT:PATH`), by the key beside each. */
export async function blobsAt(git: Git, names: readonly (readonly [key: string, name: string])[]): Promise<Map<string, Content>> {
  const found = new Map<string, Content>()
  for await (const few of blobsInTurn(git, names)) for (const [key, content] of few) found.set(key, content)
  return found
}

/** Bytes; what is held at once of blobs that are read in turn. */
const AT_ONCE = 16 * 1024 * 1024

/** The same a few at a time, for those who keep none. */
export async function* blobsInTurn(git: Git, names: readonly (readonly [key: string, name: string])[]): AsyncGenerator<Map<string, Content>> {
  const unread = new Map<string, Content>()
  const turns: (readonly [string, string])[][] = []
  let bytes = Infinity
  for (const [key, answer] of await ask(git, '--batch-check', names)) {
    if (answer === 'broken' || answer === 'absent') unread.set(key, { fault: UNREADABLE })
    else if (answer.size > MAX_REMNANT_BYTES) unread.set(key, { fault: 'is over 1 MiB' })
    else {
      if (bytes + answer.size > AT_ONCE) {
        turns.push([])
        bytes = 0
      }
      bytes += answer.size
      turns.at(-1)?.push([key, answer.oid])
    }
  }
  if (unread.size > 0) yield unread
  for (const turn of turns) {
    const answers = await ask(git, '--batch', turn)
    yield new Map([...answers].map(([key, answer]) => [key, typeof answer === 'string' ? { fault: UNREADABLE } : answer.content]))
  }
}

type Answered = 'broken' | 'absent' | { readonly oid: string; readonly size: number; readonly content: Uint8Array }

/** Asks `git cat-file` for blobs. It ends at the first damaged object; then the rest is asked again. */
async function ask(git: Git, mode: '--batch' | '--batch-check', names: readonly (readonly [string, string])[]): Promise<Map<string, Answered>> {
  const answers = new Map<string, Answered>()
  for (let rest = names; rest.length > 0; rest = names.slice(answers.size)) {
    const answered = await git.try(['--no-replace-objects', 'cat-file', mode], { input: rest.map(([, name]) => `${name}\n`).join('') })
    const stdout = Buffer.from(answered.stdout.buffer, answered.stdout.byteOffset, answered.stdout.byteLength)
    let from = 0
    for (const [digest] of rest) {
      const end = stdout.indexOf(10, from)
      if (end === -1) break
      const header = /^([0-9a-f]+) blob (\d+)$/.exec(stdout.toString('latin1', from, end))
      from = end + 1
      if (header === null) {
        answers.set(digest, 'absent')
        continue
      }
      const [, oid = '', digits] = header
      const size = Number(digits)
      if (mode === '--batch-check') answers.set(digest, { oid, size, content: EMPTY })
      else {
        if (stdout.byteLength < from + size + 1) break
        answers.set(digest, { oid, size, content: stdout.subarray(from, from + size) })
        from += size + 1
      }
    }
    const next = names[answers.size]
    if (next !== undefined) answers.set(next[0], 'broken')
  }
  return answers
}

const EMPTY = new Uint8Array()
export const UNREADABLE = 'has git objects that are missing or damaged'
