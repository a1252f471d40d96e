import { NAME, type Rule, foundBy, isForeign, sentencesOf, wordsOf } from '../model/rule.ts'

export default {
  id: 'not-narrative',
  stage: 'stands-alone',
  why: 'A story of what was done needs the story around it to make sense (001, boundary 2).',
  hint: 'say what holds, as SUBJECT VERB … in the present tense, and not what was done: "the lockfile needs Node 20"',
  refuse: ({ field, text }) => {
    const words = wordsOf(text)
    if (isForeign(words)) return null
    // What a program did wrong is told in the past: a cause is a story only where whoever works on it does something.
    const told = STORY.find((pattern) => pattern.test(words)) ?? (field === 'root_cause_invariant' && !WORKS.test(words) ? null : TOLD.test(words) ? TOLD : null) ?? (sentencesOf(words).some(failedOnce) ? FAILED : null)
    return told === null ? null : { reason: 'tells what happened, not what holds', ...foundBy(told, words) }
  },
} satisfies Rule

const word = (words: string, more = ''): RegExp => new RegExp(`(?<![\\w./@:$#&-])(?:${words})(?![\\w/@$#-]|[.:]\\w)${more}`, 'i')

const DID =
  'added|changed|updated|removed|deleted|renamed|moved|created|ran|reran|made|wrote|rewrote|got|saw|found|checked|tested|verified|confirmed|installed|reinstalled|upgraded|downgraded|committed|pushed|merged|reverted|rebased|refactored|replaced|edited|modified|opened|closed|asked|told|said|gave|took|showed|broke|caused|threw|returned|fixed|patched|resolved|solved|debugged|implemented|ported|bumped|cleaned|cleared|restarted|rebuilt|switched|tried|used|moved|swapped|dropped|bisected|narrowed|tracked|traced|inspected|investigated|reproduced|isolated|worked|kept|went|came|started|stopped|decided'

const STORY: readonly RegExp[] = [
  word(`(?:i|we|you|he|she|they)(?:'ve|'d| have| had| then| also| just| first| finally)? (?:${DID}|did|was|were|had|noticed|realized|realised|thought|looked|needed|wanted|discovered|expected|spent|learned|learnt|managed)`),
  word('(?:and |so |but )?then (?:i|we|it|he|she|they|you)|(?:and|so|but) then (?:the|an?) \\w+ \\w+ed'),
  word('after (?:that|this|which|some|a while|fixing|trying|changing|running (?:it|that|this))|afterwards?|subsequently|meanwhile|eventually|finally|at (?:first|last)|at some point|in the end|initially|originally|luckily|unfortunately|surprisingly|interestingly|strangely|oddly|as expected|long story short|to my surprise|back then|once again|yet again'),
  word('noticed|realized|realised|figured out|found out|discovered|stumbled|ended up|managed to|attempted|attempting|debugged|debugging (?:showed|revealed)|(?<!\\b(?:is|are|be|being) )decided|gave up|worked around|went (?:wrong|away|green|red|through|back|ahead|with|on)|came (?:back|up|across)|tracked (?:it )?down|narrowed (?:it )?down|learned|learnt'),
  word('turned out|turns out|turned (?:green|red)|it turns'),
  word('tried|tried to|trying|spent|looked (?:at|into|for|through)|played with|kept (?:failing|crashing|getting|trying|seeing)|got (?:it|the|an?|rid|stuck|past|around|back|fixed)|(?<!\\b(?:is|are|be|being|gets) )started (?:by|with|to|failing|working|seeing)|stopped (?:working|failing)|began'),
  // "a fixed port", "is fixed at" are states.
  word(`(?<!\\b(?:a|the|an|of|with|is|are|be|stays?|remains?|to|in|on|at|no|one|and|must be) )fixed`, `(?=\\s+(?:the|an?|by|it|that|this|in|with|now|up|${NAME})(?!\\w)|\\s*[.,;!]|\\s*$)`),
  word('(?:was|were|got|has been|have been|had been|been) (?:\\w+ly )?(?:fixed|debugged|refactored|reverted|tried|tested|investigated|resolved|solved|patched|worked around|reproduced|able|trying|running|looking|getting|seeing|working|failing|stuck|wrong|because|caused)'),
  word('worked (?:fine|well|on|after|before|when|until|for|in|once|again|as)|(?<!\\b(?:be|is|are|can be|being) )worked', '(?=\\s*[.,;!]|\\s*$|\\s+\\w)'),
  new RegExp(`^\\s*(?:[-*\\u2022]\\s+)?(?:(?:also|finally|first|then|just|already|successfully|manually|simply)\\s+)?(?:${DID}|noticed|realized|failed|passed|did|had|was|were)(?![\\w-]|\\.\\w)`, 'i'),
  new RegExp(`(?:the|an?|my|our|this|that) (?:${NAME} )?(?:upgrade|update|change|commit|patch|fix|refactor|refactoring|edit|rename|merge|rebase|revert|migration|cleanup) (?:of \\S{1,60} )?(?:${DID}|helped|failed|passed|did)(?!\\w)`, 'i'),
  /(?:^|[.!?]\s+)(?:first(?:ly)?|second(?:ly)?|then|so|and|but|anyway|well|okay|ok)(?:,|\s+(?:i|we|it|the|that|this|there|you|they|then)\b)/i,
  word('no luck|no dice|success!|all green|good news|bad news|works now|is (?:now )?(?:fixed|resolved|solved|done) now|(?:still|again) (?:fails?|failing|failed|broken|red|errors?|crashes|hangs)|(?:fails|failed|broke|crashed|works|passes) (?:again|now)'),
]

/** Somebody or something did it to a thing: "the job deleted the cache". */
const TOLD = new RegExp(
  `(?<!\\b(?:is|are|be|was|were|been|being|has|have|had|not|never|only|get|gets|files?|code|types?|output|${NAME}s?) )(?<![\\w./@${NAME}-])(?<!${NAME} )(?:${DID})(?= (?:the|an?|it|them|all|this|that|its|my|our|some|everything)(?!\\w))`,
  'i',
)
/** Who works on a program, and what that work is called. */
const WORKS = word('agent|assistant|model|developer|dev|reviewer|author|maintainer|colleague|teammate|team|user|somebody|someone|session|commit|patch|fix|change|update|upgrade|refactor|refactoring|merge|rebase|revert|migration|cleanup|pr|pull request')

/** `failed` as what a thing once did; not in "a failed job", "is marked failed", "if a test failed". */
const failedOnce = (sentence: string): boolean =>
  FAILED.test(sentence) && !/\b(?:if|when|whenever|unless|until|once|after|whether|that|which|where)\s/i.test(sentence.slice(0, sentence.search(/\bfailed\b/i)))

const FAILED =
  /(?<!\b(?:is|are|be|as|was|were|a|the|any|each|every|no|or|and|of|for|with|all|only|marked|last|mark|to|reports?|prints?|shows?|says?|means?) )(?<![\w./@-])failed(?![\w-])(?=\s+(?:because|with|at|on|due|again|until|to|after|before|in|for)\b|\s*[.,;!]|\s*$)/i
