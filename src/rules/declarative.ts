import { NAME, type Rule, isForeign, sentencesOf, wordsOf } from '../model/rule.ts'
import { BASES } from './declarative/verbs.ts'
import { AUXILIARIES, DETERMINERS, INTRANSITIVE, IRREGULAR_PAST, MORE_NOUNS, NOUNS_TOO, PARTICIPLE_AFTER, PLURALS, PREPOSITIONS, SAME_PARTICIPLE } from './declarative/words.ts'

export default {
  id: 'declarative',
  stage: 'stands-alone',
  hint: 'say it as SUBJECT VERB …, in the present tense, with names of code in backquotes: "`parse` drops the sign of the zone"',
  why: 'Only a declarative sentence or an if-then can be true or false by itself (001, boundary 2).',
  refuse: ({ field, text }) => {
    const words = wordsOf(text)
    const sentences = sentencesOf(words)
    if (!/[\p{L}\p{N}]/u.test(words.replaceAll(NAME, ''))) return { reason: 'is empty, or nothing but a name' }
    if (/[?？¿؟]/.test(words)) return { reason: 'is a question' }
    if (isForeign(words)) return null
    if (sentences.length > 2) return { reason: 'is more than two sentences' }
    if (field === 'root_cause_invariant' && sentences.length === 1 && MECHANISM.test(sentences[0] as string)) return null
    return sentences.map(faultIn).find((fault) => fault !== null) ?? null
  },
} satisfies Rule

/** A cause may be named by its mechanism and its place, as document 004 does: "race condition on shared dict access". */
const MECHANISM =
  /^(?:an? |the )?(?![\w-]+ (?:the|an?|this|that|its|all|any|each|every|some|our|my)\b)(?:[\w-]{1,30} ){0,2}(?:races?(?: condition)?|deadlock|livelock|(?:over|under)flow|off-by-one(?: error)?|dereference|mismatch|collision|regression|use-after-free|double free|(?:memory |handle |connection )?leak|typo|recursion|truncation|injection|precedence|shadowing|starvation) (?:on|in|at|of|between|by|with|within|during|inside|through) (?=\S)(?![^.!]*\b(?:maybe|probably|perhaps)\b)[^?!]{1,300}$/i

type Fault = { readonly reason: string }

function faultIn(sentence: string): Fault | null {
  if (/!\s*$/.test(sentence)) return { reason: 'is an exclamation' }
  const words = sentence.replace(/^(?:[A-Z][\w-]{0,30}:\s+)/, '').match(WORD) ?? []
  const [first = '', second = ''] = words.map((word) => word.toLowerCase())
  if (QUESTION.has(first)) return { reason: 'is a question, or a part of one' }
  if (LEANING.has(first)) return { reason: 'leans on a sentence before it' }
  if (ORDERS.has(first) || (ADVERBS.has(first) && isBase(second))) return { reason: 'is an order, not a statement' }
  if (CONDITIONS.has(first)) return isCondition(sentence, words) ? null : { reason: 'is a condition without its consequence' }
  if (isOrder(words)) return { reason: 'is an order, not a statement' }
  return hasPredicate(mainClause(words)) ? null : { reason: 'is no sentence: it has no verb with a subject' }
}

