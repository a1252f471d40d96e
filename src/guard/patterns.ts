import type { CanonicalCommand } from '../model/command.ts'

/** So many patterns at most tell the dead ends: more cost the shell more than they save. */
const MOST = 600
const LONGEST = 40
const SHORTEST = 3

/**
 * Lines for `grep -F -f`, by which the shell sees that a hook's payload may be about a command that is known. Each stands for
 * more than it has to, never for less: a payload in which none of them stands is about nothing known.
 */
export function patternsOf(commands: readonly Pick<CanonicalCommand, 'argv'>[], mutations: readonly string[]): string[] {
  return [...new Set([...shortened(commands.flatMap(patternsOfCommand)), ...mutations.flatMap(patternsOfName)])].sort()
}

/** A program and its first word, as a shell text or as a JSON list of words; where one of them is written in more than one way, the plain part of the other. */
function patternsOfCommand({ argv: [program = '', first] }: Pick<CanonicalCommand, 'argv'>): string[] {
  if (!PLAIN.test(program)) return plainPart(program)
  if (first === undefined) return alone(program)
  return PLAIN.test(first) ? [`${program} ${first}`, `${program}","${first}`, `${program}", "${first}`] : [program]
}

/** `npm publish`: whatever stands between the two, so the second word alone; `psql`: the program. */
function patternsOfName(name: string): string[] {
  const [program = '', word] = name.split(' ')
  return word === undefined ? alone(program) : [...ENDS.map((end) => ` ${word}${end}`), `"${word}"`]
}

/** A word at the end of a command, or with something behind it. `"` ends a folder's name too, so there a beginning is asked for. */
const alone = (word: string): string[] => [...ENDS.filter((end) => end !== '"').map((end) => `${word}${end}`), ...BEGINNINGS.map((begin) => `${begin}${word}"`)]

/** Behind a word in a shell text that stands in JSON. */
const ENDS = [' ', '"', ';', '&', '|', ')', '\\', '>', '<', "'", '`']
const BEGINNINGS = ['"', ' ', ';', '&', '|', '(', '\\n', "'", '`', '/']

/** Neither a shell nor JSON writes it otherwise. */
const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

const plainPart = (word: string): string[] => {
  const longest = (word.match(/[A-Za-z0-9_@%+=:,.-]+/g) ?? []).sort((a, b) => b.length - a.length)[0]
  return longest === undefined ? [] : [longest]
}

/** A text that holds a pattern holds its beginning. */
function shortened(patterns: readonly string[]): readonly string[] {
  for (let length = LONGEST; length > SHORTEST; length--) {
    const cut = new Set(patterns.map((pattern) => pattern.slice(0, length)))
    if (cut.size <= MOST) return [...cut]
  }
  return [...new Set(patterns.map((pattern) => pattern.slice(0, SHORTEST)))]
}
