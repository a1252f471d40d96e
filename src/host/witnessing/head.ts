import { join } from 'node:path'
import { HEX_OID } from '../../base/digest.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'

/** The commit at HEAD, by reading git's files; null: there is none, or it can't be told without git. */
export function headCommit({ gitDir, commonDir }: Repository, files: Files): string | null {
  try {
    const head = textAt(join(gitDir, 'HEAD'), files)
    const ref = /^ref: (refs\/[^\n]+)$/.exec(head)?.[1]
    if (ref === undefined) return HEX_OID.test(head) ? head : null
    const loose = textAt(join(commonDir, ref), files)
    if (HEX_OID.test(loose)) return loose
    const packed = textAt(join(commonDir, 'packed-refs'), files)
    const at = packed.indexOf(` ${ref}\n`) === -1 && !packed.endsWith(` ${ref}`) ? -1 : packed.indexOf(` ${ref}`)
    const oid = at === -1 ? '' : packed.slice(packed.lastIndexOf('\n', at) + 1, at)
    return HEX_OID.test(oid) ? oid : null
  } catch {
    return null
  }
}

const textAt = (path: string, files: Files): string => Buffer.from(files.read(path) ?? []).toString('utf8').trim()
