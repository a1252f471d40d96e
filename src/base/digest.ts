import { createHash, hash } from 'node:crypto'
import { canonical } from './canonical.ts'

/** Lower-case hex SHA-256 of bytes, or of a text's UTF-8. */
export const sha256 = (data: string | Uint8Array): string => hash('sha256', data)

/** The same of a text that comes in parts, each well-formed. */
export function sha256InParts(): { add(part: string): void; end(): string } {
  const hash = createHash('sha256')
  return { add: (part) => void hash.update(part), end: () => hash.digest('hex') }
}

/** SHA-256 of a value's canonical bytes (RFC 8785). */
export const digestOf = (value: unknown): string => sha256(canonical(value))

/** How a git repository names its objects; an ordinary one by SHA-1. */
export type ObjectFormat = 'sha1' | 'sha256'

/** The id that git gives to an object, hex: 40 digits by SHA-1, 64 by SHA-256. */
export const objectId = (type: 'blob' | 'tree' | 'commit', bytes: Uint8Array, format: ObjectFormat): string =>
  createHash(format).update(`${type} ${bytes.byteLength}\0`).update(bytes).digest('hex')

/** Git's blob id of a content; as in an ordinary repository, unless another format is named. */
export const blobId = (content: string | Uint8Array, format: ObjectFormat = 'sha1'): string =>
  objectId('blob', typeof content === 'string' ? Buffer.from(content, 'utf8') : content, format)

export const HEX_64 = /^[0-9a-f]{64}$/
/** The form of an object's id in a repository of this format. */
export const oidForm = (format: ObjectFormat): string => (format === 'sha1' ? '[0-9a-f]{40}' : '[0-9a-f]{64}')
export const HEX_OID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/
