/** A free text of a candidate: what a rule may refuse. `field` is its path in the claim (`statement`, `effect.value`). */
export interface Prose {
  readonly field: string
  readonly text: string
}

/** One reason to refuse a statement (001, boundaries 1, 2 and 4). `stage` is the number of its stage at teardown. */
export interface Rule {
  readonly id: string
  readonly stage: 'context-independence' | 'stands-alone'
  readonly why: string
  /** How to say it so that it is admitted. */
  readonly hint: string
  /**
   * The reason, without a word of the refused text; null lets it pass. `word`: which of the rule's own words stands in it, to be said
   * to whoever wrote the text, and never kept.
   */
  refuse(prose: Prose): { readonly reason: string; readonly word?: string } | null
}

/** What a pattern of a rule's own words finds in a text: one to three plain words, so nothing that could be somebody's name or secret. */
export function foundBy(pattern: RegExp, words: string): { readonly word?: string } {
  const found = pattern.exec(words)?.[0].trim().replace(/^[.!?;:,\s]+/, '') ?? ''
  return /^[a-z]{1,12}(?:'[a-z]{1,3})?(?: [a-z]{1,12}){0,2}$/i.test(found) ? { word: found.toLowerCase() } : {}
}

/** What stands for a quoted name in a text's own words. */
export const NAME = '\u2603'

/**
 * A text's own words: what stands in backticks or quotes is a name, and becomes one sign. Of a command between backticks
 * the shell's own quotes may hold backticks too, where the text is one of our templates. Of a text that is longer than
 * any statement may be, the beginning.
 */
export function wordsOf(whole: string): string {
  const text = whole.slice(0, LONGEST)
  const own = TEMPLATE.exec(text)
  if (own !== null) return `${NAME} ${own[1]} ${NAME}`
  return withoutCode(text)
    .replace(/"[^"\n]{0,500}"|\u201c[^\u201d\n]{0,500}\u201d|\u00ab[^\u00bb\n]{0,500}\u00bb|\u201e[^\u201c\u201d\n]{0,500}[\u201c\u201d]/g, NAME)
    .replace(/(?<![\p{L}\p{N}])'[^'\n]{1,200}'(?![\p{L}\p{N}])/gu, NAME)
    .replace(/[\u2018\u2019]/g, "'")
}

const LONGEST = 2000
const TEMPLATE = /^`(?:[^`'\\]|\\[^]|'[^']*')+` (is a gate of|passes in) `[^`]+`$/

/** Code spans end at the next run of as many backticks as they began with (as in CommonMark). */
function withoutCode(text: string): string {
  const fences = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }))
  const later = new Map<number, number>()
  const closing = fences.map(() => -1)
  for (let i = fences.length - 1; i >= 0; i--) {
    const { length } = fences[i] as { length: number }
    closing[i] = later.get(length) ?? -1
    later.set(length, i)
  }
  let out = ''
  let from = 0
  for (let i = 0; i < fences.length; i++) {
    const end = fences[closing[i] ?? -1]
    if (end === undefined) continue
    out += text.slice(from, fences[i]?.index) + NAME
    from = end.index + end.length
    i = closing[i] as number
  }
  return out + text.slice(from)
}

/** Whether a text is provably in another language than English, so that rules about English words say nothing of it. */
export function isForeign(words: string): boolean {
  const letters = words.match(/\p{L}/gu) ?? []
  if (letters.length === 0) return false
  const latin = words.match(/\p{Script=Latin}/gu) ?? []
  if (latin.length * 2 < letters.length) return true
  const own = words.toLowerCase().match(/[\p{L}']+/gu) ?? []
  return own.filter((word) => FOREIGN.has(word)).length >= 2 && !own.some((word) => ENGLISH.has(word))
}

const ENGLISH = new Set("the is are of and if it that this with must not to i you we for when from be i'm let's".split(' '))
const FOREIGN = new Set(
  (
    'der das ein eine einer einen den dem ist sind und nicht wird werden mit für von zu im auf wenn muss braucht ' +
    'le la les un une des du est sont et pas pour dans avec sur que qui il doit ce cette ' +
    'el los las una es son no se para con por del en si debe que al ' +
    'il lo gli una è sono non per con della di che deve se nel ' +
    'o os as um uma é são não para com do da em se deve ' +
    'het een van de niet met voor op zijn wordt als moet en'
  ).split(' '),
)

/** The sentences of a text's own words. */
export const sentencesOf = (words: string): string[] =>
  words
    .split(/(?<=[.!?])(?<!\b(?:e\.g|i\.e|vs|cf|no|approx|etc)\.)\s+(?=[\p{Lu}\u2603"(])|\n+/u)
    .map((sentence) => sentence.replace(/^\s*(?:[-*\u2022]\s+|\d+[.)]\s+)/, '').trim())
    .filter((sentence) => sentence !== '')
