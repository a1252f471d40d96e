import type { Place } from '../place.ts'
import type { Token } from '../tokens.ts'
import { takesInput } from '../stdin.ts'
import { OS_QUIET, PATH_QUIET, SYS_QUIET, isQuiet } from './standard.ts'

/** The modules that a module imports. */
export class Imports {
  readonly #at: Place
  readonly #module: (name: string) => Promise<boolean>
  readonly #foreign: (name: string) => void

  /** `module`: follows a module of the repository by its dotted name; false: there is none. `foreign`: is told of those. */
  constructor(at: Place, module: (name: string) => Promise<boolean>, foreign: (name: string) => void) {
    this.#at = at
    this.#module = module
    this.#foreign = foreign
  }

  /** `pack`: the package of the module that these tokens are of. */
  async follow(tokens: readonly Token[], path: string, pack: string): Promise<void> {
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      const begins = i === 0 || (tokens[i - 1] as Token).is === 'line' || /^[:;]$/.test((tokens[i - 1] as Token).value)
      if (!begins || token.is !== 'name') continue
      const end = tokens.findIndex((one, n) => n > i && (one.is === 'line' || one.value === ';'))
      const words = tokens.slice(i + 1, end === -1 ? tokens.length : end).map(({ value }) => value)
      if (token.value === 'import')
        for (const part of words.join(' ').split(',')) {
          const [name = '', alias] = part.trim().split(' as ')
          await this.#import(name.replaceAll(' ', ''), path)
          if (alias !== undefined && /^(?:os|sys)(?:$| ?\.)/.test(name)) this.#at.inputs.all(`"${path}" gives ${name} another name`)
        }
      else if (token.value === 'from') {
        const cut = words.indexOf('import')
        if (cut === -1) continue
        await this.#from(words.slice(0, cut).join(''), words.slice(cut + 1).filter((word) => !'()'.includes(word)).join(' ').split(',').map((part) => part.trim().split(' as ')[0] as string), path, pack)
      }
    }
  }

  async #import(name: string, path: string): Promise<void> {
    if (name === '' || (await this.#module(name))) return
    this.#foreign(name)
    if (ASKING.test(name)) takesInput(this.#at)
    if (!isQuiet(name)) this.#at.inputs.all(`"${path}" imports ${name}`)
  }

  async #from(source: string, names: readonly string[], path: string, pack: string): Promise<void> {
    const dots = /^\.*/.exec(source)?.[0].length ?? 0
    const steps = pack === '' ? [] : pack.split('.')
    if (dots > 0 && steps.length < dots) return this.#at.inputs.all(`"${path}" imports from above its package`)
    const base = dots === 0 ? source : [...steps.slice(0, steps.length - dots + 1), ...(source.slice(dots) === '' ? [] : [source.slice(dots)])].join('.')
    if (names.includes('*') && (await this.#module(base))) return this.#at.inputs.all(`"${path}" imports all of ${base}`)
    const own = await this.#module(base)
    let parts = 0
    // A folder without __init__.py is a package too, if nothing else has its name.
    if (own || !isQuiet(base)) for (const name of names) if (/^\w+$/.test(name) && (await this.#module(`${base}.${name}`))) parts += 1
    if (!own && dots === 0 && (ASKING.test(base) || (base === 'sys' && names.some((name) => /^(?:__)?stdin(?:__)?$/.test(name))))) takesInput(this.#at)
    if (!own && parts < names.length && dots === 0) this.#foreign(base)
    if (!own && !isQuiet(base) && parts < names.length) return this.#at.inputs.all(`"${path}" imports ${base}`)
    if (!own && (base === 'os' || base === 'sys' || base === 'os.path'))
      for (const name of names) if (/^(?:mkdir|makedirs|remove|unlink|rmdir)$/.test(name) || !(base === 'os' ? OS_QUIET : base === 'sys' ? SYS_QUIET : PATH_QUIET).has(name)) this.#at.inputs.all(`"${path}" imports ${base}.${name}`)
  }
}

/** Modules that are there to read what a program is given. */
const ASKING = /^(?:fileinput|getpass)$/
