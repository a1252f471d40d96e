import { sha256 } from '../base/digest.ts'

/** An SSH public key. `blob`: its base64. */
export interface PublicKey {
  readonly type: string
  readonly blob: string
}

/** A line of an `allowed_signers` file (ssh-keygen, ALLOWED SIGNERS): who, with which key, within which bounds. */
export interface Signer {
  /** A list of names and patterns, as it was written. */
  readonly principals: string
  /** Options as they were written (`namespaces="git"`, `valid-before="20270101"`); empty: none. */
  readonly options: string
  readonly key: PublicKey
}

/** `SHA256:…`, as `ssh-keygen -l` shows it. */
export const fingerprintOfKey = ({ blob }: PublicKey): string => `SHA256:${Buffer.from(sha256(Buffer.from(blob, 'base64')), 'hex').toString('base64').replace(/=+$/, '')}`

export const isSameKey = (a: PublicKey, b: PublicKey): boolean => a.blob === b.blob

/** The key in its binary form; null: it is none. */
export function keyIn(bytes: Uint8Array): PublicKey | null {
  const buffer = Buffer.from(bytes)
  if (buffer.byteLength < 8 || buffer.byteLength > MAX_KEY_BYTES) return null
  const end = 4 + buffer.readUInt32BE(0)
  const type = end > buffer.byteLength ? '' : buffer.subarray(4, end).toString('latin1')
  return TYPE.test(type) ? { type, blob: buffer.toString('base64') } : null
}

/** A key as a `.pub` file or an agent has it: `TYPE BASE64 COMMENT`, behind `key::` too. null: it is none. */
export function publicKeyIn(text: string): PublicKey | null {
  const [type = '', blob = ''] = text.replace(/^key::/, '').trim().split(/[ \t]+/, 2)
  return keyOf(type, blob)
}

/** The lines of an `allowed_signers` file. `unread`: how many lines say something else, and count for nothing. */
export function signersIn(text: string): { readonly signers: readonly Signer[]; readonly unread: number } {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  const signers = lines.flatMap((line) => signerIn(line) ?? [])
  return { signers, unread: lines.length - signers.length }
}

/** One line; null: it says something else. */
export function signerIn(line: string): Signer | null {
  if (line.length > MAX_LINE || !PRINTABLE.test(line)) return null
  const [principals = '', first = '', second = '', third = ''] = wordsOf(line)
  const plain = keyOf(first, second)
  if (principals === '') return null
  if (plain !== null) return { principals, options: '', key: plain }
  const key = keyOf(second, third)
  return key === null || !OPTIONS.test(first) ? null : { principals, options: first, key }
}

/** The line again, without its comment. */
export const lineOfSigner = ({ principals, options, key }: Signer): string => [principals, ...(options === '' ? [] : [options]), key.type, key.blob].join(' ')

/** The same for `ssh-keygen`, under a name that stands for all: which name the file has for the key is for people. */
export const lineFor = (signer: Signer): string => lineOfSigner({ ...signer, principals: ANYONE })
export const ANYONE = 'signer'

/** It vouches for the keys that it signed, whichever those are. */
export const isAuthority = ({ options }: Signer): boolean => /(?:^|,)cert-authority(?:,|$)/i.test(options)

/** Whether a line lets its key sign remnants at all; `ssh-keygen` has the last word, on patterns too. */
export function isForUs({ options }: Signer, namespace: string): boolean {
  const listed = /(?:^|,)namespaces="([^"]*)"/i.exec(options)?.[1]
  return listed === undefined || listed.split(',').some((each) => each === namespace || /[*?]/.test(each))
}

/**
 * The moments (ms) at which what a line allows may change: `valid-after`, `valid-before`. A time without `Z` is local.
 * null: one that can't be read, so that nothing may be remembered of it.
 */
export function boundariesOf({ options }: Signer): readonly number[] | null {
  const found = [...options.matchAll(/(?:^|,)valid-(?:after|before)="?([^",]*)"?/gi)].map(([, text = '']) => momentIn(text))
  return found.includes(null) ? null : (found as number[])
}

function momentIn(text: string): number | null {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = ''] = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(Z?)$/.exec(text) ?? []
  const moment = year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(moment) ? null : moment
}

function keyOf(type: string, blob: string): PublicKey | null {
  if (!TYPE.test(type) || !/^[A-Za-z0-9+/]{16,}={0,2}$/.test(blob)) return null
  const key = keyIn(Buffer.from(blob, 'base64'))
  return key !== null && key.type === type && key.blob === blob ? key : null
}

/** Words apart by blanks; within double quotes a blank is part of a word. */
function wordsOf(line: string): string[] {
  const words: string[] = []
  let word = ''
  let quoted = false
  for (const character of line) {
    if (character === '"') quoted = !quoted
    if (!quoted && (character === ' ' || character === '\t')) {
      if (word !== '') words.push(word)
      word = ''
    } else word += character
  }
  return word === '' ? words : [...words, word]
}

const MAX_KEY_BYTES = 16 * 1024
const MAX_LINE = 32 * 1024
const TYPE = /^(?:ssh|sk-ssh|ecdsa|sk-ecdsa)-[A-Za-z0-9@.-]{1,80}$/
const PRINTABLE = /^[\t\x20-\x7e\u00a0-\u{10ffff}]*$/u
const OPTIONS = /^[A-Za-z0-9@.,:="*?!_/ \t-]{1,4000}$/
