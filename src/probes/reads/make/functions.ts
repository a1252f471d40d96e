export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Functions of make on texts that are worked out; null: it can't be told, or the work tree is asked. */
export const FUNCTIONS = new Map<string, ((args: readonly string[]) => string | null) | null>([
  ['wildcard', null],
  ['patsubst', ([from = '', to = '', text = '']) => patsubst(from.trim(), to, text)],
  ['subst', ([from = '', to = '', text = '']) => (from === '' ? text : text.replaceAll(from, to))],
  ['addprefix', ([prefix = '', text = '']) => wordsOf(text).map((word) => prefix + word).join(' ')],
  ['addsuffix', ([suffix = '', text = '']) => wordsOf(text).map((word) => word + suffix).join(' ')],
  ['notdir', ([text = '']) => wordsOf(text).map((word) => word.replace(/^.*\//, '')).join(' ')],
  ['dir', ([text = '']) => wordsOf(text).map((word) => (word.includes('/') ? word.replace(/[^/]*$/, '') : './')).join(' ')],
  ['basename', ([text = '']) => wordsOf(text).map((word) => word.replace(/\.[^./]*$/, '')).join(' ')],
  ['sort', ([text = '']) => [...new Set(wordsOf(text))].sort().join(' ')],
  ['strip', ([text = '']) => wordsOf(text).join(' ')],
  ['filter-out', ([out = '', text = '']) => (out.includes('%') ? null : wordsOf(text).filter((word) => !wordsOf(out).includes(word)).join(' '))],
])

export function patsubst(from: string, to: string, text: string): string {
  const cut = from.indexOf('%')
  if (cut === -1) return wordsOf(text).map((word) => (word === from ? to : word)).join(' ')
  const [before, behind] = [from.slice(0, cut), from.slice(cut + 1)]
  return wordsOf(text)
    .map((word) => (word.startsWith(before) && word.endsWith(behind) && word.length >= before.length + behind.length ? to.replace('%', word.slice(before.length, word.length - behind.length)) : word))
    .join(' ')
}