// Words with inner signs (`foo-bar`, `v1.2`, `a/b`) are one word; a comma and its kind stay as signs.
const WORD = /[,;:]|[\p{L}\p{N}\u2603@$%#&+~*][\p{L}\p{N}\u2603@$%#&+~*'_./\\=-]*[\p{L}\p{N}\u2603*+#%]|[\p{L}\p{N}\u2603]|--?[\w-]+/gu

const QUESTION = new Set('why how what who whom whose which whether is are was were do does did has have had can could should would will shall may might must'.split(' '))
const LEANING = new Set('and but so or then also however therefore thus hence otherwise instead still yet plus anyway besides moreover furthermore consequently additionally likewise'.split(' '))
const ORDERS = new Set("please don't never always do ok okay sure great done perfect alright hmm ah oh thanks sorry yes yep nope note remember beware ensure avoid try".split(' '))
const ADVERBS = new Set('just simply first next only now better best'.split(' '))
const CONDITIONS = new Set('if when whenever unless once while because since although though where wherever until before after without'.split(' '))

/** `If X, Y`: both halves stand, and one of them says something. The consequence may be an order. */
function isCondition(sentence: string, words: readonly string[]): boolean {
  const comma = /,|\bthen\b/i.exec(sentence)
  if (comma === null) return words.filter((_, i) => i > 1 && isFiniteAt(words, i)).length >= 2
  const before = sentence.slice(0, comma.index).match(WORD) ?? []
  const after = sentence.slice(comma.index + comma[0].length).match(WORD) ?? []
  const consequence = after.filter((word) => !/^(?:[,;:]|then)$/i.test(word))
  if (before.length < 2 || consequence.length < 2) return false
  return hasPredicate(mainClause(consequence)) || (/^(?:if|when|whenever|unless)$/i.test(before[0] ?? '') && hasPredicate(before.slice(1)) && isOrder(consequence))
}

/** A base form first, and no verb with a subject after it in the same clause: `Use X`, `Run X before Y`. */
function isOrder(words: readonly string[]): boolean {
  const [first = '', second = ''] = words.map((word) => word.toLowerCase())
  if (!isBase(first)) return false
  if (DETERMINERS.has(second) && !['all', 'no'].includes(second)) return true
  return !hasPredicate(mainClause(words))
}

/** Up to the first subordinate clause. */
function mainClause(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => i > 0 && SUBORDINATE.has(word.toLowerCase()))
  return at === -1 ? words : words.slice(0, at)
}

const SUBORDINATE = new Set('if when whenever unless because since although though while whereas so until before after where once ; :'.split(' '))

/** A finite verb that has a word before it which can be its subject, and that is not the verb of a relative clause ("the file that holds the keys"). */
function hasPredicate(words: readonly string[]): boolean {
  let relative = false
  for (let i = 1; i < words.length; i++) {
    if (RELATIVE.has(wordAt(words, i))) relative = true
    else if (relative && RELATIVE.has(wordAt(words, i - 1)) && (isBase(wordAt(words, i)) || /ed$/.test(wordAt(words, i)))) relative = false
    else if (isFiniteAt(words, i)) {
      if (!relative) return true
      relative = false
    }
  }
  return false
}

const RELATIVE = new Set('that which who whose where'.split(' '))

function isFiniteAt(words: readonly string[], i: number): boolean {
  const [before, word, after] = [wordAt(words, i - 1), wordAt(words, i), wordAt(words, i + 1)]
  if (NO_SUBJECT.has(before)) return false
  if (AUXILIARIES.has(word)) return true
  // "The lock held by the worker", "the values read from the file", "the failing runs"
  if ((after === 'by' && (IRREGULAR_PAST.has(word) || SAME_PARTICIPLE.has(word))) || (/(?:ing|ed)$/.test(before) && DETERMINERS.has(wordAt(words, i - 2)) && after === '')) return false
  if (SAME_PARTICIPLE.has(word) && PREPOSITIONS.has(after) && DETERMINERS.has(wordAt(words, 0))) return false
  if (IRREGULAR_PAST.has(word) || (SAME_PARTICIPLE.has(word) && DETERMINERS.has(after) && (DETERMINERS.has(wordAt(words, i - 2)) || before === 'never'))) return true
  if (isPast(words, i)) return true
  // After a name any word in -s is its verb: "`a` frobnicates `b`".
  if (before === NAME && /^[a-z]{2,}[^su]s$/.test(word)) return true
  if (isThird(word) && MORE_NOUNS.has(word)) return before === NAME || before.endsWith('ly') || takesObject(after) || (DETERMINERS.has(wordAt(words, i - 2)) && !/(?:ing|ed|ous|ive|al|ic|able|less|ful|ary)$/.test(before))
  if (isThird(word)) return !NOUNS_TOO.has(word) || (after !== '' && !PREPOSITIONS.has(after) && !/(?:ing|ed)$/.test(before))
  // A base form is a verb after a plural: "tests run", "`a` and `b` share", "workers never share".
  if (!isBase(word)) return false
  const [subject, adverb] = [wordAt(words, i - 2), /^(?:always|never|only|also|both|all)$/.test(before)]
  if (isPlural(before) || (before === NAME && subject === 'and') || (adverb && isPlural(subject))) return true
  return headIsPlural(words, i) && takesObject(after)
}

