import { createHash } from 'node:crypto'
import { canonical } from './canonical.ts'

/** Lower-case hex SHA-256 of bytes, or of a text's UTF-8. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

/** SHA-256 of a value's canonical bytes (RFC 8785). */
export const digestOf = (value: unknown): string => sha256(canonical(value))

/** Git's blob id (SHA-1) of a content, as git names it in an ordinary repository. */
export const blobId = (content: string | Uint8Array): string => {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content
  return createHash('sha1').update(`blob ${bytes.byteLength}\0`).update(bytes).digest('hex')
}

export const HEX_64 = /^[0-9a-f]{64}$/
export const HEX_OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
