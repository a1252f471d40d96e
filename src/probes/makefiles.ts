import { sha256 } from '../base/digest.ts'
import { joinPath } from '../model/key.ts'
import { type Probe, type World, nearestAbove } from '../model/probe.ts'
import { includesOf } from './makefiles/includes.ts'

/** More than a build has; what goes on can not be told. */
const MOST_FILES = 200

/**
 * What defines the targets of a make: the makefile that it reads, and all that it includes, whether git knows them or not.
 * Where only running tells what is included, every file that is called like a makefile counts.
 */
export default {
  id: 'makefiles',
  why: 'A target is defined by the makefile and all that it includes, which git may ignore; recipes and sources are another matter.',
  argument: '["FOLDER"] or ["FOLDER","-f","FILE","-I","FOLDER","MAKEFILES=FILE","VARIABLE=VALUE"…] as canonical JSON',
  async read(argument, world) {
    const words = parsed(argument)
    if (words === null) return { unreadable: 'it names no folder' }
    const reading = new Reading(words, world)
    await reading.start()
    return reading.result()
  },
} satisfies Probe

interface Words {
  readonly folder: string
  readonly files: readonly string[]
  readonly searched: readonly string[]
  /** Read before all others; null: the environment says. */
  readonly first: string | null
  /** Variables that the command line sets; null: to what only running tells. */
  readonly given: ReadonlyMap<string, string | null>
}

class Reading {
  readonly #words: Words
  readonly #world: World
  readonly #lines = new Set<string>()
  readonly #texts: string[] = []
  #changed = 0
  #moved = 0
  #unreadable: string | null = null

  constructor(words: Words, world: World) {
    this.#words = words
    this.#world = world
  }

  result(): Awaited<ReturnType<Probe['read']>> {
    if (this.#unreadable !== null) return { unreadable: this.#unreadable }
    return { value: sha256([...this.#lines].sort().map((line) => `${line}\n`).join('')), ...(this.#changed > 0 && { changed: this.#changed, moved: this.#moved }) }
  }

  async start(): Promise<void> {
    const { files } = this.#words
    for (const path of (this.#words.first ?? this.#world.env('MAKEFILES') ?? '').split(/\s+/)) if (path !== '') await this.#file(path)
    if (files.length > 0) for (const path of files) await this.#file(path)
    else for (const name of ['GNUmakefile', 'makefile', 'Makefile']) if (await this.#file(name)) break
    await this.#included()
  }

  /** What the texts include together: a variable may be set in one and used in another. */
  async #included(): Promise<void> {
    for (let read = -1; read !== this.#lines.size && this.#unreadable === null; ) {
      read = this.#lines.size
      const { paths, isSure } = includesOf(this.#texts, this.#words.given)
      for (const path of paths) if (!(await this.#file(path)) && !path.startsWith('/')) for (const folder of this.#words.searched) if (await this.#file(`${folder}/${path}`)) break
      if (!isSure) await this.#likely()
    }
  }

  async #likely(): Promise<void> {
    const tree = await this.#world.tree('.')
    for (const { path } of tree?.files ?? []) if (/(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.[\w.-]+)?|[\w.-]+\.(?:mk|mak|make))$/.test(path)) await this.#lying(path)
    const { folder } = this.#words
    // Of those that git ignores, what lies beside the makefile.
    for (const { name } of (await this.#world.entries(folder)) ?? []) if (/\.(?:mk|mak|make)$/.test(name)) await this.#lying(joinPath(folder, name) ?? name)
  }

  /** Whether it is there, from where make works. */
  async #file(path: string): Promise<boolean> {
    const place = joinPath(this.#words.folder, path)
    return place === null ? this.#outside(path.startsWith('/') ? path : `${this.#words.folder}/${path}`) : this.#lying(place)
  }

  async #lying(place: string): Promise<boolean> {
    if (this.#lines.size > MOST_FILES) this.#unreadable = 'more makefiles than can be told'
    const found = await this.#world.stat(place)
    const bytes = found?.kind === 'file' ? await this.#world.read(place) : null
    if (found === null || bytes === null) {
      const above = await nearestAbove(place, this.#world)
      this.#moved = Math.max(this.#moved, above.changed, above.moved)
      return !this.#add(`absent ${place}`)
    }
    this.#changed = Math.max(this.#changed, found.changed)
    this.#moved = Math.max(this.#moved, found.moved)
    if (this.#add(`${sha256(bytes)} ${place}`)) this.#texts.push(Buffer.from(bytes).toString('utf8'))
    return true
  }

  async #outside(path: string): Promise<boolean> {
    const found = await this.#world.outside(path)
    if (found === null) return !this.#add(`outside absent ${path}`)
    if (found.bytes === null) {
      this.#unreadable = 'a makefile outside of the work tree can not be read'
      return true
    }
    this.#changed = Math.max(this.#changed, found.changed)
    if (this.#add(`outside ${sha256(found.bytes)} ${path}`)) this.#texts.push(Buffer.from(found.bytes).toString('utf8'))
    return true
  }

  /** Whether it is new; always true for what is absent, which nobody reads twice. */
  #add(line: string): boolean {
    const isNew = !this.#lines.has(line)
    this.#lines.add(line)
    return isNew || line.includes('absent ')
  }
}

function parsed(argument: string): Words | null {
  try {
    const value: unknown = JSON.parse(argument)
    if (!Array.isArray(value) || value.length === 0 || !value.every((word): word is string => typeof word === 'string')) return null
    const [folder = '.', ...words] = value as string[]
    const behind = (option: string): string[] => words.filter((_, i) => words[i - 1] === option)
    const given = new Map<string, string | null>()
    for (const [i, word] of words.entries()) {
      const [, name, operator = '', text = ''] = /^([A-Za-z_][\w.-]*)([:?+!]{0,3}=)(.*)$/s.exec(word) ?? []
      if (name !== undefined && !/^-[fI]$/.test(words[i - 1] ?? '')) given.set(name, /^:{0,3}=$/.test(operator) ? text : null)
    }
    return { folder, files: behind('-f'), searched: behind('-I'), first: words.find((word) => word.startsWith('MAKEFILES='))?.slice('MAKEFILES='.length) ?? null, given }
  } catch {
    return null
  }
}
