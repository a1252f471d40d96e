import * as z from 'zod/mini'
import { canonical, decodeUtf8, parseJson } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import { Sha256, Text, check } from '../base/schema.ts'
import { type PublicKey, keyIn } from './signer.ts'

export const SIGNATURE_SCHEMA = 'git-remnant/signature/1'
/** What `ssh-keygen -Y` is told the signature is for: one made for a commit or a file is none of ours. */
export const NAMESPACE = 'git-remnant'
export const MAX_SIGNATURE_BYTES = 32 * 1024

/** An SSH signature over a remnant's bytes: an object of its own, canonical JSON named by its digest. */
export const Signature = z.strictObject({ schema: z.literal(SIGNATURE_SCHEMA), remnant: Sha256, signature: Text })
export type Signature = z.infer<typeof Signature>

/** A signature that was read, and the key that it says it was made with. Whether it was, only `ssh-keygen` can say. */
export interface Signed {
  readonly signature: Signature
  readonly key: PublicKey
}

/** What `ssh-keygen -Y sign` printed, as an object. Throws `malformed` where it is no such signature. */
export function signatureOf(remnant: string, armored: string): { readonly digest: string; readonly bytes: Uint8Array; readonly key: PublicKey } {
  const blob = blobIn(armored)
  const key = blob === null ? null : partsOf(blob)
  if (blob === null || key === null) throw new RemnantError('malformed', 'what the signing program wrote is no SSH signature for us')
  const bytes = Buffer.from(canonical({ schema: SIGNATURE_SCHEMA, remnant, signature: armor(blob) }), 'utf8')
  if (bytes.byteLength > MAX_SIGNATURE_BYTES) throw new RemnantError('malformed', 'the signature is over 32 KiB')
  return { digest: sha256(bytes), bytes, key }
}

/** Reads stored bytes strictly. Throws `malformed`. `digest`: what they should hash to; `remnant`: whose they should be. */
export function decodeSignature(bytes: Uint8Array, digest: string, remnant: string): Signed {
  const name = `signature "${digest.slice(0, 12)}"`
  const fault = (what: string): RemnantError => new RemnantError('malformed', `${name} ${what}`)
  if (bytes.byteLength > MAX_SIGNATURE_BYTES) throw fault('is over 32 KiB')
  if (sha256(bytes) !== digest) throw fault('does not hash to its name')
  const text = decodeUtf8(bytes)
  const value = parseJson(text)
  if (canonical(value) !== text) throw fault('is not in canonical form')
  const signature = check(Signature, value, name)
  if (signature.remnant !== remnant) throw fault('lies under another remnant\'s name')
  const blob = blobIn(signature.signature)
  const parts = blob === null ? null : partsOf(blob)
  if (blob === null || parts === null || armor(blob) !== signature.signature) throw fault('holds no SSH signature for us, in its plain form')
  return { signature, key: parts }
}

const BEGIN = '-----BEGIN SSH SIGNATURE-----'
const END = '-----END SSH SIGNATURE-----'

/** As `ssh-keygen` writes it: one spelling of one signature. */
const armor = (blob: Uint8Array): string => [BEGIN, ...(Buffer.from(blob).toString('base64').match(/.{1,70}/g) ?? []), END, ''].join('\n')

function blobIn(armored: string): Uint8Array | null {
  const lines = armored.trim().split(/\r?\n/)
  if (lines[0] !== BEGIN || lines.at(-1) !== END || !lines.slice(1, -1).every((line) => /^[A-Za-z0-9+/]{1,76}={0,2}$/.test(line))) return null
  return Buffer.from(lines.slice(1, -1).join(''), 'base64')
}

/** The key of an SSHSIG blob (OpenSSH's PROTOCOL.sshsig), version 1, for our namespace; null: it is no such thing. */
function partsOf(blob: Uint8Array): PublicKey | null {
  const bytes = Buffer.from(blob)
  if (bytes.subarray(0, 6).toString('latin1') !== 'SSHSIG' || bytes.byteLength < 10 || bytes.readUInt32BE(6) !== 1) return null
  const parts: Buffer[] = []
  for (let at = 10; at < bytes.byteLength; ) {
    if (at + 4 > bytes.byteLength) return null
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.byteLength) return null
    parts.push(bytes.subarray(at + 4, end))
    at = end
  }
  const [key, namespace, reserved] = parts
  if (parts.length !== 5 || key === undefined || namespace?.toString('latin1') !== NAMESPACE || reserved?.byteLength !== 0) return null
  return keyIn(key)
}