/**
 * A verb in -ed with its subject before it and an object behind: "The function subtracted its second argument". Without an object
 * it may be a participle ("files created by the tool"), unless the verb takes none.
 */
function isPast(words: readonly string[], i: number): boolean {
  const [word, after] = [wordAt(words, i), wordAt(words, i + 1)]
  const before = subjectBefore(words, i)
  if (!isPastForm(word) || before === '' || DETERMINERS.has(before) || PREPOSITIONS.has(before) || PARTICIPLE_AFTER.has(before) || before.endsWith('ed')) return false
  if (INTRANSITIVE.has(word)) return true
  if (before.endsWith('ing')) return false
  if (after === NAME || DETERMINERS.has(after) || VALUE.test(after) || /^[A-Z]/.test(words[i + 1] ?? '')) return true
  if (isPlural(after) && DETERMINERS.has(wordAt(words, 0)) && RELATIVE.has(wordAt(words, i + 2))) return true
  return (DETERMINERS.has(wordAt(words, 0)) || wordAt(words, 0) === NAME) && after !== '' && !PREPOSITIONS.has(after) && !/^(?:[,;:]|and|or|that|which|is|are|was|were|has|have|must|can|cannot|may|yesterday|today|earlier|later|here|there|upstream|downstream)$|(?:ly|ing)$/.test(after) && !words.slice(i + 1).some((_, n) => isFiniteAt(words, i + 1 + n))
}

/** The word that an adverb may stand behind: "the parser silently dropped", "the loop never reset". */
const subjectBefore = (words: readonly string[], i: number): string => wordAt(words, i - (i > 1 && /^(?:never|always|only|also)$|ly$/.test(wordAt(words, i - 1)) ? 2 : 1))
/** What can only be an object. */
const VALUE = /^(?:\d[\w.]*|only|nothing|everything|anything|no|two|three|both|zero|one|null|nil|none|nan|infinity|undefined|true|false|it|them|itself|themselves)$/

function isPastForm(word: string): boolean {
  if (!/^[a-z]{2,}ed$/.test(word)) return false
  const stem = word.slice(0, -2)
  return isBase(stem) || isBase(word.slice(0, -1)) || (/([b-df-hj-np-tv-z])\1$/.test(stem) && isBase(stem.slice(0, -1))) || (stem.endsWith('i') && isBase(`${stem.slice(0, -1)}y`))
}

/** "Commits to `main` need a review": the plural stands at the sentence's head. */
const headIsPlural = (words: readonly string[], i: number): boolean => i > 2 && (isPlural(wordAt(words, 0)) || (DETERMINERS.has(wordAt(words, 0)) && i > 3 && isPlural(wordAt(words, 1))))
const takesObject = (after: string): boolean => after === NAME || /^(?:only|never|\d+)$/.test(after) || DETERMINERS.has(after)

const wordAt = (words: readonly string[], i: number): string => (words[i] ?? '').toLowerCase()
const isPlural = (word: string): boolean => (/\w{2}[^su]s$/.test(word) && !AUXILIARIES.has(word)) || PLURALS.has(word)

const NO_SUBJECT = new Set([...PREPOSITIONS, ...'the a an and or every each any no its their ; : not'.split(' ')])

const isBase = (word: string): boolean => BASES.has(word)

/** The third person of a verb that is known, or that only a verb's ending can make. */
function isThird(word: string): boolean {
  if (/^[a-z]{3,}(?:izes|ifies|olves|eives)$/.test(word)) return true
  if (!word.endsWith('s')) return false
  return isBase(word.slice(0, -1)) || (word.endsWith('es') && isBase(word.slice(0, -2))) || (word.endsWith('ies') && isBase(`${word.slice(0, -3)}y`))
}
