import { join } from 'node:path'
import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Files } from '../../host/files.ts'
import type { Git, Repository } from '../../host/git.ts'
import { type AcceptedSigner, type Signers, signersHere } from '../../host/trust/signers.ts'
import type { Rank } from '../../model/rank.ts'
import { type PublicKey, boundariesOf } from '../../model/signer.ts'
import type { LocalLists } from '../local-lists.ts'
import { listSignatures } from './signatures.ts'
import { type Verified, readVerified } from './verified.ts'

/** How far each remnant is trusted here, at this moment (DESIGN 9). */
export interface Ranks {
  of(digest: string): Rank
  /** The same while every remnant's rank is. */
  mark(): string
}

/** Where trust is looked up. */
export interface TrustPlace {
  readonly repository: Repository
  readonly git: () => Promise<Git>
  readonly files: Files
  readonly now: () => number
}

/** Starts no program but `git config`, and that only where a signature was found good before; nothing is verified by reading. */
export async function ranksNow(place: TrustPlace, lists: Pick<LocalLists, 'own' | 'reported' | 'mark'>): Promise<Ranks> {
  const signed = await signedNow(place)
  let reported: ReadonlySet<string> | undefined
  return {
    of: (digest) => (lists.own().has(digest) ? 'own' : signed.has(digest) ? 'signed' : (reported ??= lists.reported()).has(digest) ? 'reported' : 'other'),
    mark: () => [lists.mark(), ...[...signed.keys()].sort()].join(),
  }
}

/** The ranks for one look at one remnant after the other: worked out again when our own lists have changed. */
export function ranksByAndBy(place: TrustPlace, lists: Pick<LocalLists, 'own' | 'reported' | 'mark'>): () => Promise<Ranks> {
  let seen: string | undefined
  let ranks: Ranks | undefined
  return async () => {
    const stamp = ['verified', 'signers', 'reported'].map((name) => JSON.stringify(place.files.stat(join(place.repository.commonDir, 'remnant', name)))).join()
    if (ranks === undefined || stamp !== seen) ranks = await ranksNow(place, lists)
    seen = stamp
    return ranks
  }
}

/** The remnants that an accepted key signed, as far as that was checked and still counts, each with whoever signed. */
export async function signedNow(place: TrustPlace): Promise<ReadonlyMap<string, AcceptedSigner>> {
  const { repository, git, files, now } = place
  const good = readVerified(repository.commonDir, files).filter((entry) => entry.good)
  if (good.length === 0) return new Map()
  const signers = signersHere(repository, files)
  if (signers.accepted.length === 0) return new Map()
  const there = new Set(listSignatures(repository).map(({ digest, remnant }) => `${remnant}/${digest}`))
  const revoked = await revokedDigest(await git(), files)
  const standing = groundsOnce(signers, revoked)
  const found = new Map<string, AcceptedSigner>()
  for (const entry of good) {
    const signer = there.has(`${entry.remnant}/${entry.digest}`) && stillCounts(entry, signers, standing(entry.key), now()) ? signerFor(entry.key, signers) : null
    if (signer !== null) found.set(entry.remnant, signer)
  }
  return found
}

/** Whether a check still says something: nothing that decided about it has changed, and no moment that a line names has passed since. */
export function stillCounts({ key, grounds, at }: Verified, signers: Signers, standing: string | null, now: number): boolean {
  if (grounds !== standing) return false
  const [from, to] = at < now ? [at, now] : [now, at]
  return signers.linesFor(key).every((line) => boundariesOf(line)?.every((moment) => moment < from || moment > to) ?? false)
}

/** The accepted line that names the key, else one that may vouch for it. */
export const signerFor = (key: PublicKey, signers: Signers): AcceptedSigner | null => {
  const lines = signers.linesFor(key) as readonly AcceptedSigner[]
  return lines.find((line) => line.key.blob === key.blob) ?? lines[0] ?? null
}

/** Grounds by key, worked out once for each: most signatures are by a few. */
export function groundsOnce(signers: Signers, revoked: string | null): (key: PublicKey) => string | null {
  const known = new Map<string, string | null>()
  return (key) => {
    const before = known.get(key.blob)
    if (before !== undefined) return before
    const grounds = signers.groundsFor(key, revoked)
    known.set(key.blob, grounds)
    return grounds
  }
}

/** The digest of the user's file of revoked keys (`gpg.ssh.revocationFile`); null: none is named. One that can't be read counts as another one. */
export async function revokedDigest(git: Git, files: Files): Promise<string | null> {
  const { status, stdout } = await git.try(['config', '-z', '--type=path', '--get', 'gpg.ssh.revocationFile'])
  const path = status === 0 ? Buffer.from(stdout).toString('utf8').split('\0')[0] : undefined
  if (path === undefined || path === '') return null
  try {
    const bytes = files.read(path)
    return bytes === null ? sha256('absent') : sha256(bytes)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return sha256('unreadable')
  }
}
