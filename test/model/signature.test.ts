import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import { decodeSignature, signatureOf } from '../../src/model/signature.ts'

const part = (content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([size, bytes])
}
const KEY = Buffer.concat([part('ssh-ed25519'), part(Buffer.alloc(32, 7))])
const blob = ({ magic = 'SSHSIG', version = 1, key = KEY as Uint8Array, namespace = 'git-remnant', more = Buffer.alloc(0) as Uint8Array } = {}): Buffer => {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(version)
  return Buffer.concat([Buffer.from(magic), number, part(key), part(namespace), part(''), part('sha512'), part(Buffer.alloc(83, 1)), more])
}
const armor = (bytes: Uint8Array, width = 70): string =>
  ['-----BEGIN SSH SIGNATURE-----', ...(Buffer.from(bytes).toString('base64').match(new RegExp(`.{1,${width}}`, 'g')) ?? []), '-----END SSH SIGNATURE-----', ''].join('\n')

const REMNANT = sha256('a remnant')
const stored = (more: object): [Uint8Array, string] => {
  const bytes = Buffer.from(canonical({ schema: 'git-remnant/signature/1', remnant: REMNANT, signature: armor(blob()), ...more }))
  return [bytes, sha256(bytes)]
}

describe('a signature', () => {
  it('goes through its bytes and back, and names its key', () => {
    const { digest, bytes, key } = signatureOf(REMNANT, armor(blob()))
    expect([digest, key]).toEqual([sha256(bytes), { type: 'ssh-ed25519', blob: KEY.toString('base64') }])
    expect(decodeSignature(bytes, digest, REMNANT)).toEqual({ signature: JSON.parse(Buffer.from(bytes).toString()) as unknown, key })
  })

  it('is one object however it was wrapped', () => {
    expect(signatureOf(REMNANT, armor(blob(), 60)).digest).toBe(signatureOf(REMNANT, `${armor(blob()).replaceAll('\n', '\r\n')}`).digest)
  })

  it.each<[string, Uint8Array]>([
    ['for another namespace', blob({ namespace: 'git' })],
    ['of another version', blob({ version: 2 })],
    ['without its magic', blob({ magic: 'XXXSIG' })],
    ['with a key that is none', blob({ key: part('evil-key') })],
    ['with more behind it', blob({ more: part('more') })],
    ['cut short', blob().subarray(0, 90)],
    ['of nothing', Buffer.alloc(0)],
  ])('%s is refused', (_, bytes) => {
    expect(() => signatureOf(REMNANT, armor(bytes))).toThrow('no SSH signature for us')
    expect(() => decodeSignature(...stored({ signature: armor(bytes) }), REMNANT)).toThrow('holds no SSH signature for us, in its plain form')
  })

  it.each<[string, [Uint8Array, string], string]>([
    ['under another digest', [stored({})[0], sha256('x')], 'does not hash to its name'],
    ['of another remnant', stored({ remnant: sha256('another') }), 'lies under another remnant\'s name'],
    ['with a field of its own', stored({ key: 'x' }), 'has an unknown field'],
    ['of another schema', stored({ schema: 'git-remnant/1' }), 'has a value that is not allowed at "schema"'],
    ['in another spelling', stored({ signature: armor(blob(), 64) }), 'in its plain form'],
    ['of a size that none has', [Buffer.alloc(40_000, 32), sha256(Buffer.alloc(40_000, 32))], 'is over 32 KiB'],
  ])('%s is refused when it is read', (_, [bytes, digest], refusal) => {
    expect(() => decodeSignature(bytes, digest, REMNANT)).toThrow(refusal)
  })
})
