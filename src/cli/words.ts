/** The words in front of `--`: only they can be options of ours. */
export const beforeRest = (words: readonly string[]): readonly string[] => {
  const at = words.indexOf('--')
  return at === -1 ? words : words.slice(0, at)
}

/** Where the verb stands in a command line: the first word that is neither an option nor the value of `-C`; -1: nowhere. */
export function verbIndex(words: readonly string[]): number {
  for (let i = 0; i < words.length && words[i] !== '--'; i++) {
    if (words[i] === '-C') i += 1
    else if (!(words[i] as string).startsWith('-')) return i
  }
  return -1
}
