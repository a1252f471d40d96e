import { isAbsolute, join } from 'node:path'
import { digestOf, sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { type PublicKey, type Signer, isAuthority, isSameKey, lineFor, lineOfSigner, publicKeyIn, signerIn, signersIn } from '../../model/signer.ts'
import { isConfigAccepted } from './approvals.ts'
import { loadConfig } from '../config.ts'
import type { Files } from '../files.ts'
import type { Repository } from '../git.ts'

/**
 * Whose signatures count in this clone (DESIGN 9): the keys that `allow SIGNER` took, and those of the file that the
 * configuration names as `signers`, as it was when `allow config` accepted it; less those that `deny SIGNER` named.
 */
export interface Signers {
  readonly accepted: readonly AcceptedSigner[]
  /** The lines that could vouch for a signature by this key; empty: none. */
  linesFor(key: PublicKey): readonly Signer[]
  /** The digest of all that decides about this key's signatures; null: nothing lets it sign. `revoked`: the digest of the user's revocation file. */
  groundsFor(key: PublicKey, revoked: string | null): string | null
}

export interface AcceptedSigner extends Signer {
  readonly from: 'clone' | 'config' | 'command line'
}

/** The decisions of this clone about signers, in `remnant/signers` of the common git directory: appended, the last one about a key counts. */
export interface SignerList {
  readonly allowed: readonly Signer[]
  readonly denied: readonly PublicKey[]
  /** Throws `unwritable`. */
  allow(signer: Signer): void
  deny(key: PublicKey): void
}

export function openSignerList({ commonDir }: Repository, files: Files): SignerList {
  const path = join(commonDir, 'remnant', 'signers')
  const allowed = new Map<string, Signer>()
  const denied = new Map<string, PublicKey>()
  const decide = (line: string): void => {
    const [, decision, rest = ''] = /^(allow|deny) (.*)$/.exec(line) ?? []
    const signer = decision === 'allow' ? signerIn(rest) : null
    const key = decision === 'deny' ? publicKeyIn(rest) : null
    if (signer !== null) {
      allowed.set(signer.key.blob, signer)
      denied.delete(signer.key.blob)
    } else if (key !== null) {
      allowed.delete(key.blob)
      denied.set(key.blob, key)
    }
  }
  for (const line of textOf(files.read(path)).split('\n')) decide(line)
  const append = (line: string): void => {
    files.append(path, `${line}\n`)
    decide(line)
  }
  return {
    get allowed() {
      return [...allowed.values()]
    },
    get denied() {
      return [...denied.values()]
    },
    allow: (signer) => append(`allow ${lineOfSigner(signer)}`),
    deny: ({ type, blob }) => append(`deny ${type} ${blob}`),
  }
}

/** `typed`: signers that somebody named on our own command line, for this run alone. */
export function signersHere(repository: Repository, files: Files, typed: readonly Signer[] = []): Signers {
  const list = openSignerList(repository, files)
  const file = configuredSigners(repository, files)
  const isDenied = ({ key }: Signer): boolean => list.denied.some((denied) => isSameKey(denied, key))
  const accepted: AcceptedSigner[] = [
    ...typed.map((signer) => ({ ...signer, from: 'command line' as const })),
    ...list.allowed.map((signer) => ({ ...signer, from: 'clone' as const })),
    ...(file?.accepted === true ? file.signers : []).map((signer) => ({ ...signer, from: 'config' as const })),
  ].filter((signer) => !isDenied(signer))
  const linesFor = (key: PublicKey): readonly Signer[] =>
    list.denied.some((denied) => isSameKey(denied, key)) ? [] : accepted.filter((signer) => isSameKey(signer.key, key) || isAuthority(signer))
  return {
    accepted,
    linesFor,
    groundsFor: (key, revoked) => {
      const lines = [...new Set(linesFor(key).map(lineFor))].sort()
      return lines.length === 0 ? null : digestOf([lines, revoked])
    },
  }
}

/** The file of signers that the configuration names, and whether it was accepted as it is. null: none is named, or it is not there. */
export interface SignersFile {
  readonly path: string
  /** What an approval is bound to: the path, and every byte. */
  readonly id: string
  readonly signers: readonly Signer[]
  readonly unread: number
  readonly accepted: boolean
}

/** `named`: the path that a configuration names; absent: the one that counts here. */
export function configuredSigners(repository: Repository, files: Files, named = signersNamed(repository, files)): SignersFile | null {
  const { workTree } = repository
  if (named === undefined || named === '' || (workTree === null && !isAbsolute(named))) return null
  const bytes = read(isAbsolute(named) ? named : join(workTree as string, named), files)
  if (bytes === null) return null
  const id = digestOf(['signers', named, sha256(bytes)])
  return { path: named, id, ...signersIn(textOf(bytes)), accepted: isConfigAccepted(repository, files, id) }
}

/** A configuration that can't be read names none: less is trusted then, and whoever needs it says what is wrong with it. */
function signersNamed(repository: Repository, files: Files): string | undefined {
  try {
    return loadConfig(repository, files).signers
  } catch (thrown) {
    if (thrown instanceof RemnantError) return undefined
    throw thrown
  }
}

function read(path: string, files: Files): Uint8Array | null {
  try {
    const bytes = files.read(path)
    return bytes === null || bytes.byteLength > MAX_FILE_BYTES ? null : bytes
  } catch (thrown) {
    if (thrown instanceof RemnantError) return null
    throw thrown
  }
}

const MAX_FILE_BYTES = 1024 * 1024

const textOf = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString('utf8')
