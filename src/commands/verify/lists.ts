import { join } from 'node:path'
import { objectOf } from '../../base/json.ts'
import type { Files } from '../../host/files.ts'
import { JournalKeys, JournalLine } from '../../model/observation.ts'
import { publicKeyIn, signerIn } from '../../model/signer.ts'

/** A file of this clone that is appended to, a record a line. `path`: under `remnant/` in the common git directory. */
export interface List extends Form {
  readonly path: string
}

interface Form {
  isLine(line: string): boolean
  /** Whether a crash may have left it of a line: only what such a line begins with, and not all of it. */
  isCut(line: string): boolean
}

export function lists(top: string, files: Files): List[] {
  const within = (folder: string, name: RegExp, form: Form): List[] =>
    files.list(join(top, folder)).flatMap((entry) => (entry.kind === 'file' && name.test(entry.name) ? [{ path: `${folder}/${entry.name}`, ...form }] : []))
  return [
    { path: 'own', ...like(ID, `?${ID}`) },
    { path: 'reported', ...like(ID) },
    { path: 'approvals', ...like(...['allow', 'deny'].flatMap((word) => [`${word} command ${ID}`, `${word} config ${ID}`])) },
    { path: 'signers', isLine: isSigner, isCut: isCutSigner },
    { path: 'proofs', ...like(...OUTCOMES.flatMap((outcome) => [ID, SHA1].flatMap((commit) => [ID, '-'].map((red) => `${ID} ${commit} ${outcome} ${red}`)))) },
    ...['reds', 'parts'].map((path) => ({ path, ...like(`${ID} ${ID}`) })),
    ...within('sent', /^[0-9a-f]{32}$/, like(`refs/remnants/${ID}`, `refs/remnants/sig/${ID}/${ID}`)),
    ...within('journals', /\.jsonl$/, { isLine: isJournalLine, isCut: isCutJson }),
    ...within('sealed', /\.jsonl$/, { isLine: isJournalLine, isCut: isCutJson }),
    ...within('purged', /\.jsonl$/, { isLine: isJsonObject, isCut: isCutJson }),
  ]
}

/** Stands for a hex digit in a pattern. */
const DIGIT = '#'
const ID = DIGIT.repeat(64)
const SHA1 = DIGIT.repeat(40)
const OUTCOMES = ['PROVEN', 'VACUOUS', 'STILL_RED', 'FLAKY', 'INFRA_FAILURE'] as const

/** Lines of one of these patterns. */
function like(...patterns: readonly string[]): Form {
  const begins = (line: string, pattern: string): boolean => [...line].every((character, i) => (pattern[i] === DIGIT ? /[0-9a-f]/.test(character) : character === pattern[i]))
  return {
    isLine: (line) => patterns.some((pattern) => line.length === pattern.length && begins(line, pattern)),
    isCut: (line) => patterns.some((pattern) => line.length < pattern.length && begins(line, pattern)),
  }
}

function isSigner(line: string): boolean {
  const [, decision, rest = ''] = /^(allow|deny) (.*)$/.exec(line) ?? []
  return decision === 'allow' ? signerIn(rest) !== null : decision === 'deny' && publicKeyIn(rest) !== null
}

/** `allow PRINCIPALS [OPTIONS] TYPE BASE64` or `deny TYPE BASE64`, as far as it came; of a name that is odd nobody says that it was cut. */
const isCutSigner = (line: string): boolean => !isSigner(line) && CUT_SIGNER.test(line)

const beginnings = (...words: readonly string[]): string => `(?:${words.flatMap((word) => [...word].map((_, i) => word.slice(0, i + 1))).join('|')})`
const [TYPE, OPTION] = ['(?:ssh|sk-ssh|ecdsa|sk-ecdsa)-', '(?:cert-authority|(?:namespaces|valid-after|valid-before)=(?:"[^"]*"|[^",\\s]*))']
const KEY = `(?:${beginnings('ssh-', 'sk-ssh-', 'ecdsa-', 'sk-ecdsa-')}|${TYPE}[A-Za-z0-9@.-]{1,80}(?: [A-Za-z0-9+/]*={0,2})?)`
const OPTIONS = `(?:${OPTION},)*(?:${OPTION}|${beginnings('cert-authority', 'namespaces', 'valid-after', 'valid-before')}|(?:namespaces|valid-after|valid-before)="[^"]*)?`
const CUT_SIGNER = new RegExp(`^(?:${beginnings('allow ', 'deny ')}|deny ${KEY}|allow [\\p{L}\\p{N}@.,*?!+_-]+(?: (?:${OPTIONS}|(?:${OPTION}(?:,${OPTION})* )?${KEY}?))?)$`, 'u')

function isJournalLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return JournalLine.safeParse(value).success || JournalKeys.safeParse(value).success
  } catch {
    return false
  }
}

/** Whether text begins as a JSON object does and wants nothing but an end. */
function isCutJson(text: string): boolean {
  if (!text.startsWith('{')) return false
  const open: string[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.unshift(token === '{' ? '}' : ']')
    else if (token === '}' || token === ']') open.shift()
    else if (token.length === 1 || !/^"(?:[^"\\]|\\.)*"$/.test(token)) open.unshift('"')
    if (open.length === 0) return false
  }
  const ends = open[0] === '"' ? STRING_ENDS : VALUE_ENDS
  const closing = open.filter((one) => one !== '"').join('')
  return ends.some((end) => isJsonObject(`${text}${end}${closing}`))
}

/** What a string that was cut, by itself or within an escape, may want; it may be the name of a field too. */
const STRING_ENDS = ['"', '\\"', '0"', '00"', '000"', '0000"'].flatMap((end) => [end, `${end}:0`])
const VALUE_ENDS = ['', '0', ':0', '"":0', 'rue', 'ue', 'e', 'alse', 'lse', 'se', 'ull', 'll', 'l']

export function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return objectOf(value as never) === value
  } catch {
    return false
  }
}
