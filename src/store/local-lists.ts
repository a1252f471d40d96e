import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64 } from '../base/digest.ts'
import type { Files } from '../host/files.ts'

/**
 * Raised whenever what makes a remnant valid changes; the schema is in the name of every remnant, this is about our reading of it.
 */
const KNOWN_HEADER = 'git-remnant-known 1'

/** What this clone remembers of remnants, under `remnant/` in the common git directory. */
export interface LocalLists {
  /** Digests that this clone sealed (DESIGN: own). */
  own(): ReadonlySet<string>
  addOwn(digest: string): void
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
  const paths = { own: join(commonDir, 'remnant', 'own'), known: join(commonDir, 'remnant', 'known') }
  let own: Set<string> | undefined
  let known: Set<string> | undefined
  const readOwn = (): Set<string> => (own ??= digestsIn(textOf(files, paths.own)))
  const readKnown = (): Set<string> => {
    if (known !== undefined) return known
    const text = textOf(files, paths.known)
    known = text.startsWith(`${KNOWN_HEADER}\n`) ? digestsIn(text) : new Set()
    return known
  }
  return {
    own: readOwn,
    addOwn: (digest) => {
      own = digestsIn(textOf(files, paths.own))
      if (own.has(digest)) return
      localFolder(commonDir)
      files.append(paths.own, `${digest}\n`)
      own.add(digest)
    },
    known: readKnown,
    addKnown: (digests) => {
      const fresh = digests.filter((digest) => !readKnown().has(digest))
      if (fresh.length === 0) return
      const lines = fresh.map((digest) => `${digest}\n`).join('')
      try {
        localFolder(commonDir)
        if (textOf(files, paths.known).startsWith(`${KNOWN_HEADER}\n`)) files.append(paths.known, lines)
        else files.write(paths.known, `${KNOWN_HEADER}\n${lines}`, 0o600)
      } catch {
        // Where nothing can be written, reading stays slower and right.
      }
      for (const digest of fresh) readKnown().has(digest) || known?.add(digest)
    },
  }
}

const digestsIn = (text: string): Set<string> => new Set(text.split('\n').filter((line) => HEX_64.test(line)))

function textOf(files: Files, path: string): string {
  const bytes = files.read(path)
  return bytes === null ? '' : Buffer.from(bytes).toString('latin1')
}
