import { NAME, type Rule, isForeign, sentencesOf, wordsOf } from '../model/rule.ts'

export default {
  id: 'declarative',
  stage: 'stands-alone',
  why: 'Only a declarative sentence or an if-then can be true or false by itself (001, boundary 2).',
  refuse: ({ text }) => {
    const words = wordsOf(text)
    const sentences = sentencesOf(words)
    if (!/[\p{L}\p{N}]/u.test(words.replaceAll(NAME, ''))) return { reason: 'is empty, or nothing but a name' }
    if (/[?？¿؟]/.test(words)) return { reason: 'is a question' }
    if (isForeign(words)) return null
    if (sentences.length > 2) return { reason: 'is more than two sentences' }
    return sentences.map(faultIn).find((fault) => fault !== null) ?? null
  },
} satisfies Rule

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
const DETERMINERS = new Set('the a an this that these those my your our its their all every each any some no'.split(' '))

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
  if (AUXILIARIES.has(word) || IRREGULAR_PAST.has(word)) return true
  // After a name any word in -s is its verb: "`a` frobnicates `b`".
  if (before === NAME && /^[a-z]{2,}[^su]s$/.test(word)) return true
  if (isThird(word)) return !NOUNS_TOO.has(word) || (after !== '' && !PREPOSITIONS.has(after) && !/(?:ing|ed)$/.test(before))
  // A base form is a verb after a plural: "tests run", "`a` and `b` share", "workers never share".
  if (!isBase(word)) return false
  const [subject, adverb] = [wordAt(words, i - 2), /^(?:always|never|only|also|both|all)$/.test(before)]
  if (isPlural(before) || (before === NAME && subject === 'and') || (adverb && isPlural(subject))) return true
  return headIsPlural(words, i) && takesObject(after)
}

/** "Commits to `main` need a review": the plural stands at the sentence's head. */
const headIsPlural = (words: readonly string[], i: number): boolean => i > 2 && (isPlural(wordAt(words, 0)) || (DETERMINERS.has(wordAt(words, 0)) && i > 3 && isPlural(wordAt(words, 1))))
const takesObject = (after: string): boolean => after === NAME || /^(?:only|never|\d+)$/.test(after) || DETERMINERS.has(after)

const wordAt = (words: readonly string[], i: number): string => (words[i] ?? '').toLowerCase()
const isPlural = (word: string): boolean => (/\w{2}[^su]s$/.test(word) && !AUXILIARIES.has(word)) || PLURALS.has(word)

const PREPOSITIONS = new Set('of in on for with from by at into to than per as via under over between'.split(' '))
const NO_SUBJECT = new Set([...PREPOSITIONS, ...'the a an and or every each any no its their ; : not'.split(' ')])
const NOUNS_TOO = new Set(
  'tests builds checks calls types results requests releases logs locks links lists names notes imports exports hooks commits records references steps tags versions branches queries reports filters formats values files changes'.split(' '),
)
const PLURALS = new Set('people data children both most many few types those these'.split(' '))

const AUXILIARIES = new Set(
  "is are was were am be has have had do does did can cannot can't could must shall should will would may might isn't aren't wasn't weren't doesn't don't didn't hasn't haven't won't mustn't shouldn't couldn't wouldn't needn't".split(
    ' ',
  ),
)
const IRREGULAR_PAST = new Set('came went took gave became began broke chose fell got held kept led left lost made meant ran saw sent stood threw told won wrote'.split(' '))

const BASES = new Set(
  (
    'accept accompany access act activate add address admit affect agree align allocate allow alter answer appear append apply ' +
    'approve archive ask assert assign assume attach attempt authenticate authorize avoid back backfill begin behave belong bind ' +
    'block boot branch break bring buffer build bump bundle bypass cache call cancel cap carry cascade catch cause change check ' +
    'choose claim clash clean clear clone close coerce collapse collect collide combine come commit compare compile complete ' +
    'compress compute concatenate configure conflict connect consist constrain construct consume contain continue control convert ' +
    'copy correspond cost count cover crash create cross cut deactivate debounce decide declare decline decode decrypt dedupe ' +
    'default define defer delay delegate delete deliver demand deny depend deploy deprecate deref derive describe deserialize ' +
    'detect determine differ disable disallow discard disconnect display distinguish divide document download draw drive drop dump ' +
    'duplicate echo edit eject emit employ enable encode encrypt end enforce enqueue ensure enter enumerate equal escape establish ' +
    'evaluate exceed except exclude execute exist exit expand expect expire explain export expose extend extract face fail fall ' +
    'fetch fill filter find finish fire fit flag flatten flow flush follow forbid force fork form format forward freeze generate ' +
    'get give go govern grant group grow guarantee guard halt handle hang happen hash have hide hit hold honor honour host ' +
    'identify ignore implement imply import include increase increment indicate infer inherit initialize initialise inject inline ' +
    'insert inspect install instantiate intercept interpolate interpret introduce invalidate invoke involve isolate iterate join ' +
    'keep kill know label lack last launch lead leak leave let lie limit link lint list listen live load locate lock log look lose ' +
    'lower maintain make manage mandate map mark mask match matter mean measure memoize merge migrate minify mirror miss mock ' +
    'modify monitor mount move multiply mutate name need negotiate nest normalise normalize notify obey observe obtain occupy ' +
    'occur omit open operate opt order outlive output outrank overlap override overrun overwrite own pack pad paginate parse ' +
    'partition pass patch perform permit persist pick pin pipe place poll pop populate point precede prefer prefix prepend ' +
    'preserve prevent print proceed process produce prohibit promise propagate protect prove provide proxy prune publish pull ' +
    'purge push put query queue quit quote raise rank reach react read rebase rebuild receive recognise recognize record recover ' +
    'recurse redirect reduce refer reference refresh refuse register reject release reload rely remain remove rename render ' +
    'reorder repeat replace report represent request require reserve reset resolve respect respond rest restart restore restrict ' +
    'result resume retain retry return reuse reveal revert rewrite rise roll rotate round route run sanitize satisfy save say ' +
    'scale scan schedule scope score seal search see seed select send separate serialise serialize serve set shadow share ship ' +
    'show shrink shut sign signal silence simulate sit skip sleep slow sort source span spawn specify split stage stand start ' +
    'state stay stem step stop store stream strip subscribe succeed suffice supersede supply support suppress survive swallow swap ' +
    'switch symlink sync synchronize tag take target tell terminate test throttle throw tie time toggle tolerate touch trace track ' +
    'transform translate transpile traverse treat trigger trim truncate trust turn type unlock unmount unpack unwrap update ' +
    'upgrade upload use validate vary verify version violate visit wait walk want warn watch weigh widen win work wrap write yield ' +
    'zip'
  ).split(' '),
)
const isBase = (word: string): boolean => BASES.has(word)

/** The third person of a verb that is known, or that only a verb's ending can make. */
function isThird(word: string): boolean {
  if (/^[a-z]{3,}(?:izes|ifies|olves|eives)$/.test(word)) return true
  if (!word.endsWith('s')) return false
  return isBase(word.slice(0, -1)) || (word.endsWith('es') && isBase(word.slice(0, -2))) || (word.endsWith('ies') && isBase(`${word.slice(0, -3)}y`))
}
