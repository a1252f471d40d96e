import * as fs from 'node:fs'
import { join } from 'node:path'
import { canonical } from '../../base/canonical.ts'
import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Files } from '../../host/files.ts'
import type { Env, Git, Repository } from '../../host/git.ts'
import type { Processes } from '../../host/processes.ts'
import { type AcceptedSigner, type Signers, signersHere } from '../../host/trust/signers.ts'
import { type Ssh, openSsh, sshSettings } from '../../host/trust/ssh.ts'
import { encodeRemnant } from '../../model/remnant.ts'
import { signatureOf } from '../../model/signature.ts'
import type { Signer } from '../../model/signer.ts'
import type { Store, StoreFault } from '../../model/store.ts'
import type { Disk } from '../git/atomic-fs.ts'
import { readPlain } from '../copies.ts'
import { liesPlainly } from '../folders.ts'
import { REFS, commitOf } from '../git/recipe.ts'
import { type SignatureName, type StoredSignature, keepSignature, listSignatures, readSignatures, signatureObjects, signaturePathOf, signatureRefOf } from '../signing/signatures.ts'
import { groundsOnce, revokedDigest, signerFor, stillCounts } from '../signing/trust.ts'
import { type Verified, readVerified, writeVerified } from '../signing/verified.ts'

/** What may be opened of a verb's outside. */
export interface SigningPlace {
  readonly env: Env
  readonly files: Files
  readonly processes: Processes
  readonly interactive: boolean
  now(): Date
  repository(): Promise<Repository>
  git(): Promise<Git>
  store(): Promise<Store>
}

/** What came of looking at all signatures here. */
export interface Checked {
  readonly checked: number
  /** Remnants that an accepted key signed, and whoever did. */
  readonly signed: ReadonlyMap<string, AcceptedSigner>
  /** By keys that nobody accepted here; not looked into. */
  readonly strange: number
  /** By an accepted key's name, and not good: altered, made for something else, expired, revoked. */
  readonly refused: readonly SignatureName[]
  /** What is no signature, or is lost. */
  readonly faults: readonly StoreFault[]
}

/**
 * Verifies the signatures of this repository against the accepted signers, and remembers what came of it: from then on reading
 * knows the rank. Run after a fetch, by `allow`, `deny` and `verify`. `typed`: signers for this run alone, of which nothing is
 * remembered. Starts `ssh-keygen` once for each signature by an accepted key that was not checked under the same grounds.
 * Throws `missing` where that is needed and is not there.
 */
export async function checkSignatures(place: SigningPlace, { typed = [], again = false }: { readonly typed?: readonly Signer[]; readonly again?: boolean } = {}): Promise<Checked> {
  const repository = await place.repository()
  const names = listSignatures(repository)
  if (names.length === 0) {
    if (typed.length === 0 && readVerified(repository.commonDir, place.files).length > 0) writeVerified(repository.commonDir, place.files, [])
    return { checked: 0, signed: new Map(), strange: 0, refused: [], faults: [] }
  }
  const git = await place.git()
  const signers = signersHere(repository, place.files, typed)
  const standing = groundsOnce(signers, await revokedDigest(git, place.files))
  const known = new Map(readVerified(repository.commonDir, place.files).map((entry) => [`${entry.remnant}/${entry.digest}`, entry]))
  const now = place.now().getTime()
  const entries: Verified[] = []
  const faults: StoreFault[] = []
  const open: { readonly one: StoredSignature & { readonly key: Verified['key'] }; readonly grounds: string }[] = []
  let strange = 0
  for (const one of await readSignatures(names, repository, place.git)) {
    if ('fault' in one) {
      faults.push({ subject: signatureRefOf(one), fault: one.fault, repair: 'none is needed: it is not believed' })
      continue
    }
    const grounds = standing(one.key)
    const before = known.get(`${one.remnant}/${one.digest}`)
    if (grounds === null) strange += 1
    else if (!again && before !== undefined && stillCounts(before, signers, grounds, now)) entries.push(before)
    else open.push({ one, grounds })
  }
  if (open.length > 0) entries.push(...(await verified(open, signers, now, await place.store(), openSsh(await sshSettings(git), repository.gitDir, place))))
  if (typed.length === 0) writeVerified(repository.commonDir, place.files, entries)
  return {
    checked: names.length,
    signed: new Map(entries.filter(({ good }) => good).map((entry) => [entry.remnant, signerFor(entry.key, signers) as AcceptedSigner])),
    strange,
    refused: entries.filter(({ good }) => !good).map(({ digest, remnant }) => ({ digest, remnant })),
    faults,
  }
}

/**
 * The same where a lack of OpenSSH is no reason to stop: what was not checked is not believed. The words to say, or null.
 */
export async function settleSignatures(place: SigningPlace): Promise<string | null> {
  try {
    await checkSignatures(place)
    return null
  } catch (thrown) {
    if (thrown instanceof RemnantError && thrown.fault === 'missing') return `signatures were not checked, so none of them counts: ${thrown.message}`
    throw thrown
  }
}

/**
 * What is wrong with the signatures here, whoever made them: no signature, lost, of a remnant that is not here, or one that does
 * not fit its remnant. Whether a key is accepted, expired or revoked is no fault. Remembers what counts, as `checkSignatures` does.
 */
