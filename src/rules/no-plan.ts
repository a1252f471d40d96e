import { type Rule, foundBy, isForeign, wordsOf } from '../model/rule.ts'

export default {
  id: 'no-plan',
  stage: 'context-independence',
  hint: 'say what holds, as SUBJECT VERB … in the present tense, and not what is to be done',
  why: 'What somebody meant to do next is over when the session is; a successor needs what holds (001, context overfitting).',
  refuse: ({ text }) => {
    const words = wordsOf(text)
    const plan = isForeign(words) ? undefined : PLANS.find((pattern) => pattern.test(words))
    return plan === undefined ? null : { reason: 'says what is to be done, not what holds', ...foundBy(plan, words) }
  },
} satisfies Rule

const word = (words: string, more = ''): RegExp => new RegExp(`(?<![\\w./@:$#&-])(?:${words})(?![\\w/@$#-]|[.:]\\w)${more}`, 'i')

const THINKING =
  'investigate|investigated|check|look(?! up\\b)|find out|figure|figured|verify|verified|debug|debugged|understand|confirm|confirmed|explore|explored|revisit|revisited|decide|decided|ask|dig|research|rethink|reconsider|try|see|determine|determined|fix|fixed|refactor|refactored|clean up|cleaned up|rework|reworked|redo|redone|think'

const PLANS: readonly RegExp[] = [
  word("let's|lets us|let us|let me|lemme|shall we|how about|what if|why not|why don't"),
  word("(?:i|we|you|they|he|she)'ll|(?:i|we) (?:will|shall|can|could|should|must|need|want|plan|intend|have to|am|are)"),
  word("going to|gonna|about to (?:\\w+)|planning|plans? to|planned|plan is|goal is|idea is|intention is|aim is|intends? to|aims? to|want to|wants to|would like to|looking to|hoping to"),
  word(`(?:will|shall|must|should|needs?|has|have|still|remains?|yet|left|wants?|ought)(?: to)? (?:(?:be|first|now|then|next|also|still|to) ){0,3}(?:${THINKING})`, '(?!\\s+(?:out|in)\\b)(?![\\w-])'),
  word('will (?:try|now|then|next|probably|need to|have to|do|start|continue|proceed|attempt|come back|get back|follow up|handle|take care|work on|focus|leave|skip)'),
  word('to be (?:done|continued|investigated|determined|decided|discussed|confirmed|checked|fixed|revisited|verified)'),
  /(?<![\w./@:$#&-])(?:TODO|FIXME|XXX|HACK|WIP|TBD|TBC)(?![\w/-])/,
  word('todo|to-do|to do:'),
  /(?:^|[.!?;:]\s+)(?:next|afterwards|later|soon|first step|step one)\b(?![-/.]\w)/i,
  word('next (?:steps?|time|session|attempt|week|turn|task|thing|i|we|up|on the list|is to|iteration|sprint)|the next (?:commit|change|fix)|then (?:i|we)'),
  word('follow(?:ing)?[ -]up|come back to|get back to|circle back|look into|dig into|keep (?:going|trying|looking)|move on|moving on|proceed(?:ing)? (?:to|with)|continue (?:with|by|to|on|from)|start(?:ing)? (?:by|with)|begin(?:ning)? (?:by|with)', '(?![\\w-])'),
  word('fix(?:ed)? later|done later|later on|(?<!\\bor )later', '(?!\\s+(?:than|versions?|releases?|in|runs?|steps?|stages?)\\b)'),
  word('remember to|do not forget|don\'t forget|make sure|be sure to|please|time to (?!live|first|last)\\w+'),
  word('(?:consider|try|suggest|recommend|propose)(?:s|ed)? \\w+ing'),
  word("might (?:want|need|have) to|may (?:want|need) to|it'd be|would be (?:nice|good|better|worth|great|ideal)|nice to have|open question|pending (?:decision|question|investigation)"),
]
