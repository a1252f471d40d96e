import type { Term } from './words.ts'

/** The options of a command, in order, and what is left. A number as an option (`-20`) has the name `#`. */
export interface Options {
  readonly given: readonly (readonly [name: string, value: Term | null])[]
  readonly rest: readonly Term[]
  /** Some option could not be told from its value. */
  readonly unclear: boolean
}

/**
 * Reads options as getopt does: clusters (`-it`), glued values (`-n5`, `--lines=5`), `--`.
 * `values`: names of options with a value. `all`: options may stand behind operands too.
 */
export function readOptions(terms: readonly Term[], values: ReadonlySet<string>, all = false): Options {
  const given: [string, Term | null][] = []
  const rest: Term[] = []
  let unclear = false
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as Term
    const word = term.value
    if (word === '--') return { given, rest: [...rest, ...terms.slice(i + 1)], unclear }
    if (!word.startsWith('-') || word === '-') {
      rest.push(term)
      if (all) continue
      return { given, rest: terms.slice(i), unclear }
    }
    if (/^-\d+$/.test(word)) given.push(['#', { ...term, value: word.slice(1) }])
    else if (word.startsWith('--')) {
      const at = word.indexOf('=')
      const name = at === -1 ? word.slice(2) : word.slice(2, at)
      if (at !== -1) given.push([name, { ...term, value: word.slice(at + 1) }])
      else if (values.has(name)) given.push([name, terms[++i] ?? null])
      else given.push([name, null])
    } else
      for (let at = 1; at < word.length; at++) {
        const name = word[at] as string
        if (!values.has(name)) {
          given.push([name, null])
          continue
        }
        const value = at + 1 < word.length ? { ...term, value: word.slice(at + 1) } : terms[++i]
        given.push([name, value ?? null])
        unclear ||= value === undefined
        break
      }
  }
  return { given, rest, unclear }
}

export const names = (text: string): ReadonlySet<string> => new Set(text.split(' ').filter((name) => name !== ''))
