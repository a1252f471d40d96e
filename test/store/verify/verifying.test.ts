import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { auditSignatures, checkSignatures, settleSignatures, signRemnants, signWhereGitWould } from '../../../src/store/verify/verifying.ts'
import { openSignerList } from '../../../src/host/trust/signers.ts'
import { openStore } from '../../../src/store.ts'
import { encodeRemnant } from '../../../src/model/remnant.ts'
import { signatureOf } from '../../../src/model/signature.ts'
import { keepSignature, listSignatures } from '../../../src/store/signing/signatures.ts'
import { signerIn } from '../../../src/model/signer.ts'
import { aRemnant } from '../../remnants.ts'
import { CAN_SIGN, type KeyPair, armored, fetched, keyPair, signedBy, signingStage } from '../../signing.ts'
import { QUICK, type Stage } from '../../stage.ts'

const signer = (pair: KeyPair, options = 'namespaces="git-remnant"') => signerIn(`a@example.com ${options} ${pair.key.type} ${pair.key.blob}`.replace('  ', ' ')) as NonNullable<ReturnType<typeof signerIn>>

/** The ranks as a process that has just been started sees them. */
async function ranks({ repository, host, files }: Stage): Promise<Record<string, string>> {
  const store = openStore({ repository, git: () => host.git(), files, disk: QUICK })
  const found: Record<string, string> = {}
  for await (const one of store.readAll()) found[one.digest] = 'rank' in one ? one.rank : 'broken'
  return found
}

