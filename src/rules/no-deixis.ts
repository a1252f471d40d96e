import { NAME, type Rule, foundBy, isForeign, wordsOf } from '../model/rule.ts'

export default {
  id: 'no-deixis',
  stage: 'context-independence',
  hint: 'name what is meant, so that a reader who was not there knows it: "`parse` drops the sign of the zone"',
  why: 'A sentence that points at its conversation says nothing to a reader who was not there.',
  refuse: ({ text }) => {
    const words = wordsOf(text)
    if (isForeign(words)) return null
    const found = POINTERS.find(([pattern]) => pattern.test(words))
    return found === undefined ? null : { ...found[1], ...foundBy(found[0], words) }
  },
} satisfies Rule

/** A whole word: no part of a path, a package, an option or a compound. */
const word = (words: string, more = ''): RegExp => new RegExp(`(?<![\\w./@:$#&-])(?:${words})(?![\\w/@$#-]|[.:]\\w)${more}`, 'i')

const SPEAKERS = { reason: 'speaks of the people or the program that talked' }
const POINTS = { reason: 'points at something that only its conversation shows' }
const MOMENT = { reason: 'speaks of a moment, which has passed' }

const FORWARD = `(?=\\s*(?:[.,;:!?)]|$))`
const COUNTED = `(?!\\s+(?:${NAME}|v?\\d|zero\\b|one\\b|an?\\b|the\\b|its\\b|any\\b|each\\b|every\\b|all\\b|node\\b|version\\b))`

const POINTERS: readonly (readonly [RegExp, { readonly reason: string }])[] = [
  // "I/O" and "Part I" are names.
  [/(?<![\w./@:$#&-]|\b(?:[Pp]art|[Pp]hase|[Tt]ype|[Ll]evel|[Ss]ection|[Cc]hapter|[Ss]tage|[Cc]lass|[Tt]able|[Tt]ier|[Aa]nnex) )I(?:'(?:m|ve|d|ll))?(?![\w/@$#.-]\w|\w)/, SPEAKERS],
  [/(?<![\w./@:$#&-])(?:us|me)(?![\w/@$#-]|[.:]\w)/, SPEAKERS],
  [word("my|mine|myself|we|we(?:'(?:re|ve|d|ll))|our|ours|ourselves|you|you(?:'(?:re|ve|d|ll))|your|yours|yourself|he|she|him|his|her|hers"), SPEAKERS],
  [
    word(
      'the user',
      "(?!\\s+(?:tables?|ids?|names?|agents?|accounts?|groups?|director(?:y|ies)|namespaces?|models?|services?|interfaces?|profiles?|schemas?|database|types?|class|record|root|config\\w*|settings?|section|guide|manual|mode|space|that|who|with|of|running|in|" +
        NAME +
        ')(?!\\w))',
    ),
    SPEAKERS,
  ],
  [word("the assistant|the human|the conversation|the chat|the session|the prompt|the (?:previous|last|current|above) (?:message|turn|prompt|reply|question)"), SPEAKERS],
  [word("this|these|it|it's|it'll|they|them|they're"), POINTS],
  [word('those', '(?!\\s+(?:that|who|which|whose|in|of|with|from|under|without))'), POINTS],
  [word("that's|that'll"), POINTS],
  [word('that', FORWARD), POINTS],
  [/(?:^|[.!?;:]\s+)(?:that|its|their)\b(?![-/.])/i, POINTS],
  [word('(?:after|before|like|with|without|for|about|from|of|to|at|by|on|into|than|until|since|despite|because of|due to) that'), POINTS],
  [word('(?:use|run|do|did|fix|fixed|try|set|add|delete|remove|call|open|read|change|changed|install|pass|put|with|is|was|just) that(?= \\w)'), POINTS],
  [word('that (?:one|way|case|point|time|step|error|issue|problem|bug|command|test|one)'), POINTS],
  [word('here'), POINTS],
  [word('there', "(?!\\s+(?:is|isn't|are|aren't|was|were|be|exists?|must|has|have|can|cannot|may|should|shall|will)\\b)"), POINTS],
  [word('(?:the|as|see|mentioned|shown|described|listed|noted|given|stated) (?:above|below)'), POINTS],
  [word('(?<!\\b(?:and|or) )(?:above|below)', `(?:${FORWARD}|(?=\\s+(?:is|are|was|were|has|fails|works|shows|must|does))|(?=\\s+[a-z]+\\b)${COUNTED})`), POINTS],
  [word('aforementioned|the latter|the former|the following|as (?:mentioned|discussed|said|noted|described|explained|before)|same as (?:before|above)|mentioned (?:above|earlier|before)|previously|previous'), POINTS],
  [word('(?<!\\bor )earlier', '(?!\\s+than)'), POINTS],
  [word('the last (?:time|run|attempt|session|step|command|message|turn|try|one|edit|change)'), POINTS],
  [word('now|currently|today|tonight|yesterday|tomorrow|nowadays|presently|recently|just|so far|not yet|at the moment|at present|as of now|right now|this time|anymore'), MOMENT],
  [word('(?:the )?current (?:session|conversation|task|tenant|user|turn|context|chat|branch|run|attempt|state|commit|issue|ticket)'), MOMENT],
]
