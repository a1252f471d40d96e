import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/base/digest.ts'
import { openSignerList } from '../../../src/host/trust/signers.ts'
import { type PublicKey, type Signer, fingerprintOfKey } from '../../../src/model/signer.ts'
import { keepSignature } from '../../../src/store/signing/signatures.ts'
import { isSignerName, signersNamed } from '../../../src/store/signing/signer-named.ts'
import { madeUpKey, madeUpSignature } from '../../signing.ts'
import { QUICK, type Stage, stage } from '../../stage.ts'

const [A, B, C] = [madeUpKey(1), madeUpKey(2), madeUpKey(3)]
const text = ({ type, blob }: PublicKey): string => `${type} ${blob}`
const OURS = 'namespaces="git-remnant"'
const ours = (key: PublicKey, principals: string, bounds = ''): Signer => ({ principals, options: `${bounds}${OURS}`, key })

/** A repository whose user has a file of allowed signers. */
function knowing(lines: string): Stage {
  const made = stage()
  made.write('allowed', lines)
  made.git('config', 'gpg.ssh.allowedSignersFile', 'allowed')
  return made
}

describe('a name on the command line', () => {
  it.each<[string, boolean]>([
    ['config', false],
    ['0123abcd', false],
    ['deadbeef', false],
    ['a@example.com', true],
    ['SHA256:abc', true],
    ['key.pub', true],
    [text(A), true],
    ['DEADBEEF', true],
    ['', true],
  ])('%j may be a signer: %s', (name, may) => {
    expect(isSignerName(name)).toBe(may)
  })
})

describe('a signer', () => {
  it.each<[string, string, Signer]>([
    ['by the key itself', text(A), ours(A, 'unnamed')],
    ['by the key and its comment', `${text(A)} a@example.com and more`, ours(A, 'a@example.com')],
    ['by the key as git has it', `key::${text(A)} me`, ours(A, 'me')],
    ['by a key whose comment is no name', `${text(A)} \u001b[2J`, ours(A, 'unnamed')],
    ['by a file of a key', 'key.pub', ours(B, 'b@example.com')],
    ['by a file of a key below', 'keys/c.pub', ours(C, 'unnamed')],
  ])('is named %s', async (_, name, signer) => {
    const made = stage()
    made.write('key.pub', `${text(B)} b@example.com\n${text(A)}\n`)
    made.write('keys/c.pub', text(C))
    expect(await signersNamed(name, made.host)).toEqual([signer])
  })

  it.each<[string, string, string, Signer[]]>([
    ['by a name', `a@example.com ${text(A)}\nb@example.com ${text(B)}\n`, 'a@example.com', [ours(A, 'a@example.com')]],
    ['by one of several names', `a@example.com,me ${text(A)}\n`, 'me', [ours(A, 'a@example.com,me')]],
    ['by a quoted name', `"a person" ${text(A)}\n`, 'a person', [ours(A, '"a person"')]],
    ['by a name of two keys', `me ${text(A)}\nme ${text(B)}\n`, 'me', [ours(A, 'me'), ours(B, 'me')]],
    ['with one line a key', `me ${text(A)}\nme valid-before="20300101" ${text(A)}\n`, 'me', [ours(A, 'me')]],
    ['by a fingerprint', `me ${text(A)}\nyou ${text(B)}\n`, fingerprintOfKey(B), [ours(B, 'you')]],
    ['with the bounds of its line, for remnants alone', `me valid-before="20300101",namespaces="git,git-remnant" ${text(A)}\n`, 'me', [ours(A, 'me', 'valid-before="20300101",')]],
    ['with what it may sign by pattern', `me namespaces="git*" ${text(A)}\n`, 'me', [ours(A, 'me')]],
    ['as an authority', `me cert-authority ${text(A)}\n`, 'me', [ours(A, 'me', 'cert-authority,')]],
    ['without the key that signs for git alone', `me namespaces="git" ${text(A)}\nme ${text(B)}\n`, 'me', [ours(B, 'me')]],
  ])("is found in git's file of allowed signers %s", async (_, lines, name, signers) => {
    expect(await signersNamed(name, knowing(lines).host)).toEqual(signers)
  })

  it('is found by the fingerprint of a key that signed a remnant here, nameless', async () => {
    const made = stage()
    const one = madeUpSignature(sha256('a remnant'), 1)
    await keepSignature({ digest: one.digest, remnant: one.remnant }, one.bytes, { repository: made.repository, git: () => made.host.git(), files: made.files, disk: QUICK })
    expect(await signersNamed(fingerprintOfKey(A), made.host)).toEqual([ours(A, 'unnamed')])
    await expect(signersNamed('unnamed-by-anyone', made.host)).rejects.toMatchObject({ fault: 'misuse' })
  })

  it("is found in this clone's list before git's file, and in the file that the configuration names", async () => {
    const made = knowing(`me valid-before="20300101" ${text(A)}\n`)
    openSignerList(made.repository, made.files).allow({ principals: 'me', options: '', key: A })
    expect(await signersNamed('me', made.host)).toEqual([ours(A, 'me')])
    made.write('team', `you ${text(C)}\n`)
    made.files.write(join(made.repository.commonDir, 'remnant/config.json'), JSON.stringify({ schema: 'git-remnant/config/1', signers: 'team' }))
    expect(await signersNamed('you', made.host)).toEqual([ours(C, 'you')])
  })

  it.each<[string, string, string, RegExp]>([
    ['a name that nobody has', 'nobody', 'misuse', /^"nobody" is no claim and no remnant here, and no signer that is known$/],
    ['a part of a name', 'm', 'misuse', /^"m" is no claim/],
    ['a fingerprint of no known key', fingerprintOfKey(C), 'misuse', /no signer that is known$/],
    ['a folder', '.', 'misuse', /no signer that is known$/],
    ['a file that is too large', 'large', 'misuse', /no signer that is known$/],
    ['escapes', '\u001b[2Jx', 'misuse', /^"[^\u001b]*" is no claim/],
    ['who signs for git alone', 'git-only', 'refused', /^the file that names "git-only" lets it sign other things alone$/],
    ['a file that holds no public key', 'private', 'malformed', /^"private" holds no public key$/],
  ])('is not %s', async (_, name, fault, message) => {
    const made = knowing(`me ${text(A)}\ngit-only namespaces="git" ${text(B)}\n`)
    made.write('private', '-----BEGIN OPENSSH PRIVATE KEY-----\nhidden\n')
    made.write('large', `${text(C)}\n${'#'.repeat(64 * 1024)}`)
    const thrown = await signersNamed(name, made.host).catch((error: unknown) => error as { fault: string; message: string; hint: string })
    expect(thrown).toMatchObject({ fault, message: expect.stringMatching(message), hint: expect.stringMatching(/./) })
    expect(JSON.stringify(thrown)).not.toContain('hidden')
  })
})