// Needs OpenSSH's ssh-keygen.
describe.skipIf(!CAN_SIGN)('a signature', () => {
  it.each(['ed25519', 'rsa', 'ecdsa'])('by an accepted %s key makes a stranger\'s remnant signed, once it was checked', async (type) => {
    const [made, pair] = [signingStage(), keyPair(type)]
    const digest = await fetched(made, aRemnant())
    await signedBy(made, aRemnant(), pair)
    openSignerList(made.repository, made.files).allow(signer(pair))
    expect(await ranks(made)).toEqual({ [digest]: 'other' })
    const checked = await checkSignatures(made.host)
    expect([checked.checked, [...checked.signed.keys()], checked.refused, checked.faults]).toEqual([1, [digest], [], []])
    expect(await ranks(made)).toEqual({ [digest]: 'signed' })
  })

  it('is made with git\'s own key, and once by a key', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    const { digest } = await made.store.write(aRemnant())
    made.git('config', 'user.signingKey', pair.publicPath)
    const first = await signRemnants([digest], made.host, QUICK)
    expect(first.signatures.map(({ remnant }) => remnant)).toEqual([digest])
    expect(await signRemnants([digest], made.host, QUICK)).toEqual({ signatures: [], there: [digest] })
    expect(made.git('for-each-ref', '--format=%(refname) %(objecttype)', 'refs/remnants/sig').trim()).toBe(`refs/remnants/sig/${digest}/${first.signatures[0]?.digest} commit`)
    expect(made.git('fsck', '--strict', '--no-dangling')).toBe('')
  })

  it.each<[string, string, string]>([
    ['for git alone', 'namespaces="git"', 'other'],
    ['for all that begins so', 'namespaces="git*"', 'signed'],
    ['for everything', '', 'signed'],
    ['until a day that is over', 'namespaces="git-remnant",valid-before="20200101"', 'other'],
    ['from a day that is to come', 'namespaces="git-remnant",valid-after="29990101"', 'other'],
    ['within its days', 'valid-after="20200101",valid-before="29990101"', 'signed'],
    ['as an authority, which it is not here', 'cert-authority', 'other'],
  ])('by a key that is accepted %s', async (_, options, rank) => {
    const [made, pair] = [signingStage(), keyPair()]
    const digest = await fetched(made, aRemnant())
    await signedBy(made, aRemnant(), pair)
    openSignerList(made.repository, made.files).allow(signer(pair, options))
    await checkSignatures(made.host)
    expect(await ranks(made)).toEqual({ [digest]: rank })
  })

  it('by a certified key counts by its authority', async () => {
    const [made, pair, authority] = [signingStage(), keyPair(), keyPair()]
    execFileSync('ssh-keygen', ['-q', '-s', authority.path, '-I', 'id', '-n', 'signer', '-V', '+1d', pair.publicPath], { stdio: 'ignore' })
    const digest = await fetched(made, aRemnant())
    made.git('config', 'user.signingKey', `${pair.path}-cert.pub`)
    await signRemnants([digest], made.host, QUICK)
    openSignerList(made.repository, made.files).allow(signer(authority, 'cert-authority'))
    await checkSignatures(made.host)
    expect(await ranks(made)).toEqual({ [digest]: 'signed' })
  })

  it('says nothing of a remnant that it was not made for', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    const [mine, theirs] = [aRemnant(), aRemnant(['npm run lint'])]
    const [of, digest] = [await fetched(made, mine), await fetched(made, theirs)]
    const { digest: name, bytes } = signatureOf(digest, armored(encodeRemnant(mine).bytes, pair))
    await keepSignature({ digest: name, remnant: digest }, bytes, { repository: made.repository, git: () => made.host.git(), files: made.files, disk: QUICK })
    openSignerList(made.repository, made.files).allow(signer(pair))
    expect((await checkSignatures(made.host)).refused).toEqual([{ digest: name, remnant: digest }])
    expect(await ranks(made)).toEqual({ [of]: 'other', [digest]: 'other' })
    expect((await auditSignatures(made.host)).map(({ subject, fault }) => [subject, fault])).toEqual([[`refs/remnants/sig/${digest}/${name}`, 'does not fit its remnant']])
  })

  it('by a key that nobody accepted starts no program', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    await fetched(made, aRemnant())
    await signedBy(made, aRemnant(), pair)
    const never = { collect: () => Promise.reject(new Error('started')), through: () => Promise.reject(new Error('started')) }
    expect(await checkSignatures({ ...made.host, processes: never })).toMatchObject({ checked: 1, strange: 1, refused: [], faults: [] })
  })

  it('of what this clone sealed leaves it its own', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    const { digest } = await made.store.write(aRemnant())
    await signedBy(made, aRemnant(), pair)
    openSignerList(made.repository, made.files).allow(signer(pair))
    await checkSignatures(made.host)
    expect(await ranks(made)).toEqual({ [digest]: 'own' })
  })

  describe('that was found good', () => {
    async function signed(options?: string) {
      const [made, pair] = [signingStage(), keyPair()]
      const digest = await fetched(made, aRemnant())
      await signedBy(made, aRemnant(), pair)
      openSignerList(made.repository, made.files).allow(signer(pair, options))
      await checkSignatures(made.host)
      expect(await ranks(made)).toEqual({ [digest]: 'signed' })
      return { made, pair, digest }
    }

    it('counts no more once its key is denied, and again when it is allowed', async () => {
      const { made, pair, digest } = await signed()
      openSignerList(made.repository, made.files).deny(pair.key)
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
      openSignerList(made.repository, made.files).allow(signer(pair))
      expect(await ranks(made)).toEqual({ [digest]: 'signed' })
    })

    it('is checked again when its key\'s bounds change, and not when somebody else is accepted', async () => {
      const { made, pair, digest } = await signed()
      openSignerList(made.repository, made.files).allow(signer(keyPair()))
      expect(await ranks(made)).toEqual({ [digest]: 'signed' })
      openSignerList(made.repository, made.files).allow(signer(pair, 'valid-before="20200101"'))
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
      await checkSignatures(made.host)
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
    })

    it('is not believed beyond the day on which its key expires', async () => {
      const { made, digest } = await signed('valid-before="20990101"')
      const at = async (time: string) => {
        const found: string[] = []
        for await (const one of openStore({ repository: made.repository, git: () => made.host.git(), files: made.files, disk: QUICK, now: () => Date.parse(time) }).readAll()) found.push('rank' in one ? one.rank : '')
        return found
      }
      expect([await at('2098-12-30T00:00:00Z'), await at('2099-01-03T00:00:00Z')]).toEqual([['signed'], ['other']])
      expect(digest).toHaveLength(64)
    })

    it('counts no more once git\'s file of revoked keys names its key', async () => {
      const { made, pair, digest } = await signed()
      made.write('revoked', '')
      made.git('config', 'gpg.ssh.revocationFile', join(made.dir, 'revoked'))
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
      await checkSignatures(made.host)
      expect(await ranks(made)).toEqual({ [digest]: 'signed' })
      made.write('revoked', `${pair.text}\n`)
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
      expect((await checkSignatures(made.host)).refused).toHaveLength(1)
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
    })

    it('counts no more once it is gone', async () => {
      const { made, digest } = await signed()
      for (const ref of made.git('for-each-ref', '--format=%(refname)', 'refs/remnants/sig').trim().split('\n')) made.git('update-ref', '-d', ref)
      rmSync(join(made.dir, '.remnants/sig'), { recursive: true })
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
    })

    it('lives on in packed refs, and in the copy alone', async () => {
      const { made, digest } = await signed()
      made.git('pack-refs', '--all')
      rmSync(join(made.dir, '.remnants/sig'), { recursive: true })
      expect([await ranks(made), (await checkSignatures(made.host, { again: true })).signed.size]).toEqual([{ [digest]: 'signed' }, 1])
    })

    it.each([
      ['of another version', 'git-remnant-verified 2\n'],
      ['of garbage', '\0\xff\n'],
      ['that a crash cut short', 'git-remnant-verified 1\nabc'],
    ])('is forgotten by a list %s, and found again', async (_, text) => {
      const { made, digest } = await signed()
      made.files.write(join(made.repository.commonDir, 'remnant/verified'), text)
      expect(await ranks(made)).toEqual({ [digest]: 'other' })
      await checkSignatures(made.host)
      expect(await ranks(made)).toEqual({ [digest]: 'signed' })
    })

    it('is not verified again by reading, or by the next check', async () => {
      const { made } = await signed()
      const never = { collect: () => Promise.reject(new Error('started')), through: () => Promise.reject(new Error('started')) }
      expect((await checkSignatures({ ...made.host, processes: never })).signed.size).toBe(1)
      await expect(checkSignatures({ ...made.host, processes: never }, { again: true })).rejects.toThrow('started')
    })
  })

  it('is refused by a clone without ssh-keygen, in words', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    const digest = await fetched(made, aRemnant())
    await signedBy(made, aRemnant(), pair)
    openSignerList(made.repository, made.files).allow(signer(pair))
    made.git('config', 'gpg.ssh.program', join(made.dir, 'not-there'))
    expect(await settleSignatures(made.host)).toMatch(/^signatures were not checked, so none of them counts: no program ".+not-there" to be started$/)
    expect(await ranks(made)).toEqual({ [digest]: 'other' })
  })

  it('is made where git signs by itself, and nowhere else', async () => {
    const [made, pair] = [signingStage(), keyPair()]
    const { digest } = await made.store.write(aRemnant())
    const count = () => listSignatures(made.repository).length
    made.git('config', 'user.signingKey', pair.publicPath)
    expect([await signWhereGitWould([digest], made.host), count()]).toEqual([null, 0])
    made.git('config', 'gpg.format', 'ssh')
    made.git('config', 'commit.gpgSign', 'true')
    expect([await signWhereGitWould([digest], made.host), count()]).toEqual([null, 1])
    made.git('config', 'user.signingKey', '/nowhere')
    expect(await signWhereGitWould([digest], made.host)).toBe('not signed: "user.signingKey" names a file that is not there')
  })
})
