import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import type { ObjectFormat } from '../../base/digest.ts'
import type { GitObject } from './recipe.ts'

const TYPES = { commit: 1, tree: 2, blob: 3 }

/** The objects as one pack, version 2 (gitformat-pack): no deltas, and behind it its own hash. */
export function packOf(objects: readonly GitObject[], format: ObjectFormat): Uint8Array {
  const head = Buffer.alloc(12)
  head.write('PACK', 'latin1')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(objects.length, 8)
  const hash = createHash(format).update(head)
  const parts: Uint8Array[] = [head]
  for (const { type, content } of objects) {
    // Copied: what zlib answers is the beginning of a room of 16 KiB.
    const entry = Buffer.concat([entryHead(TYPES[type], content.byteLength), deflateSync(content)])
    hash.update(entry)
    parts.push(entry)
  }
  return Buffer.concat([...parts, hash.digest()])
}

/** Type and size: four bits of the size behind the type, then seven a byte, the lowest first. */
function entryHead(type: number, size: number): Uint8Array {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes.push((bytes.pop() as number) | 128)
    bytes.push(rest & 127)
  }
  return Uint8Array.from(bytes)
}
