import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Files } from '../host/files.ts'

/**
 * Raised whenever what makes a remnant valid changes; the schema is in the name of every remnant, this is about our reading of it.
 */
const KNOWN_HEADER = 'git-remnant-known 1'

/** What this clone remembers of remnants, under `remnant/` in the common git directory. */
export interface LocalLists {
  /** Digests that this clone sealed (DESIGN: own), and of those whose sealing began and whose ref may be there already. */
  own(): ReadonlySet<string>
  /** Those alone whose ref was made. */
  sealed(): ReadonlySet<string>
  /** Noted before the ref is made, so that nobody who is killed in between leaves a remnant that is nobody's. Durable on return. */
  beginOwn(digest: string): void
  /** Durable on return. */
  addOwn(...digests: readonly string[]): void
  /** Digests that came from the accepted remote; whoever fetches appends them. Read anew each time. */
  reported(): ReadonlySet<string>
  /** The same while `own` and `reported` are. */
  mark(): string
  /** Digests whose content was found valid once: a digest never changes its content, so none is checked twice. Derived. */
  known(): ReadonlySet<string>
  addKnown(digests: readonly string[]): void
}

/** Our local state in a repository; the folder is for its owner alone. */
export function localFolder(commonDir: string): string {
  const folder = join(commonDir, 'remnant')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

export function openLocalLists(commonDir: string, files: Files): LocalLists {
  const paths = { own: join(commonDir, 'remnant', 'own'), known: join(commonDir, 'remnant', 'known'), reported: join(commonDir, 'remnant', 'reported') }
  let own: Set<string> | undefined
  let known: Set<string> | undefined
  /** The list has its first line: many may be added one by one, and it is not read for each. */
  let begun = false
  /** With those whose sealing was begun. */
  let ours = new Set<string>()
  const readOwn = (): Set<string> => {
    if (own !== undefined) return own
    const text = textOf(files, paths.own)
    own = digestsIn(text)
    ours = text.includes('?') ? new Set(text.match(/(?<=^\??)[0-9a-f]{64}$/gm)) : new Set(own)
    return own
  }
  const readKnown = (): Set<string> => {
    if (known !== undefined) return known
    const text = textOf(files, paths.known)
    known = text.startsWith(`${KNOWN_HEADER}\n`) ? digestsIn(text) : new Set()
    return known
  }
  return {
    own: () => {
      readOwn()
      return ours
    },
    sealed: readOwn,
    beginOwn: (digest) => {
      readOwn()
      if (ours.has(digest)) return
      localFolder(commonDir)
      files.append(paths.own, `?${digest}\n`)
      ours.add(digest)
    },
    addOwn: (...digests) => {
      // Not read anew: what another process has added meanwhile stands there twice, and means the same.
      const fresh = digests.filter((digest) => !readOwn().has(digest))
      if (fresh.length === 0) return
      localFolder(commonDir)
      files.append(paths.own, fresh.map((digest) => `${digest}\n`).join(''))
      for (const digest of fresh) {
        readOwn().add(digest)
        ours.add(digest)
      }
    },
    reported: () => digestsIn(textOf(files, paths.reported)),
    mark: () => [paths.own, paths.reported].map((path) => sha256(files.read(path) ?? '')).join(),
    known: readKnown,
    addKnown: (digests) => {
      const fresh = digests.filter((digest) => !readKnown().has(digest))
      if (fresh.length === 0) return
      const lines = fresh.map((digest) => `${digest}\n`).join('')
      try {
        localFolder(commonDir)
        // Derived: what is lost with the power is looked at once more.
        if (begun || textOf(files, paths.known).startsWith(`${KNOWN_HEADER}\n`)) appendFileSync(paths.known, lines, { mode: 0o600 })
        else files.write(paths.known, `${KNOWN_HEADER}\n${lines}`, 0o600, true)
        begun = true
      } catch {
        // Where nothing can be written, reading stays slower and right.
      }
      for (const digest of fresh) readKnown().has(digest) || known?.add(digest)
    },
  }
}

const digestsIn = (text: string): Set<string> => new Set(text.match(/^[0-9a-f]{64}$/gm))

function textOf(files: Files, path: string): string {
  const bytes = files.read(path)
  return bytes === null ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
