import { describe, expect, it } from 'vitest'
import { boundariesOf, fingerprintOfKey, isAuthority, isForUs, keyIn, lineFor, lineOfSigner, publicKeyIn, signerIn, signersIn } from '../../src/model/signer.ts'

const BLOB = 'AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'
const KEY = `ssh-ed25519 ${BLOB}`

describe('a public key', () => {
  it.each([KEY, `${KEY} a comment`, `key::${KEY}`, ` ${KEY}\n`])('is read out of %j', (text) => {
    expect(publicKeyIn(text)).toEqual({ type: 'ssh-ed25519', blob: BLOB })
  })

  it.each(['', 'ssh-ed25519', 'ssh-ed25519 AAAA', `ssh-rsa ${BLOB}`, `ssh-ed25519 ${BLOB}=`, `evil ${BLOB}`, '-----BEGIN OPENSSH PRIVATE KEY-----', `ssh-ed25519 ${BLOB.slice(0, -1)}g!`])('is none: %j', (text) => {
    expect(publicKeyIn(text)).toBeNull()
  })

  it('has the fingerprint that ssh-keygen shows', () => {
    expect(fingerprintOfKey({ type: 'ssh-ed25519', blob: BLOB })).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/)
    expect(keyIn(Buffer.from(BLOB, 'base64'))).toEqual({ type: 'ssh-ed25519', blob: BLOB })
    expect([keyIn(Buffer.from([0, 0, 0, 99, 1, 2, 3, 4])), keyIn(Buffer.alloc(0))]).toEqual([null, null])
  })
})

describe('a line of allowed signers', () => {
  it.each<[string, string, string]>([
    [`a@b ${KEY}`, 'a@b', ''],
    [`a@b,*@c ${KEY} comment here`, 'a@b,*@c', ''],
    [`a@b namespaces="git,git-remnant",valid-before="20300101" ${KEY}`, 'a@b', 'namespaces="git,git-remnant",valid-before="20300101"'],
    [`"a person" cert-authority ${KEY}`, '"a person"', 'cert-authority'],
  ])('%s', (line, principals, options) => {
    const signer = signerIn(line)
    expect([signer?.principals, signer?.options]).toEqual([principals, options])
    expect(signerIn(lineOfSigner(signer as never))).toEqual(signer)
    expect(lineFor(signer as never)).toBe(['signer', ...(options === '' ? [] : [options]), KEY].join(' '))
  })

  it.each(['a@b', KEY, `a@b ${BLOB}`, `a@b command="x;y" ${KEY}`, `a@b \u001b[2J ${KEY}`, `a@b ${'x'.repeat(40_000)} ${KEY}`])('says something else and counts for nothing: %.40s', (line) => {
    expect(signersIn(`# a comment\n\n${line}\n`)).toEqual({ signers: [], unread: 1 })
  })

  const withOptions = (options: string) => signerIn(`a ${options} ${KEY}`) as NonNullable<ReturnType<typeof signerIn>>
  it('is for remnants unless it names other things alone', () => {
    expect(['namespaces="git"', 'namespaces="git,git-remnant"', 'namespaces="*"', 'cert-authority'].map((options) => isForUs(withOptions(options), 'git-remnant'))).toEqual([false, true, true, true])
    expect(['cert-authority', 'namespaces="cert-authority"'].map((options) => isAuthority(withOptions(options)))).toEqual([true, false])
  })

  it.each<[string, readonly number[] | null]>([
    ['valid-before="20300102Z"', [Date.UTC(2030, 0, 2)]],
    ['valid-after="202901020304Z",valid-before="20300102030405Z"', [Date.UTC(2029, 0, 2, 3, 4), Date.UTC(2030, 0, 2, 3, 4, 5)]],
    ['namespaces="git-remnant"', []],
    ['valid-before="soon"', null],
  ])('with %s changes at %j', (options, moments) => {
    expect(boundariesOf(withOptions(options))).toEqual(moments)
  })
})
