import { sha256 } from '../../../base/digest.ts'
import { isCache } from '../../../model/caches.ts'
import type { World } from '../../../model/probe.ts'
import { above, inFolder, nameIn, within } from '../pattern.ts'

/** More files than this that git ignores are not told one by one. */
const MOST_FILES = 2000
/** A larger one is not read. */
const MOST_BYTES = 16 * 1024 * 1024

type Kind = 'file' | 'folder' | 'link' | 'other'

/** Something that lies there, though git ignores it. `installed`: a folder of packages, as the list of what is in it. */
export interface Ignored {
  readonly path: string
  readonly is: 'file' | 'link' | 'installed'
}

const known = new WeakMap<World, Lying>()

/** What really lies in the work tree, that which git ignores too: of one moment, and asked for once. */
export class Lying {
  readonly #world: World
  readonly #entries = new Map<string, Promise<readonly { readonly name: string; readonly kind: Kind }[] | null>>()
  readonly #hashes = new Map<string, Promise<string | null>>()
  #tops: Promise<readonly { readonly path: string; readonly folder: boolean }[]> | undefined
  #named: Promise<readonly string[]> | undefined

  private constructor(world: World) {
    this.#world = world
  }

  static in(world: World): Lying {
    const lying = known.get(world) ?? new Lying(world)
    known.set(world, lying)
    return lying
  }

  /** Names right in a folder, but what tools keep for themselves. */
  entries(folder: string): Promise<readonly { readonly name: string; readonly kind: Kind }[] | null> {
    const asked = this.#entries.get(folder) ?? this.#world.entries(folder).then((found) => found?.filter(({ name }) => !isCache(name)) ?? null)
    this.#entries.set(folder, asked)
    return asked
  }

  /** Files that git ignores, and folders of which it ignores all, but what tools keep for themselves. */
  tops(): Promise<readonly { readonly path: string; readonly folder: boolean }[]> {
    return (this.#tops ??= this.#read())
  }

  async #read(): Promise<readonly { readonly path: string; readonly folder: boolean }[]> {
    const tops: { readonly path: string; readonly folder: boolean }[] = []
    for (const one of await this.#world.ignored()) {
      const path = one.replace(/\/$/, '')
      const built = nameIn(path) === 'target' && (await this.#world.stat(inFolder(above(path), 'Cargo.toml')).catch(() => null)) !== null
      if (!built && !isCache(path)) tops.push({ path, folder: one.endsWith('/') })
    }
    return tops
  }

  /** Those that lie under a folder, or hold it. Packages are left out where `packages` is false. null: they are too many. */
  async under(folder: string, packages = true): Promise<readonly Ignored[] | null> {
    const found: Ignored[] = []
    for (const top of await this.tops()) {
      if (within(top.path, folder) ? !(await this.#walk(top.path, top.folder, packages, found)) : top.folder && within(folder, top.path) && !(await this.#walk(folder, true, packages, found))) return null
    }
    return found
  }

  /** Those right in a folder. */
  async rightIn(folder: string): Promise<readonly string[]> {
    const tops = await this.tops()
    if (tops.some((top) => top.folder && within(folder, top.path))) return ((await this.entries(folder)) ?? []).map(({ name }) => inFolder(folder, name))
    return tops.filter(({ path }) => above(path) === folder).map(({ path }) => path)
  }

  async #walk(path: string, folder: boolean, packages: boolean, found: Ignored[]): Promise<boolean> {
    if (found.length >= MOST_FILES) return false
    if (!folder) {
      const link = ((await this.entries(above(path))) ?? []).some(({ name, kind }) => kind === 'link' && name === nameIn(path))
      found.push({ path, is: link ? 'link' : 'file' })
      return true
    }
    const entries = await this.entries(path)
    if (nameIn(path) === 'node_modules' || entries?.some(({ name }) => name === 'pyvenv.cfg') === true) {
      if (packages) found.push({ path, is: 'installed' })
      return true
    }
    for (const { name, kind } of entries ?? []) {
      const one = inFolder(path, name)
      if (kind === 'folder') {
        if (!(await this.#walk(one, true, packages, found))) return false
      } else if (kind !== 'other') found.push({ path: one, is: kind })
      if (found.length > MOST_FILES) return false
    }
    return true
  }

  /** What a folder of packages holds: its manager's own list, or the names in it. */
  async installed(path: string): Promise<string> {
    for (const name of LISTS) {
      const bytes = await this.#world.read(inFolder(path, name)).catch(() => null)
      if (bytes !== null) return sha256(bytes)
    }
    const names: string[] = []
    const add = async (folder: string): Promise<void> => {
      for (const { name, kind } of (await this.entries(folder)) ?? []) {
        if (!name.startsWith('.')) names.push(`${kind} ${inFolder(folder, name)}`)
        // A scope of packages, and where a Python of one's own keeps its packages.
        if (kind === 'folder' && (name.startsWith('@') || /^(?:lib|lib64|python[\d.]*|site-packages)$/.test(name))) await add(inFolder(folder, name))
      }
    }
    await add(path)
    return sha256(names.sort().join('\n'))
  }

  /** Mode and content of a file; null: it can't be read, or is too large. */
  hash(path: string): Promise<string | null> {
    const asked = this.#hashes.get(path) ?? this.#hash(path).catch(() => null)
    this.#hashes.set(path, asked)
    return asked
  }

  async #hash(path: string): Promise<string | null> {
    const stat = await this.#world.stat(path)
    if (stat === null || stat.kind !== 'file' || stat.size > MOST_BYTES) return null
    const bytes = await this.#world.read(path)
    return bytes === null ? null : `${stat.executable ? 'x' : '-'} ${sha256(bytes)}`
  }

  /** What git ignores and a text of the repository names. */
  named(): Promise<readonly string[]> {
    return (this.#named ??= this.#askNamed())
  }

  async #askNamed(): Promise<readonly string[]> {
    const asked = new Map<string, readonly string[]>()
    for (const { path } of await this.tops()) if (!isOutput(path)) asked.set(path, wordsFor(nameIn(path)))
    const words = [...new Set([...asked.values()].flat())]
    const said = words.length > MOST_WORDS ? null : await this.#world.mentioned(words)
    return [...asked].filter(([path, own]) => /(?:^|\/)node_modules$/.test(path) || said === null || own.some((word) => said.has(word))).map(([path]) => path)
  }
}

const MOST_WORDS = 500
const LISTS = ['.package-lock.json', '.yarn-integrity', '.yarn-state.yml', '.pnpm/lock.yaml', '.modules.yaml']

/** By which words a text names a file: a module is named without its ending too. */
function wordsFor(name: string): readonly string[] {
  const bare = name.replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|json|node|py|so|pyd|h|mk|sh|rb)$/, '')
  const local = /^(\.env)\./.exec(name)?.[1]
  return [...new Set([name, ...(bare === '' ? [] : [bare]), ...(local === undefined ? [] : [local])])]
}

/** What is written for people, and what is measured. */
const isOutput = (path: string): boolean => /\.(?:log|tsbuildinfo|swp|orig|rej|tgz)$|(?:^|\/)(?:coverage|htmlcov|\.coverage|\.DS_Store|test-results|playwright-report|logs?)$/.test(path)
