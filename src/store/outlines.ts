import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../base/digest.ts'
import type { Files } from '../host/files.ts'
import type { Remnant } from '../model/remnant.ts'
import { localFolder } from './local-lists.ts'
import { OutlineTable, type TableText } from './outline-table.ts'
import type { Ref } from './refs.ts'

/** Raised whenever the form of the index changes, or what counts as a valid remnant. */
const HEADER = 'git-remnant-outlines 1'
const MAX_BYTES = 256 * 1024 * 1024
/** What changed this shortly before it was looked at may have changed again within the same tick of its clock (ms). */
const TICK = 2000
/** To read one remnant in twenty anew costs less than to write all. */
const WORTH = 20
/** Linked work trees have copies of their own. */
const PLACES = 4

/** Where a remnant's bytes were seen, told so that it differs where they may be other bytes now; null: that can't be told. */
export type Evidence = string | null

/** The outlines of remnants that were read once and found valid, under `remnant/cache/` in the common git directory. Derived; rebuilt when odd. */
export interface Outlines {
  /** The outline of a remnant that was seen with this evidence; undefined: it is to be read. */
  get(digest: string, evidence: Evidence): Remnant | undefined
  /** Remembers the outline of a valid remnant, and answers it. */
  put(digest: string, evidence: Evidence, remnant: Remnant): Remnant
  /** Writes what has changed, where that is worth it and can be done. `here`: all that is stored now. */
  keep(here: readonly string[]): void
}

export function openOutlines(commonDir: string, files: Files): Outlines {
  const path = join(commonDir, 'remnant', 'cache', 'outlines')
  const table = new OutlineTable(readTable(path, files))
  let fresh = 0
  return {
    get: (digest, evidence) => (evidence !== null && table.evidence(digest).includes(evidence) ? table.outline(digest) : undefined),
    put(digest, evidence, remnant) {
      if (evidence !== null) fresh += 1
      table.add(digest, evidence === null ? table.evidence(digest) : [...table.evidence(digest), evidence].slice(-PLACES), remnant)
      return table.outline(digest) as Remnant
    },
    keep(here) {
      const kept = here.filter((digest) => table.evidence(digest).length > 0)
      const gone = table.size - kept.length
      if (fresh + gone === 0 || (fresh + gone) * WORTH < kept.length) return
      writeTable(path, (gone === 0 ? table : table.only(kept)).text(), files, commonDir)
    },
  }
}

/** What git's own index asks of a file too: size, times, inode. null: there is no plain file, or it changed just `now` (ms). */
export function evidenceOf(path: string, now: number): Evidence {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat === undefined || !stat.isFile() || Math.max(stat.mtimeMs, stat.ctimeMs) > now - TICK) return null
    return `${stat.size} ${stat.mtimeMs} ${stat.ctimeMs} ${stat.ino}`
  } catch {
    return null
  }
}

/** A remnant that has no copy is in the commit that its ref names. */
export const evidenceIn = (ref: Ref | null): Evidence => (ref !== null && 'oid' in ref ? ref.oid : null)

function readTable(path: string, files: Files): TableText | undefined {
  try {
    const bytes = files.read(path)
    if (bytes === null || bytes.length > MAX_BYTES) return undefined
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const end = text.indexOf(10)
    const body = text.subarray(end + 1)
    return text.toString('latin1', 0, end) === `${HEADER} ${sha256(body)}` ? (JSON.parse(body.toString('utf8')) as TableText) : undefined
  } catch {
    // The remnants themselves are read then.
    return undefined
  }
}

function writeTable(path: string, table: TableText, files: Files, commonDir: string): void {
  const body = JSON.stringify(table)
  try {
    localFolder(commonDir)
    files.write(path, `${HEADER} ${sha256(body)}\n${body}`, 0o600)
  } catch {
    // Where nothing can be written, resolving stays slower and right.
  }
}
