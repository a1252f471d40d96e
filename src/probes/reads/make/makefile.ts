import { besides } from '../c.ts'
import { above, inFolder, placeOf } from '../pattern.ts'
import type { Place } from '../place.ts'
import { wordsOf } from './functions.ts'
import { Variables } from './variables.ts'

export interface Rule {
  readonly targets: readonly string[]
  readonly prerequisites: readonly string[]
  /** Lines as they stand, their variables not yet worked out. */
  readonly recipe: readonly string[]
  readonly stem?: string
}

export interface Makefile {
  readonly rules: readonly Rule[]
  readonly phony: ReadonlySet<string>
  /** The goal where none is named. */
  readonly first: string | null
  /** The makefiles themselves, which make tries to make anew. */
  readonly files: readonly string[]
  /** Those that it includes, there or not. */
  readonly included: readonly string[]
  readonly texts: readonly string[]
  /** A pattern stands where make itself looks for the files that fit it. */
  readonly isGlobbing: boolean
  /** null: it can't be told. */
  expand(text: string, automatic: Readonly<Record<string, string>>): Promise<string | null>
}

const MOST_TEXT = 256 * 1024
const REFUSED = /^\s*(?:define|endef|if(?:n?eq|n?def)|else|endif|vpath|override|private|undefine|load|export|unexport)\b/

/** A makefile and what it includes; null, said to the inputs: it can't be followed, or there is none. */
export async function readMakefile(named: string | null, given: readonly (readonly [string, string])[], at: Place): Promise<Makefile | null> {
  const { inputs, folder } = at
  const reading = new Reading(at, given)
  if (named !== null) return (await reading.file(named)) ? reading.result() : null
  for (const name of ['GNUmakefile', 'makefile', 'Makefile']) {
    const place = inFolder(folder, name)
    if ((await inputs.kind(place)) === 'file') return (await reading.file(name)) ? reading.result() : null
    await inputs.present(place)
    await inputs.listed(above(place), `besides ${place}`, besides(place), 'none')
  }
  return null
}

class Reading {
  readonly #at: Place
  readonly #variables: Variables
  readonly #rules: Rule[] = []
  readonly #phony = new Set<string>()
  readonly #files: string[] = []
  readonly #included: string[] = []
  readonly #texts: string[] = []
  #isGlobbing = false
  #first: string | null = null

  constructor(at: Place, given: readonly (readonly [string, string])[]) {
    this.#at = at
    this.#variables = new Variables(at, given)
  }

  result(): Makefile {
    return {
      ...{ rules: this.#rules, phony: this.#phony, first: this.#first, files: this.#files, included: this.#included, texts: this.#texts, isGlobbing: this.#isGlobbing },
      expand: (text, automatic) => this.#variables.expand(text, automatic),
    }
  }

  async file(name: string): Promise<boolean> {
    const { inputs, folder } = this.#at
    const place = placeOf(name, folder)
    if (place === null || place === '?') return this.#refuse('a makefile that lies outside')
    if (this.#files.includes(name) || this.#files.length > 50) return this.#refuse('makefiles that include one another')
    await inputs.listed(above(place), `besides ${place}`, besides(place), 'none')
    const text = await inputs.text(place)
    if (text === null) return true
    if (text.length > MOST_TEXT) return this.#refuse('a makefile that is too long')
    this.#files.push(name)
    this.#texts.push(text)
    return this.#lines(text)
  }

  #refuse(why: string): false {
    this.#at.inputs.all(why)
    return false
  }

  async #lines(text: string): Promise<boolean> {
    let open: string[] | null = null
    for (const line of joined(text)) {
      if (line.startsWith('\t') && open !== null) {
        open.push(line.slice(1))
        continue
      }
      const bare = line.replace(/(^|[^\\])#.*$/s, '$1').trimEnd()
      if (bare.trim() === '') continue
      if (REFUSED.test(bare)) return this.#refuse('a makefile with conditions')
      const include = /^ *(-include|sinclude|include)\s+(\S.*)$/.exec(bare)
      if (include !== null) {
        const names = await this.#variables.expand(include[2] as string)
        if (names === null) return false
        for (const name of names.split(/\s+/)) {
          if (name === '') continue
          if (/[*?[]/.test(name)) return this.#refuse('makefiles by pattern')
          this.#included.push(name)
          if (!(await this.file(name))) return false
        }
        open = null
        continue
      }
      const assigned = /^ *([A-Za-z_.][\w.-]*)\s*(\+=|\?=|:{1,3}=|!=|=)\s*(.*)$/s.exec(bare)
      if (assigned !== null) {
        open = null
        if (!this.#variables.assign(assigned[1] as string, assigned[2] as string, assigned[3] as string)) return false
        continue
      }
      open = await this.#rule(bare)
      if (open === null) return false
    }
    return true
  }

  async #rule(line: string): Promise<string[] | null> {
    const cut = line.search(/:(?![=:])/)
    if (cut === -1 || line.includes('::')) {
      this.#refuse('a makefile that can not be parsed')
      return null
    }
    const [head, tail] = [line.slice(0, cut), line.slice(cut + 1)]
    const semicolon = tail.indexOf(';')
    const [targets, prerequisites] = [await this.#variables.expand(head), await this.#variables.expand(semicolon === -1 ? tail : tail.slice(0, semicolon))]
    if (targets === null || prerequisites === null || /[:=]/.test(prerequisites) || /\$/.test(prerequisites)) {
      this.#refuse('a rule that can not be followed')
      return null
    }
    const names = wordsOf(targets)
    const wanted = wordsOf(prerequisites.replace('|', ' '))
    if (names.some((name) => /^\.(?:SECONDEXPANSION|ONESHELL|POSIX|DEFAULT|SUFFIXES|EXPORT_ALL_VARIABLES)$/.test(name) || /^\.\w+\.\w+$/.test(name))) {
      this.#refuse('a makefile with rules of another kind')
      return null
    }
    for (const name of names) if (name === '.PHONY') for (const one of wanted) this.#phony.add(one)
    const recipe = semicolon === -1 ? [] : [tail.slice(semicolon + 1)]
    if (names.some((name) => /^\.\w+$/.test(name) && !SPECIAL.test(name))) {
      this.#refuse('a makefile with rules of another kind')
      return null
    }
    if (names.some((name) => SPECIAL.test(name))) return recipe
    this.#isGlobbing ||= [...names, ...wanted].some((one) => /[*?[]/.test(one))
    const globbed: string[] = []
    for (const one of wanted) globbed.push(...(/[*?[]/.test(one) ? await this.#variables.glob(one) : [one]))
    this.#rules.push({ targets: names, prerequisites: globbed, recipe })
    this.#first ??= names.find((name) => !name.includes('%')) ?? null
    return recipe
  }
}

const SPECIAL = /^\.(?:PHONY|SILENT|PRECIOUS|INTERMEDIATE|SECONDARY|DELETE_ON_ERROR|NOTPARALLEL|IGNORE|LOW_RESOLUTION_TIME)$/

/** Lines, those that end with a backslash put together. */
function joined(text: string): string[] {
  const lines: string[] = []
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const last = lines.at(-1)
    if (last !== undefined && /(?:^|[^\\])(?:\\\\)*\\$/.test(last)) lines[lines.length - 1] = last.startsWith('\t') ? `${last}\n${line}` : `${last.slice(0, -1)} ${line.trimStart()}`
    else lines.push(line)
  }
  return lines
}
