import type { Files } from '../../host/files.ts'
import type { Git, Repository } from '../../host/git.ts'
import { openSignerList, signersHere } from '../../host/trust/signers.ts'
import { fingerprintOfKey, isSameKey } from '../../model/signer.ts'
import { listSignatures, readSignatures } from './signatures.ts'

/** A key that is not accepted here, as signatures name it: whether they are its own, nobody has checked. */
export interface Stranger {
  readonly fingerprint: string
  /** Somebody said no to it in this clone. */
  readonly denied: boolean
  /** Digests of what it is said to have signed; sorted. */
  readonly remnants: readonly string[]
}

/** Whose signatures are here and count for nothing; of one remnant, if it is named. Starts no program but git. */
export async function strangersHere(place: { readonly files: Files; repository(): Promise<Repository>; git(): Promise<Git> }, digest?: string): Promise<Stranger[]> {
  const repository = await place.repository()
  const names = listSignatures(repository).filter(({ remnant }) => digest === undefined || remnant === digest)
  if (names.length === 0) return []
  const signers = signersHere(repository, place.files)
  const { denied } = openSignerList(repository, place.files)
  const found = new Map<string, { readonly denied: boolean; readonly remnants: Set<string> }>()
  for (const one of await readSignatures(names, repository, () => place.git())) {
    if ('fault' in one || signers.linesFor(one.key).length > 0) continue
    const fingerprint = fingerprintOfKey(one.key)
    const known = found.get(fingerprint) ?? { denied: denied.some((key) => isSameKey(key, one.key)), remnants: new Set() }
    known.remnants.add(one.remnant)
    found.set(fingerprint, known)
  }
  return [...found].map(([fingerprint, one]) => ({ fingerprint, denied: one.denied, remnants: [...one.remnants].sort() })).sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
}
