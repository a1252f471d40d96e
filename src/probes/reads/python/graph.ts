import { above, inFolder, nameIn } from '../pattern.ts'
import type { Place } from '../place.ts'
import { lists } from '../tokens.ts'
import { Foreign } from './foreign.ts'
import { Imports } from './imports.ts'
import { python } from './tokens.ts'
import { Uses } from './uses.ts'

/** The dotted name of the package in which a file lies, below a folder where modules are looked for. */
export const packageOf = (path: string, root: string): string => {
  const below = root === '.' ? path : path.slice(root.length + 1)
  return below.includes('/') ? below.slice(0, below.lastIndexOf('/')).replaceAll('/', '.') : ''
}

/** Modules of the repository by what they import. */
export class Graph {
  readonly #roots: string[]
  readonly #at: Place
  readonly #seen = new Set<string>()
  readonly #queue: { readonly path: string; readonly name: string }[] = []
  readonly #listed = new Set<string>()
  readonly #imports: Imports
  readonly #uses: Uses
  readonly #foreign: Foreign
  #searched = false

  constructor(roots: readonly string[], at: Place) {
    this.#roots = [...roots]
    this.#at = at
    this.#foreign = new Foreign(at)
    this.#imports = new Imports(at, (name) => this.module(name), (name) => this.#foreign.ask(name))
    this.#uses = new Uses(at, (name) => this.module(name), (name) => this.#foreign.ask(name))
    this.#searched = (at.inputs.world.env('PYTHONPATH') ?? '') !== ''
  }

  root(folder: string): void {
    if (!this.#roots.includes(folder)) this.#roots.push(folder)
  }

  /** What lies in a folder where modules are looked for first may hide any other module. */
  async roots(): Promise<void> {
    for (const root of this.#roots) {
      if (this.#listed.has(root)) continue
      this.#listed.add(root)
      const right = (path: string): boolean => above(path) === root && /\.(?:py|pyc|so|pyd|pth)$/.test(path)
      await this.#at.inputs.listed(root, 'modules', (path) => right(path) || (nameIn(path) === '__init__.py' && above(above(path)) === root && above(path) !== '.'), 'right')
    }
  }

  /** A test file is imported from the first folder above it that is no package. */
  async test(path: string): Promise<void> {
    const { inputs } = this.#at
    if ((await inputs.present(path)) !== 'file') return
    let root = above(path)
    while (root !== '.' && (await inputs.present(inFolder(root, '__init__.py'))) !== null) root = above(root)
    if (root === '.' && above(path) !== '.') await inputs.present('__init__.py')
    this.root(root)
    await this.add(path, packageOf(path, root))
  }

  /** A file, and the package whose module it is. */
  async add(path: string, pack: string): Promise<void> {
    const real = await this.#at.inputs.real(path)
    if (real === null || this.#seen.has(real)) return
    if (real !== path) this.#at.inputs.all(`"${path}" is a link`)
    this.#seen.add(real)
    this.#queue.push({ path: real, name: pack })
  }

  async follow(): Promise<void> {
    const { inputs } = this.#at
    for (let next = this.#queue.shift(); next !== undefined && !inputs.isFull; next = this.#queue.shift()) {
      await this.roots()
      const text = await inputs.text(next.path)
      if (text !== null && next.path.endsWith('.py')) await this.source(text, next.path, next.name)
      else if (text !== null) inputs.all(`"${next.path}" can not be parsed`)
    }
    await this.#foreign.settle(this.#searched)
  }

  /** Where else modules are looked for is told by settings, or by the tool that starts them. */
  #searches(): void {
    this.#searched = true
  }

  /** A tool runs these modules, and brings some of its own. */
  runBy(names: readonly string[]): void {
    this.#searched = true
    this.#foreign.held(names)
  }

  /** A module that is none of the repository's, and run as a program. */
  async strange(name: string): Promise<void> {
    this.#foreign.ask(name)
    await this.#foreign.settle(this.#searched)
  }

  /** A module by its dotted name; the packages above it are run too. false: it is none of the repository's. */
  async module(name: string): Promise<boolean> {
    const { inputs } = this.#at
    const steps = name.split('.')
    if (steps.some((step) => !/^\w+$/.test(step))) return false
    for (const root of this.#roots) {
      let folder = root
      let found = false
      for (const [i, step] of steps.entries()) {
        const [pack, file] = [inFolder(folder, step), inFolder(folder, `${step}.py`)]
        const own = steps.slice(0, i).join('.')
        const at = folder
        await inputs.listed(at, `${step}.*`, (path) => above(path) === at && nameIn(path).startsWith(`${step}.`), 'right')
        if ((await inputs.kind(inFolder(pack, '__init__.py'))) === 'file') {
          await this.add(inFolder(pack, '__init__.py'), steps.slice(0, i + 1).join('.'))
          found = true
        } else if ((await inputs.kind(file)) === 'file') {
          await inputs.present(inFolder(pack, '__init__.py'))
          await this.add(file, own)
          found = true
          break
        } else {
          await inputs.present(inFolder(pack, '__init__.py'))
          if ((await inputs.kind(pack)) !== 'folder') break
        }
        folder = pack
      }
      if (found) return true
    }
    return false
  }

  async source(text: string, path: string, pack: string): Promise<void> {
    const { inputs } = this.#at
    if (/\bsys\s*\.\s*path\b|\baddsitedir\b|\bsyspath_prepend\b|\bspec_from_file_location\b/.test(text)) this.#searches()
    const tokens = python(text)
    if (tokens === null) return inputs.all(`"${path}" can not be parsed`)
    for (const list of lists(tokens)) {
      await this.#imports.follow(list, path, pack)
      await this.#uses.follow(list, path, tokens)
    }
  }

  /** Who asks for what no file that was read defines may be given anything by a plugin. */
  fixtures(): void {
    this.#uses.fixtures()
  }
}
