import type { Place } from '../place.ts'
import { above, isKnown, leadsOut, placeOf } from '../pattern.ts'
import type { How } from '../inputs.ts'
import { type Token, argumentsAt } from '../tokens.ts'
import { isInput, takesInput } from '../stdin.ts'
import { FIXTURES, OS_QUIET, PATH_QUIET, SYS_QUIET, WILD, WILD_PARTS } from './standard.ts'
import { type Standpoint, constantsOf, pathAt, valueOf } from './value.ts'

/** The files that modules name, and the fixtures that their tests ask for. */
export class Uses {
  readonly #at: Place
  readonly #module: (name: string) => Promise<boolean>
  readonly #foreign: (name: string) => void
  readonly #named = new Set<string>()
  readonly #wanted = new Set<string>()
  #whole: readonly Token[] | null = null
  #standing: Standpoint = { path: '', folder: '.', constants: new Map() }

  /** `module`: follows a module of the repository by its dotted name. `foreign`: is told of what is none. */
  constructor(at: Place, module: (name: string) => Promise<boolean>, foreign: (name: string) => void) {
    this.#at = at
    this.#module = module
    this.#foreign = foreign
  }

  /** `whole`: all tokens of the module that these are of. */
  async follow(tokens: readonly Token[], path: string, whole: readonly Token[]): Promise<void> {
    const { inputs, folder } = this.#at
    if (this.#whole !== whole) [this.#whole, this.#standing] = [whole, { path, folder, constants: constantsOf(whole) }]
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i] as Token
      if (token.is === 'text') {
        for (const word of token.value.split(/[^\w]+/)) if (word !== '') this.#named.add(word)
        if (token.value.includes('..')) inputs.leadsUp()
        if (isInput(token.value)) takesInput(this.#at)
        for (const part of token.parts ?? []) if (typeof part === 'string' && part.includes('..')) inputs.leadsUp()
        // What is replaced in a test is imported by its name.
        if (/^\w+(?:\.\w+){1,12}$/.test(token.value) && tokens.some(({ value }) => value === 'patch')) await this.#module(token.value)
        if (/^(?:builtins|io|os|sys|importlib|pathlib)\b/.test(token.value)) inputs.all(`"${path}" names ${token.value}`)
      }
      if (token.is !== 'name') continue
      if (token.value === 'pardir') inputs.leadsUp()
      if (TIMES.test(token.value)) inputs.times()
      if (LOADS.test(token.value) && tokens[i + 1]?.value === '(') await this.#load(tokens[i + 2])
      if ((/^(?:__)?stdin(?:__)?$/.test(token.value) && tokens[i - 1]?.value === '.' && tokens[i - 2]?.value === 'sys') || /^get_(?:text|binary)_stream$/.test(token.value)) takesInput(this.#at)
      const property = tokens[i - 1]?.is === 'mark' && tokens[i - 1]?.value === '.'
      if (WILD_PARTS.has(token.value) || (!property && WILD.has(token.value))) inputs.all(`"${path}" uses ${token.value}`)
      if (property || /^(?:import|from)$/.test(tokens[i - 1]?.value ?? '') || inImport(tokens, i)) continue
      if (/^(?:os|Path|pathlib|__file__)$/.test(token.value) || this.#standing.constants.get(token.value) != null) await this.#leads(pathAt(tokens, i, this.#standing).value)
      if (token.value === 'def' && tokens[i + 1]?.is === 'name') {
        const name = (tokens[i + 1] as Token).value
        this.#named.add(name)
        if (/^(?:test|setup|teardown|pytest_)/.test(name) || tokens[i - 2]?.value === ')' || tokens.slice(Math.max(0, i - 12), i).some(({ value }) => value === 'fixture'))
          for (const arg of argumentsAt(tokens, i + 2).args) if (arg[0]?.is === 'name' && !arg.some(({ value }) => value === '=')) this.#wanted.add(arg[0].value)
      }
      if (/^(?:input|raw_input|breakpoint)$/.test(token.value) && ((tokens[i + 1]?.value === '(' && tokens[i - 1]?.value !== 'def') || tokens[i - 2]?.value === 'iter')) takesInput(this.#at)
      if (token.value === 'open') {
        if (tokens[i + 1]?.value !== '(') inputs.all(`"${path}" hands open on`)
        else await this.#open(argumentsAt(tokens, i + 1).args, path, 'read', tokens.some(({ value }) => MAKES.test(value)))
      }
      if (token.value === 'sys' && !(tokens[i + 1]?.value === '.' && SYS_QUIET.has(tokens[i + 2]?.value ?? ''))) inputs.all(`"${path}" uses sys.${tokens[i + 2]?.value ?? ''}`)
      if (token.value === 'os') await this.#os(tokens, i, path)
      if (token.value === 'path' && tokens[i + 1]?.value === '.' && !PATH_QUIET.has(tokens[i + 2]?.value ?? '')) inputs.all(`"${path}" uses path.${tokens[i + 2]?.value}`)
    }
  }

  /** What loads a module by a text. */
  async #load(name: Token | undefined): Promise<void> {
    if (name?.is === 'text' && name.parts === undefined && name.value !== '' && !(await this.#module(name.value))) this.#foreign(name.value)
  }

  /** A path that leads out counts wherever it is worked out: who reads it may be another module. */
  async #leads(value: string): Promise<void> {
    const { inputs, folder } = this.#at
    if (leadsOut(value, folder)) await inputs.path(value, folder, 'read')
  }

  async #os(tokens: readonly Token[], i: number, path: string): Promise<void> {
    const { inputs } = this.#at
    const [dot, name, next, more] = tokens.slice(i + 1, i + 5)
    if (dot?.value !== '.' || name === undefined) return inputs.all(`"${path}" hands os on`)
    if (name.value === 'path' && next?.value === '.') {
      const what = more?.value ?? ''
      if (PATH_QUIET.has(what)) return
      if (/^(?:exists|isfile|isdir|islink|lexists)$/.test(what) && tokens[i + 5]?.value === '(') return this.#open(argumentsAt(tokens, i + 5).args, path, /link|^l/.test(what) ? 'mode' : 'stat')
      if (/^getsize$/.test(what) && tokens[i + 5]?.value === '(') return this.#open(argumentsAt(tokens, i + 5).args, path, 'read')
      return inputs.all(`"${path}" uses os.path.${what}`)
    }
    if (name.value === 'path') return inputs.all(`"${path}" hands os.path on`)
    if (name.value === 'listdir' && next?.value === '(') {
      const { args } = argumentsAt(tokens, i + 3)
      return args.length === 0 ? inputs.names(this.#at.folder) : this.#open(args, path, 'list')
    }
    if (/^(?:read|readv|fdopen|isatty|fstat)$/.test(name.value) && next?.value === '(' && more?.value === '0') takesInput(this.#at)
    const args = next?.value === '(' ? argumentsAt(tokens, i + 3).args : []
    if (/^(?:stat|lstat|access)$/.test(name.value) && args.length > 0) await this.#open(args, path, 'mode')
    if (/^(?:mkdir|makedirs|remove|unlink|rmdir)$/.test(name.value) && !args.flat().some(({ value }) => value === 'exist_ok')) await (args.length > 0 ? this.#open(args.slice(0, 1), path, 'stat') : inputs.all(`"${path}" hands os.${name.value} on`))
    if (/^(?:walk|scandir|stat|lstat|fwalk)$/.test(name.value) && args.length > 0) return this.#open(args, path, 'read')
    if (!OS_QUIET.has(name.value)) inputs.all(`"${path}" uses os.${name.value}`)
  }

  async #open(args: readonly (readonly Token[])[], path: string, how: How, makes = true): Promise<void> {
    const { inputs, folder } = this.#at
    const [first = [], mode] = args
    if (first[1]?.value === '=' || first[0]?.value === '*') return inputs.all(`"${path}" opens what only running tells`)
    if (how === 'read' && first[0]?.value === '0' && first[0].is === 'number') takesInput(this.#at)
    const value = valueOf(first, this.#standing)
    // What is only written is no input, but for the folder in which it is made.
    if (how === 'read' && mode?.length === 1 && mode[0]?.is === 'text' && /^[wa]b?t?$/.test(mode[0].value)) {
      const place = isKnown(value) ? placeOf(value, folder) : null
      if (place !== null && place !== '?' && above(place) !== '.' && !makes) await inputs.present(above(place))
      return
    }
    await inputs.path(value, folder, how)
  }

  /** Who asks for what no file that was read defines may be given anything by a plugin. */
  fixtures(): void {
    for (const name of this.#wanted) if (!FIXTURES.has(name) && !this.#named.has(name)) this.#at.inputs.all(`a test asks for "${name}"`)
  }
}

/** Whether a name stands in an `import` or `from … import` statement. */
function inImport(tokens: readonly Token[], i: number): boolean {
  let at = i
  while (at > 0 && (tokens[at - 1] as Token).is !== 'line' && (tokens[at - 1] as Token).value !== ';') at -= 1
  return /^(?:import|from)$/.test((tokens[at] as Token).value)
}

const LOADS = /^(?:import_module|__import__|find_spec|find_loader|get_loader|run_module|importorskip)$/
const TIMES = /^(?:st_[amc]time(?:_ns)?|st_birthtime|get[amc]time)$/
/** What makes folders. */
const MAKES = /^(?:mkdir|makedirs|mkdtemp|TemporaryDirectory|tmp_path|tmpdir)$/
