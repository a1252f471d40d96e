/** Words by what they do in a sentence: by these a verb is told from a noun or a participle of the same form. */

export const DETERMINERS = new Set('the a an this that these those my your our its their all every each any some no'.split(' '))
export const PARTICIPLE_AFTER = new Set("is are was were be been being get gets got has have had not never must can cannot may should will would if when unless once as than".split(' '))
/** In -ed, and never said of what it is done to. */
export const INTRANSITIVE = new Set('relied depended defaulted pointed evaluated amounted happened occurred existed remained differed overflowed underflowed deadlocked leaked lasted belonged raced ended resulted referred lacked'.split(' '))
export const PREPOSITIONS = new Set('of in on for with from by at into to than per as via under over between'.split(' '))
export const NOUNS_TOO = new Set(
  'tests builds checks calls types results requests releases logs locks links lists names notes imports exports hooks commits records references steps tags versions branches queries reports filters formats values files changes'.split(' '),
)
export const MORE_NOUNS = new Set(
  'races leaks loops maps caches matches mismatches signs points ranges marks states costs limits sorts updates errors copies reads writes delays hits misses factors drops patches pins pipes pools ports posts prints prompts queues quotes rates repeats replies retries routes rules samples scales scans scopes scores searches seeds shapes shares shifts signals slices sources spans splits stacks stages stores streams switches targets traces tracks transfers traps triggers turns uploads uses views walks watches wraps'.split(
    ' ',
  ),
)
export const PLURALS = new Set('people data children both most many few types those these'.split(' '))
export const AUXILIARIES = new Set(
  "is are was were am be has have had do does did can cannot can't could must shall should will would may might isn't aren't wasn't weren't doesn't don't didn't hasn't haven't won't mustn't shouldn't couldn't wouldn't needn't".split(
    ' ',
  ),
)
export const SAME_PARTICIPLE = new Set('read set reset put hit cut shut split cast let hurt cost'.split(' '))
export const IRREGULAR_PAST = new Set('came went took gave became began broke chose fell got held kept led left lost made meant ran saw sent stood threw told won wrote forgot overwrote overran hid knew rose drew withdrew mistook'.split(' '))
