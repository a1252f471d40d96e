import { join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Key, KeyValues } from '../model/key.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** Raised whenever a verdict may say something else of the same remnants and readings. */
const HEADER = 'git-remnant-verdicts 2'
const MAX_BYTES = 256 * 1024 * 1024

/** Where it is remembered, and by which program. */
export interface Memory {
  readonly installation: string
  readonly files: Files
  repository(): Promise<Repository>
}

/** On what it rests that the same would be told again. */
export interface Grounds {
  /** What is stored. */
  readonly mark: string
  readonly asked: readonly Key[]
  readonly passed: readonly Key[]
  /** Of `readingsOf`. */
  readonly readings: Readonly<Record<Key, string>>
}

/** Texts by their names, each taken out of the file when it is asked for. */
export interface Remembered<Name extends string> extends Grounds {
  text(name: Name): string
}

export interface Memo {
  /** null: nothing is remembered by all of these names, or what is can't be trusted. */
  last<Name extends string>(names: readonly Name[]): Remembered<Name> | null
  /** Where nothing can be written, the next time is slower and right. */
  keep(grounds: Grounds, texts: Readonly<Record<string, string>>): void
}

/** What was told last of this work tree's verdicts, under `remnant/cache/` in the common git directory. Derived; each work tree has its own. */
export async function openMemo({ installation, files, repository }: Memory): Promise<Memo> {
  const { commonDir, gitDir } = await repository()
  const folder = join(commonDir, 'remnant', 'cache')
  const path = join(folder, nameFor(gitDir))
  const program = files.stat(join(installation, 'dist', 'git-remnant.cjs'))
  const header = `${HEADER} ${program?.size ?? 0} ${program?.changed ?? 0}`
  /** What was remembered for work trees that are gone. */
  function dropGone(): void {
    const here = new Set([gitDir, commonDir, ...files.list(join(commonDir, 'worktrees')).map(({ name }) => join(commonDir, 'worktrees', name))].map(nameFor))
    for (const { name } of files.list(folder)) if (name.startsWith(PREFIX) && !here.has(name)) files.remove(join(folder, name))
  }

  return {
    last(names) {
      try {
        const bytes = files.read(path)
        if (bytes === null || bytes.length > MAX_BYTES) return null
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        const end = text.indexOf(10)
        const body = text.subarray(end + 1)
        if (text.toString('latin1', 0, end) !== `${header} ${sha256(body)}`) return null
        const middle = body.indexOf(10)
        const { grounds, sizes } = JSON.parse(body.toString('utf8', 0, middle)) as Head
        const places = placesOf(sizes, middle + 1)
        if (places.get('') !== body.length || !names.every((name) => places.has(name))) return null
        return { ...grounds, text: (name) => body.toString('utf8', places.get(name), places.get(endOf(name))) }
      } catch {
        return null
      }
    },
    keep(grounds, texts) {
      const parts = Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)] as const)
      const head: Head = { grounds, sizes: parts.map(([name, bytes]) => [name, bytes.length]) }
      const body = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...parts.map(([, bytes]) => bytes)])
      try {
        files.write(path, Buffer.concat([Buffer.from(`${header} ${sha256(body)}\n`), body]), 0o600, true)
        dropGone()
      } catch {
        // A memory is no promise.
      }
    },
  }
}

interface Head {
  readonly grounds: Grounds
  /** Of each text in turn. */
  readonly sizes: readonly (readonly [name: string, bytes: number])[]
}

/** Where each text begins and ends; under no name, where the last one does. */
function placesOf(sizes: Head['sizes'], from: number): Map<string, number> {
  const places = new Map<string, number>()
  for (const [name, size] of sizes) {
    places.set(name, from)
    from += size
    places.set(endOf(name), from)
  }
  return places.set('', from)
}

const endOf = (name: string): string => `${name} end`

const PREFIX = 'verdicts-'
const nameFor = (gitDir: string): string => `${PREFIX}${sha256(gitDir).slice(0, 16)}`

/** Of each key a text that is the same for the same value and public text, or the same reason why it could not be read; it does not tell them. */
export const readingsOf = (current: KeyValues): Record<Key, string> =>
  Object.fromEntries([...current].map(([key, reading]) => [key, sha256(JSON.stringify('value' in reading ? [reading.value, reading.text ?? null] : [reading.unreadable]))]))
