import { MAX_SIGNATURE } from '../model/claim.ts'
import type { Ephemeron, SessionWorld, Span } from '../model/ephemeron.ts'

export interface Signature {
  /** At most 2,000 characters; its lines in the order in which they came. */
  readonly signature: string
  /** How many of each kind were taken out, sorted by kind. */
  readonly stripped: ReadonlyMap<string, number>
}

/**
 * A failure's own lines made comparable (DESIGN "error signature"): one fault under another path, time, line or process
 * gives one signature, another error code, message, file or test another. Deterministic and idempotent.
 * null: nothing is left.
 */
export async function signatureOf(lines: readonly string[], session: SessionWorld, ephemera: readonly Ephemeron[]): Promise<Signature | null> {
  const counts = new Map<string, number>()
  let text = bounded(lines)
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = cut(tidy(await stripped(text, session, ephemera, counts)))
    if (next === text) break
    text = next
  }
  if (!/[^\s\p{P}]/u.test(text)) return null
  return { signature: text, stripped: new Map([...counts].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

/** The text with every path under the session's repository relative to it, and the repository's own folder as `.`. */
export function rootRelative(text: string, { root }: SessionWorld): string {
  if (root === null || root.replace(/[\\/]+$/, '').length < 2) return text
  return text.replace(patternOf(root), (found: string) => (/[\\/]$/.test(found) ? '' : '.'))
}

/** The home or temporary folder above the repository, where its name would end too early for whoever does not know it, under a plain name. */
function plainAround(text: string, { root }: SessionWorld): string {
  const found = /^((?:\/private)?(?:\/var)?\/tmp|\/(?:home|Users)|[A-Za-z]:[\\/]Users)[\\/]([^\\/]+)/.exec(root ?? '')
  if (found === null || /^[\w.@+-]+$/.test(found[2] as string)) return text
  return text.replace(patternOf(found[0]), (whole: string) => `${found[1]}/plain${/[\\/]$/.test(whole) ? '/' : ''}`)
}

// What a replacement leaves behind may join into something that is found only then; three passes have always been enough.
const MOST_PASSES = 6
const MOST_INPUT = 20_000

/** Whole lines up to a limit, so that a hostile output costs no more than a long one. */
function bounded(lines: readonly string[]): string {
  const kept: string[] = []
  let left = MOST_INPUT
  for (const line of lines.flatMap((one) => one.split(/\r?\n/))) {
    const shown = line.slice(line.lastIndexOf('\r') + 1).toWellFormed()
    if (shown.length > left) {
      if (kept.length === 0) kept.push(shown.slice(0, shown.lastIndexOf(' ', left) + 1))
      break
    }
    kept.push(shown)
    left -= shown.length + 1
  }
  return kept.join('\n')
}

async function stripped(text: string, session: SessionWorld, ephemera: readonly Ephemeron[], counts: Map<string, number>): Promise<string> {
  const veils = ephemera.filter(({ placeholder }) => placeholder === '')
  const rest = ephemera.filter(({ placeholder }) => placeholder !== '')
  let plain = plainAround(rootRelative(await replaced(text, session, veils, counts), session), session)
  for (const weight of ['secret', 'session', 'noise'] as const) {
    const heavy = rest.filter((one) => one.weight === weight)
    plain = await replaced(plain, session, heavy, counts)
  }
  return plain
}

interface Finding extends Span {
  readonly rank: number
  readonly ephemeron: Ephemeron
}

/** The text with all that these find replaced; `counts` gets how many of each kind. */
export async function replaced(text: string, session: SessionWorld, ephemera: readonly Ephemeron[], counts: Map<string, number>): Promise<string> {
  const found: Finding[] = []
  for (const [rank, ephemeron] of ephemera.entries())
    for (const { start, end } of await ephemeron.find(text, session)) if (end > start) found.push({ start, end, rank, ephemeron })
  let out = ''
  let from = 0
  for (const { start, end, ephemeron } of merged(found)) {
    counts.set(ephemeron.kind, (counts.get(ephemeron.kind) ?? 0) + 1)
    out += text.slice(from, start) + (ephemeron.replace?.(text.slice(start, end)) ?? ephemeron.placeholder)
    from = end
  }
  return out + text.slice(from)
}

/** Findings that overlap are one, of the kind that begins first, else is longest, else stands first in the set. */
function merged(found: Finding[]): Finding[] {
  const apart: Finding[] = []
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank)) {
    const last = apart.at(-1)
    if (last === undefined || one.start >= last.end) apart.push(one)
    else if (one.end > last.end) apart[apart.length - 1] = { ...last, end: one.end }
  }
  return apart
}

/** Each line once, its white space single. */
function tidy(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
  return [...new Set(lines.filter((line) => line !== ''))].join('\n')
}

function cut(text: string): string {
  if (text.length <= MAX_SIGNATURE) return text
  const head = text.slice(0, MAX_SIGNATURE + 1)
  const at = head.lastIndexOf('\n')
  if (at > 0) return head.slice(0, at)
  const word = head.lastIndexOf(' ')
  return word > 0 ? head.slice(0, word) : head.slice(0, MAX_SIGNATURE).replace(/[\ud800-\udbff]$/, '')
}

/** `C:\x`, `C:/x` and `/c/x` are one folder, and macOS shows `/tmp` as `/private/tmp` too. */
function patternOf(root: string): RegExp {
  const parts = root.replace(/^\/private(?=\/)/, '').split(/[\\/]+/).filter((part) => part !== '')
  const drive = /^([A-Za-z]):$/.exec(parts[0] ?? '')?.[1] ?? (/^\/[A-Za-z]\//.test(root) ? parts[0] : undefined)
  const escaped = (drive === undefined ? parts : parts.slice(1)).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const head = drive === undefined ? '(?:/private)?/' : `(?:${drive}:[\\\\/]{1,2}|/${drive}/)`
  return new RegExp(
    `(?:file:\\/\\/\\/?(?=[A-Za-z]:)|file:\\/\\/|(?<![\\w.~/\\\\-])|(?<=(?:^|\\s)-[A-Za-z]))${head}${escaped.join('[\\\\/]{1,2}')}(?:[\\\\/]{1,2}(?=[^\\s\\\\/"'\`:;,)])|(?![\\w-]|\\.\\w))`,
    drive === undefined ? 'g' : 'gi',
  )
}