export async function auditSignatures(place: SigningPlace): Promise<readonly StoreFault[]> {
  const { checked, faults } = await checkSignatures(place, { again: true })
  if (checked === 0) return []
  const [repository, store] = [await place.repository(), await place.store()]
  const ssh = openSsh(await sshSettings(await place.git()), repository.gitDir, place)
  const found = [...faults]
  const listed = Buffer.from((await (await place.git()).try(['for-each-ref', '--format=%(refname) %(objectname)', `${REFS}sig`])).stdout).toString('latin1')
  const refs = new Map(listed.split('\n').map((line) => line.split(' ') as [string, string]))
  const look = async (one: StoredSignature): Promise<void> => {
    if ('fault' in one) return
    const ref = refs.get(signatureRefOf(one))
    if (ref !== undefined && ref !== commitOf(signatureObjects(one, Buffer.from(canonical(one.signature)), repository.objectFormat)))
      found.push({ subject: signatureRefOf(one), fault: 'names a commit that does not follow from its signature', repair: 'get it again from a clone that has it whole' })
    const path = signaturePathOf(one)
    const copy = repository.workTree === null ? 'absent' : liesPlainly(repository.workTree, path) ? readPlain(join(repository.workTree, path)) : 'linked'
    if (copy !== 'absent' && (typeof copy === 'string' || sha256(copy) !== one.digest))
      found.push({ subject: path, ...(copy === 'linked' ? { fault: 'is reached through a symbolic link', repair: 'put a plain folder in its place' } : { fault: 'does not hash to its name', repair: 'git remnant verify --repair' }) })
    const stored = await store.read(one.remnant)
    if (stored === null) found.push({ subject: signatureRefOf(one), fault: 'signs a remnant that is not here', repair: 'git remnant fetch' })
    else if ('remnant' in stored && !(await ssh.fits(encodeRemnant(stored.remnant).bytes, one.signature.signature)))
      found.push({ subject: signatureRefOf(one), fault: 'does not fit its remnant', repair: 'none is needed: it is not believed' })
  }
  const all = await readSignatures(listSignatures(repository), repository, place.git)
  for (let i = 0; i < all.length; i += AT_ONCE) await Promise.all(all.slice(i, i + AT_ONCE).map(look))
  return found
}

/**
 * Signs what this clone is about to send for the first time, where the user's git signs with SSH by itself (`commit.gpgSign` and
 * `gpg.format` = `ssh`). The words to say where that could not be, or null: what can't be signed goes unsigned.
 */
export async function signWhereGitWould(digests: readonly string[], place: SigningPlace): Promise<string | null> {
  if (digests.length === 0 || !(await sshSettings(await place.git())).signsByItself) return null
  try {
    await signRemnants(digests, place)
    return null
  } catch (thrown) {
    if (thrown instanceof RemnantError && thrown.fault === 'missing') return `not signed: ${thrown.message}`
    throw thrown
  }
}

const AT_ONCE = 4

async function verified(
  open: readonly { readonly one: StoredSignature & { readonly key: Verified['key'] }; readonly grounds: string }[],
  signers: Signers,
  at: number,
  store: Store,
  ssh: Ssh,
): Promise<Verified[]> {
  const found: Verified[] = []
  const check = async ({ one, grounds }: (typeof open)[number]): Promise<void> => {
    const stored = await store.read(one.remnant)
    if ('fault' in one || stored === null || !('remnant' in stored)) return
    const good = await ssh.verify(encodeRemnant(stored.remnant).bytes, one.signature.signature, signers.linesFor(one.key))
    found.push({ digest: one.digest, remnant: one.remnant, key: one.key, grounds, good, at })
  }
  for (let i = 0; i < open.length; i += AT_ONCE) await Promise.all(open.slice(i, i + AT_ONCE).map(check))
  return found
}

/** What was signed: names of the new signatures, and remnants that the same key had signed before. */
export interface SignedNow {
  readonly signatures: readonly SignatureName[]
  readonly there: readonly string[]
}

/**
 * Signs remnants with git's own signing key, each once by a key: what is signed already is left alone. Throws `missing` where
 * there is no key, or the program would not sign; what was signed until then stays.
 */
export async function signRemnants(digests: readonly string[], place: SigningPlace, disk: Disk = fs): Promise<SignedNow> {
  const repository = await place.repository()
  const ssh = openSsh(await sshSettings(await place.git()), repository.gitDir, place)
  const store = await place.store()
  const asked = new Set(digests)
  const mine = new Set<string>()
  const key = await ssh.publicKey()
  for (const one of await readSignatures(listSignatures(repository).filter(({ remnant }) => asked.has(remnant)), repository, place.git))
    if (!('fault' in one)) mine.add(`${one.remnant} ${one.key.blob}`)
  const signatures: SignatureName[] = []
  const there: string[] = []
  let blob = key?.blob ?? null
  for (const remnant of digests) {
    if (blob !== null && mine.has(`${remnant} ${blob}`)) {
      there.push(remnant)
      continue
    }
    const stored = await store.read(remnant)
    if (stored === null || !('remnant' in stored)) throw new RemnantError('corrupt', `remnant "${remnant.slice(0, 12)}" can't be read`, { hint: 'git remnant verify' })
    const { digest, bytes, key: used } = signatureOf(remnant, await ssh.sign(encodeRemnant(stored.remnant).bytes))
    blob = used.blob
    if (mine.has(`${remnant} ${blob}`)) there.push(remnant)
    else {
      await keepSignature({ digest, remnant }, bytes, { repository, git: place.git, files: place.files, disk })
      signatures.push({ digest, remnant })
    }
  }
  return { signatures, there }
}
