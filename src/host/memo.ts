import { join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Key, KeyValues } from '../model/key.ts'
import type { Files } from './files.ts'
import type { Repository } from './git.ts'

/** Raised whenever a verdict may say something else of the same remnants and readings. */
const HEADER = 'git-remnant-verdicts 1'
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
  readonly readings: string
}

export interface Memo {
  /** null: nothing is remembered, or what is can't be trusted. */
  last(): (Grounds & { told(): unknown }) | null
  /** Where nothing can be written, the next time is slower and right. */
  keep(grounds: Grounds, told: unknown): void
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
    last() {
      try {
        const bytes = files.read(path)
        if (bytes === null || bytes.length > MAX_BYTES) return null
        const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
        const end = text.indexOf(10)
        const body = text.subarray(end + 1)
        if (text.toString('latin1', 0, end) !== `${header} ${sha256(body)}`) return null
        const middle = body.indexOf(10)
        return { ...(JSON.parse(body.toString('utf8', 0, middle)) as Grounds), told: () => JSON.parse(body.toString('utf8', middle + 1)) as unknown }
      } catch {
        return null
      }
    },
    keep(grounds, told) {
      const body = `${JSON.stringify(grounds)}\n${JSON.stringify(told)}`
      try {
        files.write(path, `${header} ${sha256(body)}\n${body}`, 0o600, true)
        dropGone()
      } catch {
        // A memory is no promise.
      }
    },
  }
}

const PREFIX = 'verdicts-'
const nameFor = (gitDir: string): string => `${PREFIX}${sha256(gitDir).slice(0, 16)}`

/** The same for the same values, public texts, and reasons why a key could not be read. */
export const readingsOf = (current: KeyValues): string =>
  sha256(JSON.stringify([...current].map(([key, reading]) => ('value' in reading ? [key, reading.value, reading.text ?? null] : [key, reading.unreadable]))))
