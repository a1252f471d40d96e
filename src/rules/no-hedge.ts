import { type Rule, foundBy, isForeign, wordsOf } from '../model/rule.ts'

export default {
  id: 'no-hedge',
  stage: 'context-independence',
  hint: 'say what a command showed, as SUBJECT VERB … in the present tense, without a doubt in it; what is not known is no claim',
  why: 'A guess that is written down becomes a fact to its reader (001, context overfitting).',
  refuse: ({ text }) => {
    const words = wordsOf(text)
    const hedge = isForeign(words) ? undefined : HEDGES.find((pattern) => pattern.test(words))
    return hedge === undefined ? null : { reason: 'is held with reserve: a guess is no fact', ...foundBy(hedge, words) }
  },
} satisfies Rule

const word = (words: string, more = ''): RegExp => new RegExp(`(?<![\\w./@:$#&-])(?:${words})(?![\\w/@$#-]|[.:]\\w)${more}`, 'i')

const HEDGES: readonly RegExp[] = [
  word('maybe|perhaps|probably|possibly|presumably|supposedly|apparently|arguably|conceivably|potentially|hopefully|seemingly|theoretically'),
  word('likely|unlikely|might|ought to|in theory|chances are|more or less|as far as|for some reason|some reason|somehow|allegedly'),
  word("think|thinks|thinking|thought|guess|guesses|guessing|guessed|suspect|suspects|suspected|believe|believes|believed|suppose|supposed to|hope|hoping|wonder|wondering|reckon|imagine|doubt"),
  word("(?:i|we|i'm|we're|i'd|we'd) (?:\\w+ )?(?:assume|assuming|expect|feel|figure|say|bet)"),
  word('assuming|my assumption|our assumption|an assumption|presume|presumes|presumed'),
  word('seem|seems|seemed|seeming'),
  word('appears?|appeared', '\\s+(?:to|that|as if|as though|like|fine|ok|okay|good|correct|right|broken|wrong|stable|unrelated|related|safe|not)(?!\\w)'),
  word('(?:looks?|looked|sounds?|sounded|feels?|felt) (?:like (?:the|it|we|this|that|there|an?|some|something)|as if|as though|fine|ok|okay|good|right|wrong|broken|related|promising|correct|off)'),
  word("should(?:n't)? (?:\\w+ly )?(?:work|be (?:fine|ok|okay|good|enough|possible|able|right|correct|safe|sufficient|it|easy)|do|do it|help|fix|pass|suffice|then|now|just|hopefully|also work|still)"),
  word('could (?:be|have|also|potentially|well|work|help|easily|perhaps|just|mean|indicate|explain)'),
  word('may (?:well|or may not|have been|be (?:related|due|caused|wrong|broken|a bug|because|why|that))'),
  word("would (?:\\w+ )?(?:guess|assume|expect|say|think|suggest|recommend|imagine)"),
  // A client that "tries twice" is a fact; to try something is not, and `try` is a keyword.
  word('(?<!\\bthe )try', '(?!\\s+(?:blocks?|statements?|catch|except|clauses?|expressions?)\\b)'),
  word('worth (?:trying|a try|a shot|checking|a look)'),
  word("not (?:entirely |quite |completely |really |100% )?(?:sure|certain|clear|convinced|confident)|unsure|unclear|uncertain|no idea|unknown why|hard to (?:say|tell)|don't know|doesn't know why|who knows"),
  word('(?<!\\b(?:a|an|the|this|any|each|every|one|some|what|which|same|other|that|no|of|another|new|second) )(?:sort|kind) of'),
  word('usually|sometimes|often|mostly|normally|typically|generally|occasionally|in most cases|most of the time|almost certainly|roughly speaking|tends? to'),
  word('or something|or so|something like|afaik|iirc|imo|imho|fwiw|tbh|i\\.e\\. maybe'),
  word("can't (?:be sure|tell|rule out|say)|cannot (?:be sure|tell|rule out|say for)"),
]
