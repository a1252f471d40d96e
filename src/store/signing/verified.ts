import { join } from 'node:path'
import { HEX_64 } from '../../base/digest.ts'
import type { Files } from '../../host/files.ts'
import { type PublicKey, publicKeyIn } from '../../model/signer.ts'
import { localFolder } from '../local-lists.ts'
import type { SignatureName } from './signatures.ts'

/** Raised whenever what makes a signature count changes. */
const HEADER = 'git-remnant-verified 1'

/** What came of checking a signature: under which grounds (see `Signers.groundsFor`) and when (ms). */
export interface Verified extends SignatureName {
  readonly key: PublicKey
  readonly grounds: string
  readonly good: boolean
  readonly at: number
}

/**
 * What was checked, in `remnant/verified` of the common git directory. Derived: nothing is lost with it but time. An entry
 * says nothing once its grounds are others, so a reader compares them; only checking writes here, reading never does.
 */
export function readVerified(commonDir: string, files: Files): readonly Verified[] {
  const text = Buffer.from(files.read(pathIn(commonDir)) ?? []).toString('latin1')
  if (!text.startsWith(`${HEADER}\n`) || !text.endsWith('\n')) return []
  return text.split('\n').slice(1, -1).flatMap((line) => entryIn(line) ?? [])
}

/** Throws `unwritable`. */
export function writeVerified(commonDir: string, files: Files, entries: readonly Verified[]): void {
  localFolder(commonDir)
  const lines = entries.map(({ digest, remnant, key, grounds, good, at }) => `${digest} ${remnant} ${good ? 'good' : 'bad'} ${grounds} ${at} ${key.type} ${key.blob}`)
  files.write(pathIn(commonDir), [HEADER, ...lines, ''].join('\n'), 0o600)
}

function entryIn(line: string): Verified | null {
  const [digest = '', remnant = '', word, grounds = '', at = '', ...rest] = line.split(' ')
  const key = publicKeyIn(rest.join(' '))
  if (![digest, remnant, grounds].every((hex) => HEX_64.test(hex)) || (word !== 'good' && word !== 'bad') || !/^\d{1,15}$/.test(at) || key === null) return null
  return { digest, remnant, key, grounds, good: word === 'good', at: Number(at) }
}

const pathIn = (commonDir: string): string => join(commonDir, 'remnant', 'verified')
