import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'high-entropy',
  why: 'A long run of characters that no person would have chosen is most likely a credential, whoever issued it.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) =>
    spansOf(text, RUN).filter(({ start, end }) => {
      const before = text.slice(Math.max(0, start - 10), start)
      // The letter of an escaped line end (`\\n`) is no part of the run.
      const from = before.endsWith('\\') ? start + 1 : start
      return !/(?:sha\d{1,3}[-:]|h1:)$/i.test(before) && isRandom(text.slice(from, end))
    }),
} satisfies Ephemeron

const RUN = /[A-Za-z0-9_+/=.-]{20,}/g
const DIGEST = /^(?:sha\d{1,3}-|\/nix\/store\/)/i
/** A linker's name of a C++ function. */
const MANGLED = /^_{1,3}Z(?:[NTGSKL]|\d)[\w.]*$/
const LEAST_BITS = 3.5

function isRandom(run: string): boolean {
  if (DIGEST.test(run) || MANGLED.test(run) || bitsOf(run) < LEAST_BITS) return false
  const pieces = run.split(/[^A-Za-z0-9]+/).filter((piece) => piece !== '' && !isHexId(piece))
  const longest = pieces.reduce((most, piece) => (piece.length > most.length ? piece : most), '')
  return (longest.length >= 8 && isMixed(pieces) && isMixed([longest])) || (longest.length >= 16 && isMixed([longest]))
}

/** Git ids and digests in hex: they name a content, and open nothing. */
const isHexId = (piece: string): boolean => /^(?:[0-9a-f]{7,128}|[0-9A-F]{7,128})$/.test(piece)

/** Names are made of words, which seldom change between small letters, capitals and digits; random text changes all the time. */
function isMixed(pieces: readonly string[]): boolean {
  const text = pieces.join('')
  const changes = pieces.reduce((sum, piece) => sum + changesIn(piece), 0)
  if (text.length < 8 || changes < 4) return false
  const rate = changes / text.length
  const [digits, capitals] = [shareOf(text, /\d/g), shareOf(text, /[A-Z]/g)]
  if (capitals === 0 || capitals + digits === 1) return rate >= 0.27
  if (digits === 0) return rate >= 0.48 && capitals > 0.35
  return rate >= 0.36 && (digits * text.length >= 2 || capitals > 0.35)
}

const shareOf = (text: string, kind: RegExp): number => (text.match(kind)?.length ?? 0) / text.length

function changesIn(piece: string): number {
  let changes = 0
  for (let i = 1; i < piece.length; i++) if (classOf(piece, i) !== classOf(piece, i - 1)) changes += 1
  return changes
}

const classOf = (text: string, i: number): string => {
  const c = text.charAt(i)
  return c >= 'a' ? 'small' : c >= 'A' ? 'capital' : 'digit'
}

/** Shannon's measure, in bits a character. */
function bitsOf(text: string): number {
  const counts = new Map<string, number>()
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1)
  return [...counts.values()].reduce((bits, n) => bits - (n / text.length) * Math.log2(n / text.length), 0)
}
