import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/base/digest.ts'
import { type Signers, openSignerList, signersHere } from '../../../src/host/trust/signers.ts'
import type { PublicKey, Signer } from '../../../src/model/signer.ts'
import { keepSignature } from '../../../src/store/signing/signatures.ts'
import { groundsOnce, ranksByAndBy, ranksNow, revokedDigest, signedNow, signerFor, stillCounts } from '../../../src/store/signing/trust.ts'
import { type Verified, writeVerified } from '../../../src/store/signing/verified.ts'
import { madeUpKey, madeUpSignature } from '../../signing.ts'
import { QUICK, type Stage, stage } from '../../stage.ts'

const [A, B] = [madeUpKey(1), madeUpKey(2)]
const NOW = Date.parse('2026-06-01T12:00:00Z')
const signer = (key: PublicKey, options = ''): Signer => ({ principals: 'a@example.com', options, key })
const place = ({ repository, host, files }: Stage, now = NOW) => ({ repository, git: () => host.git(), files, now: () => now })
const lists = (own: readonly string[] = [], reported: readonly string[] = []) => ({ own: () => new Set(own), reported: () => new Set(reported), mark: () => [own, reported].join(' ') })

/** A repository in which a signature by A was found good at NOW, on the grounds of then. */
async function signed(more: Partial<Verified> = {}, options = '') {
  const made = stage()
  const one = madeUpSignature(sha256('a remnant'), 1)
  await keepSignature({ digest: one.digest, remnant: one.remnant }, one.bytes, { repository: made.repository, git: () => made.host.git(), files: made.files, disk: QUICK })
  openSignerList(made.repository, made.files).allow(signer(A, options))
  const grounds = signersHere(made.repository, made.files).groundsFor(A, null) as string
  writeVerified(made.repository.commonDir, made.files, [{ digest: one.digest, remnant: one.remnant, key: A, grounds, good: true, at: NOW, ...more }])
  return { made, remnant: one.remnant }
}

describe('a remnant that was signed', () => {
  it('is so by whoever the accepted line names', async () => {
    const { made, remnant } = await signed()
    expect([...(await signedNow(place(made)))]).toEqual([[remnant, { ...signer(A), from: 'clone' }]])
  })

  it.each<[string, () => ReturnType<typeof signed>, (made: Stage) => void, number?]>([
    ['where it was found bad', () => signed({ good: false }), () => {}],
    ['where the key was another', () => signed({ key: B }), () => {}],
    ['on other grounds', () => signed({ grounds: sha256('others') }), () => {}],
    ['where the signature is another', () => signed({ digest: sha256('another') }), () => {}],
    ['where nobody is accepted', () => signed(), ({ repository, files }) => openSignerList(repository, files).deny(A)],
    ['where the bounds are others now', () => signed(), ({ repository, files }) => openSignerList(repository, files).allow(signer(A, 'valid-before="20990101"'))],
    ['where keys are revoked by a file now', () => signed(), (made) => made.git('config', 'gpg.ssh.revocationFile', '/nowhere')],
    ['behind the day on which the key ends', () => signed({}, 'valid-before="20260701Z"'), () => {}, Date.parse('2026-07-02T00:00:00Z')],
    ['where the signature is gone', () => signed(), (made) => (rmSync(join(made.dir, '.remnants'), { recursive: true }), made.git('for-each-ref', '--format=delete %(refname)', 'refs/remnants/sig').trim().split('\n').map((line) => made.git('update-ref', '-d', line.slice(7))))],
    ['where the list of what was checked is damaged', () => signed(), ({ repository, files }) => files.append(join(repository.commonDir, 'remnant/verified'), 'half a li')],
  ])('is not %s', async (_, prepare, change, now) => {
    const { made } = await prepare()
    change(made)
    expect([...(await signedNow(place(made, now)))]).toEqual([])
  })

  it('is told without starting git where nothing was ever checked', async () => {
    const made = stage()
    openSignerList(made.repository, made.files).allow(signer(A))
    const never = () => Promise.reject(new Error('git was started'))
    expect((await signedNow({ ...place(made), git: never })).size).toBe(0)
  })
})

