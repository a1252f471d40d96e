import { describe, expect, it } from 'vitest'
import { HEX_64, HEX_OID, blobId, digestOf, sha256 } from '../../src/base/digest.ts'

describe('SHA-256', () => {
  it.each([
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %j is the published one', (text, hash) => {
    expect(sha256(text)).toBe(hash)
    expect(sha256(Buffer.from(text))).toBe(hash)
  })

  it('of a text is that of its UTF-8', () => {
    expect(sha256('é🎉')).toBe(sha256(Uint8Array.of(0xc3, 0xa9, 0xf0, 0x9f, 0x8e, 0x89)))
  })
})

it('the digest of a value is that of its canonical text', () => {
  expect(digestOf({ b: [1, 'é'], a: null })).toBe(sha256('{"a":null,"b":[1,"é"]}'))
  expect(digestOf({ a: null, b: [1, 'é'] })).toBe(digestOf({ b: [1, 'é'], a: null }))
})

describe("a blob's id", () => {
  it.each([
    ['', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'],
    ['hello\n', 'ce013625030ba8dba906f756967f9e9ca394464a'],
  ])('of %j is what git says', (content, id) => {
    expect(blobId(content)).toBe(id)
    expect(blobId(Buffer.from(content))).toBe(id)
  })

  it('counts bytes, not characters', () => {
    expect(blobId('é')).toBe(blobId(Uint8Array.of(0xc3, 0xa9)))
  })
})

it.each([
  ['a'.repeat(64), true, true],
  ['a'.repeat(40), false, true],
  ['a'.repeat(39), false, false],
  ['A'.repeat(64), false, false],
  [`${'a'.repeat(64)} `, false, false],
])('%s is a hash: %s, an object id: %s', (text, hash, id) => {
  expect(HEX_64.test(text)).toBe(hash)
  expect(HEX_OID.test(text)).toBe(id)
})
