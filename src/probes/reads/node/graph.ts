import { objectOf } from '../../../base/json.ts'
import { joinPath } from '../../../model/key.ts'
import { above, inFolder, isKnown, nameIn, upFrom } from '../pattern.ts'
import type { Place, Start } from '../place.ts'
import type { Asked } from './imports.ts'
import { followModule } from './module.ts'
import { isBuiltin } from './standard.ts'

/** Fields of a package.json by which Node finds modules. */
const FIELDS = ['exports', 'imports', 'main', 'name', 'type']
const INSTALLED = /(?:^|\/)node_modules\//
/** What makes a loader of its own, hands one on, or works out what to load. */
const LOADS = /\b(?:createRequire|getBuiltinModule|eval|Function|Worker)\b|\brequire\b(?!\s*(?:\(\s*['"]|\.\s*resolve\s*\(\s*['"]))|\bimport\s*\(\s*[^'"\s]|\bimport\s*\.\s*meta\s*\.\s*resolve\b|\[\s*['"]require['"]/
/** Texts of one module that are asked for as names of modules. */
const MOST_NAMES = 300
export const SCRIPT = /\.[cm]?[jt]sx?$/

/** Modules by what they ask for. */
export class Graph {
  readonly #at: Place
  readonly #start: Start
  readonly #seen = new Set<string>()
  readonly #queue: string[] = []

  constructor(at: Place, start: Start) {
    this.#at = at
    this.#start = start
  }

  async entry(path: string): Promise<void> {
    const { inputs } = this.#at
    if ((await inputs.kind(path)) === 'file') return this.#add(path)
    if (SCRIPT.test(path)) return void (await inputs.present(path))
    return this.#required(path)
  }

  async source(text: string, path: string): Promise<void> {
    for (const one of await followModule(text, path, this.#at, this.#start)) await this.ask(one, above(path))
    if (INSTALLED.test(path) || !LOADS.test(text)) return
    // Where only running tells what is loaded, any text may be the name of it.
    for (const name of new Set([...text.matchAll(/['"`]((?:@[\w.-]{1,80}\/)?[\w.-]{1,80})(?:\/[\w./-]{0,200})?['"`]/g)].map(([, name]) => name as string).slice(0, MOST_NAMES))) if (!isBuiltin(name)) await this.#strange(name, above(path))
  }

  async follow(): Promise<void> {
    const { inputs } = this.#at
    for (let path = this.#queue.shift(); path !== undefined; path = this.#queue.shift()) {
      if (inputs.isFull) return
      // All that is installed counts by what it is.
      if (inputs.whole !== null && INSTALLED.test(path)) continue
      const text = await inputs.text(path)
      if (text === null || path.endsWith('.json')) continue
      if (!SCRIPT.test(path) && /\.\w+$/.test(nameIn(path))) {
        inputs.all(`"${path}" is no script`)
        continue
      }
      await this.type(path)
      await this.source(text, path)
    }
  }

  /** Links are followed before anything else is asked. */
  async #add(path: string): Promise<void> {
    const { inputs } = this.#at
    const real = await inputs.real(path)
    if (real === null || this.#seen.has(real)) return
    this.#seen.add(real)
    this.#queue.push(real)
  }

  /** Which package.json says of what kind a script is. */
  async type(path: string): Promise<void> {
    for (const up of upFrom(above(path))) if ((await this.#at.inputs.fields(inFolder(up, 'package.json'), FIELDS)) !== null) return
  }

  async ask({ specifier, how }: Asked, folder: string): Promise<void> {
    const { inputs } = this.#at
    if (!isKnown(specifier)) return inputs.all('a module that only running tells')
    if (/^(?:data|https?):/.test(specifier)) return
    if (/^(?:\/|file:)/i.test(specifier)) return inputs.strange(specifier)
    if (/^[a-z]+:/i.test(specifier)) return inputs.all('a module of another scheme')
    if (specifier.startsWith('#')) return this.#imported(specifier, folder)
    if (!/^\.{1,2}(?:\/|$)/.test(specifier)) return this.#installed(specifier, folder)
    const place = joinPath(folder, specifier.replace(/[?#].*$/s, ''))
    if (place === null) return inputs.strange(specifier)
    if (how === 'require' && /(?:^|\/)\.{0,2}$/.test(specifier)) return this.#folder(place)
    if (how === 'require') return this.#required(place)
    if ((await inputs.present(place)) === 'file') return this.#add(place)
    // Tools that bundle or compile try endings, and so does whoever writes `.js` for `.ts`.
    return this.#required(place)
  }

  /** `require` tries endings, then a folder. Tools that bundle or compile try other endings before it: what they would take counts too. */
  async #required(place: string): Promise<void> {
    const { inputs } = this.#at
    for (const ending of ['', '.js', '.json', '.node']) {
      const kind = await inputs.kind(place + ending)
      if (kind === 'file') return this.#add(place + ending)
      if (kind === null || ending !== '') await inputs.present(place + ending)
    }
    for (const ending of ['.mjs', '.cjs', '.ts', '.mts', '.cts', '.tsx', '.jsx']) if ((await inputs.present(place + ending)) === 'file') await this.#add(place + ending)
    return this.#folder(place)
  }

  async #folder(place: string): Promise<void> {
    const { inputs } = this.#at
    if ((await inputs.kind(place)) !== 'folder') return
    const manifest = await inputs.fields(inFolder(place, 'package.json'), FIELDS)
    if (typeof manifest?.['main'] === 'string') {
      const main = joinPath(place, manifest['main'])
      if (main === null) return inputs.strange(manifest['main'])
      if (main !== place) await this.#required(main)
    }
    for (const ending of ['js', 'json', 'node', 'ts', 'mjs', 'cjs']) {
      const index = inFolder(place, `index.${ending}`)
      if ((await inputs.kind(index)) === 'file') return this.#add(index)
      await inputs.present(index)
    }
  }

  async #imported(specifier: string, folder: string): Promise<void> {
    for (const up of upFrom(folder)) {
      const manifest = await this.#at.inputs.fields(inFolder(up, 'package.json'), FIELDS)
      if (manifest !== null) return this.#targets(objectOf(manifest['imports']), specifier, up)
    }
  }

  async #installed(specifier: string, folder: string): Promise<void> {
    const { inputs } = this.#at
    const [, name = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/s.exec(specifier) ?? []
    for (const up of upFrom(folder)) {
      const own = await inputs.fields(inFolder(up, 'package.json'), FIELDS)
      if (own !== null && own['name'] === name && own['exports'] != null) await this.#exported(own['exports'], rest, up)
      if (own !== null) break
    }
    for (const up of upFrom(folder)) {
      if (nameIn(up) === 'node_modules') continue
      const place = inFolder(up, `node_modules/${name}`)
      if ((await inputs.kind(place)) !== null) {
        const real = await inputs.real(place)
        if (real === null) return
        const manifest = await inputs.fields(inFolder(real, 'package.json'), [...FIELDS, 'version'])
        if (manifest?.['exports'] != null) return this.#exported(manifest['exports'], rest, real)
        return this.#required(rest === '' ? real : (joinPath(real, `.${rest}`) ?? real))
      }
      await inputs.present(place)
    }
    // What is not installed fails in the same way until it is.
    if (await inputs.world.moduleOutside(name)) inputs.strange(name)
  }

  /** A package of this name would be found outside, and none in the repository. */
  async #strange(name: string, folder: string): Promise<void> {
    const { inputs } = this.#at
    if (!(await inputs.world.moduleOutside(name))) return
    for (const up of upFrom(folder)) if ((await inputs.kind(inFolder(up, `node_modules/${name}`))) !== null) return
    inputs.strange(name)
  }

  async #exported(exports: unknown, rest: string, folder: string): Promise<void> {
    const conditions = typeof exports === 'object' && exports !== null && Object.keys(exports).some((key) => key.startsWith('.'))
    if (conditions) return this.#targets(objectOf(exports), `.${rest}`, folder)
    if (rest === '') for (const target of textsIn(exports)) await this.#target(target, folder)
  }

  /** Every target under every condition: which of them counts is decided when it runs. */
  async #targets(map: Readonly<Record<string, unknown>>, asked: string, folder: string): Promise<void> {
    for (const [key, value] of Object.entries(map)) {
      const star = key.indexOf('*')
      const [before, behind] = star === -1 ? [key, ''] : [key.slice(0, star), key.slice(star + 1)]
      if (star === -1 ? key !== asked : !(asked.startsWith(before) && asked.endsWith(behind) && asked.length >= before.length + behind.length)) continue
      const middle = star === -1 ? '' : asked.slice(before.length, asked.length - behind.length)
      for (const target of textsIn(value)) await this.#target(target.replaceAll('*', middle), folder)
    }
  }

  async #target(target: string, folder: string): Promise<void> {
    if (!target.startsWith('.')) return this.ask({ specifier: target, how: 'import' }, folder)
    const place = joinPath(folder, target)
    if (place === null) return this.#at.inputs.strange(target)
    if ((await this.#at.inputs.present(place)) === 'file') await this.#add(place)
  }
}

/** All texts in a value, however deep. */
export const textsIn = (value: unknown, depth = 0): string[] =>
  depth > 8 ? [] : typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap((one) => textsIn(one, depth + 1)) : []