describe('the rank of a remnant', () => {
  it('is the highest that it has: own, signed, reported, other', async () => {
    const { made, remnant } = await signed()
    const [own, reported, other] = ['own', 'reported', 'other'].map(sha256) as [string, string, string]
    const ranks = await ranksNow(place(made), lists([own], [reported, remnant, own]))
    expect([own, remnant, reported, other].map((digest) => ranks.of(digest))).toEqual(['own', 'signed', 'reported', 'other'])
    expect((await ranksNow(place(made), lists([remnant]))).of(remnant)).toBe('own')
  })

  it('is worked out once for many looks, and again when our lists have changed', async () => {
    const { made, remnant } = await signed()
    const ranks = ranksByAndBy(place(made), lists([], [remnant]))
    const first = await ranks()
    expect([first.of(remnant), (await ranks()) === first]).toEqual(['signed', true])
    openSignerList(made.repository, made.files).deny(A)
    const next = await ranks()
    expect([next === first, next.of(remnant)]).toEqual([false, 'reported'])
  })
})

describe('a check of a signature', () => {
  const with_ = (...lines: Signer[]): Signers => ({ accepted: [], linesFor: () => lines, groundsFor: () => 'g' })
  const day = (text: string): number => Date.parse(`${text}T00:00:00Z`)
  const entry: Verified = { digest: sha256('s'), remnant: sha256('r'), key: A, grounds: 'g', good: true, at: day('2026-06-01') }

  it.each<[string, string, string | null, string, boolean]>([
    ['no bounds', '', 'g', '2040-01-01', true],
    ['other grounds', '', 'h', '2026-06-01', false],
    ['no grounds', '', null, '2026-06-01', false],
    ['an end that is not reached', 'valid-before="20260901Z"', 'g', '2026-08-01', true],
    ['an end that has passed', 'valid-before="20260701Z"', 'g', '2026-08-01', false],
    ['an end that had passed before', 'valid-before="20260501Z"', 'g', '2026-08-01', true],
    ['a beginning that has passed', 'valid-after="20260701Z"', 'g', '2026-08-01', false],
    ['an end, where the clock went back over it', 'valid-before="20260501Z"', 'g', '2026-04-01', false],
    ['the very moment of the end', 'valid-before="20260701Z"', 'g', '2026-07-01', false],
    ['a moment that can not be read', 'valid-before="tomorrow"', 'g', '2026-06-01', false],
  ])('with %s', (_, options, standing, now, counts) => {
    expect(stillCounts(entry, with_(signer(A, options)), standing, day(now))).toBe(counts)
  })

  it('counts no more where any line of several came to an end', () => {
    expect(stillCounts(entry, with_(signer(A), signer(B, 'cert-authority,valid-before="20260701Z"')), 'g', day('2026-08-01'))).toBe(false)
  })

  it('names the line of the key itself before an authority, and nobody where there is none', () => {
    expect(signerFor(A, with_(signer(B, 'cert-authority'), signer(A)))?.key).toEqual(A)
    expect(signerFor(A, with_(signer(B, 'cert-authority')))?.key).toEqual(B)
    expect(signerFor(A, with_())).toBeNull()
  })

  it('asks for the grounds of a key once', () => {
    const asked: [PublicKey, string | null][] = []
    const grounds = groundsOnce({ ...with_(), groundsFor: (key, revoked) => (asked.push([key, revoked]), key.blob) }, 'revoked')
    expect([grounds(A), grounds(B), grounds(A)]).toEqual([A.blob, B.blob, A.blob])
    expect(asked).toEqual([[A, 'revoked'], [B, 'revoked']])
  })
})

describe("git's file of revoked keys", () => {
  it.each<[string, (made: Stage) => string | null, string | null]>([
    ['not named', () => null, null],
    ['named as nothing', () => '', null],
    ['not there', () => '/nowhere/revoked', sha256('absent')],
    ['there', (made) => (made.write('revoked', 'a key\n'), join(made.dir, 'revoked')), sha256('a key\n')],
    ['a folder', (made) => made.dir, sha256('unreadable')],
  ])('%s', async (_, prepare, digest) => {
    const made = stage()
    const path = prepare(made)
    if (path !== null) made.git('config', 'gpg.ssh.revocationFile', path)
    expect(await revokedDigest(await made.host.git(), made.files)).toBe(digest)
  })
})
