import { canonical } from '../base/canonical.ts'
import { sha256 } from '../base/digest.ts'
import { joinPath } from '../model/key.ts'
import { type Probe, type World, nearestAbove } from '../model/probe.ts'
import { includesOf } from './makefiles/includes.ts'
import { type Make, startedBy } from './makefiles/started.ts'

/** More than a build has; what goes on can not be told. */
const MOST_FILES = 1000
const MOST_MAKES = 50

/**
 * What defines the targets of a make: the makefile that it reads, and all that it includes, whether git knows them or not; and the same
 * of every make that its recipes start. Where only running tells what these are, every file that is called like a makefile counts.
 */
export default {
  id: 'makefiles',
  why: 'A target is defined by the makefile and all that it includes, which git may ignore, and by those of the makes that it starts; sources are another matter.',
  argument: '["FOLDER"] or ["FOLDER","-f","FILE","-I","FOLDER","MAKEFILES=FILE","VARIABLE=VALUE"…] as canonical JSON',
  async read(argument, world) {
    const words = parsed(argument)
    if (words === null) return { unreadable: 'it names no folder' }
    const ledger = new Ledger()
    const makes = [words]
    const seen = new Set<string>()
    for (let make = makes.shift(); make !== undefined && ledger.unreadable === null; make = makes.shift()) {
      const name = canonical([make.folder, make.files, make.searched, make.first, [...make.given]])
      if (seen.has(name)) continue
      if (seen.add(name).size > MOST_MAKES) return { unreadable: 'more makes than can be told' }
      makes.push(...(await new Reading(make, world, ledger).start()))
    }
    return ledger.result()
  },
} satisfies Probe

/** What makes read: each line is one file with its state. */
class Ledger {
  readonly lines = new Set<string>()
  changed = 0
  moved = 0
  unreadable: string | null = null

  result(): Awaited<ReturnType<Probe['read']>> {
    if (this.unreadable !== null) return { unreadable: this.unreadable }
    return { value: sha256([...this.lines].sort().map((line) => `${line}\n`).join('')), ...(this.changed > 0 && { changed: this.changed, moved: this.moved }) }
  }
}

class Reading {
  readonly #make: Make
  readonly #world: World
  readonly #ledger: Ledger
  readonly #seen = new Set<string>()
  readonly #texts: string[] = []
  #guesses = false

  constructor(make: Make, world: World, ledger: Ledger) {
    this.#make = make
    this.#world = world
    this.#ledger = ledger
  }

  /** Reads the makefiles, and gives the makes that they start. */
  async start(): Promise<readonly Make[]> {
    const { files } = this.#make
    for (const path of (this.#make.first ?? this.#world.env('MAKEFILES') ?? '').split(/\s+/)) if (path !== '') await this.#file(path)
    if (files.length > 0) for (const path of files) await this.#file(path)
    else for (const name of ['GNUmakefile', 'makefile', 'Makefile']) if (await this.#file(name)) break
    await this.#included()
    const { makes, isSure } = startedBy(this.#texts, this.#make)
    if (!isSure) await this.#likely()
    // Where all that are called like a makefile count, those of another name, or elsewhere, are what is left.
    return this.#guesses ? makes.filter(({ folder, files }) => files.length > 0 || isOutside(folder)) : makes
  }

  /** What the texts include together: a variable may be set in one and used in another. */
  async #included(): Promise<void> {
    for (let read = -1; read !== this.#seen.size && this.#ledger.unreadable === null; ) {
      read = this.#seen.size
      const { paths, isSure } = includesOf(this.#texts, this.#make.given)
      for (const path of paths) if (!(await this.#file(path)) && !path.startsWith('/')) for (const folder of this.#make.searched) if (await this.#file(`${folder}/${path}`)) break
      if (!isSure) await this.#likely()
    }
  }

  async #likely(): Promise<void> {
    this.#guesses = true
    const tree = await this.#world.tree('.')
    for (const { path } of tree?.files ?? []) if (/(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.[\w.-]+)?|[\w.-]+\.(?:mk|mak|make))$/.test(path)) await this.#lying(path)
    const { folder } = this.#make
    // Of those that git ignores, what lies beside the makefile.
    for (const { name } of (isOutside(folder) ? null : await this.#world.entries(folder)) ?? []) if (/\.(?:mk|mak|make)$/.test(name)) await this.#lying(joinPath(folder, name) ?? name)
  }

  /** Whether it is there, from where make works. */
  async #file(path: string): Promise<boolean> {
    const { folder } = this.#make
    const place = isOutside(folder) ? null : joinPath(folder, path)
    return place === null ? this.#outside(path.startsWith('/') ? path : `${folder}/${path}`) : this.#lying(place)
  }

  async #lying(place: string): Promise<boolean> {
    if (this.#ledger.lines.size > MOST_FILES) this.#ledger.unreadable = 'more makefiles than can be told'
    const found = await this.#world.stat(place)
    const bytes = found?.kind === 'file' ? await this.#world.read(place) : null
    if (found === null || bytes === null) {
      const above = await nearestAbove(place, this.#world)
      this.#ledger.moved = Math.max(this.#ledger.moved, above.changed, above.moved)
      return !this.#add(`absent ${place}`)
    }
    this.#ledger.changed = Math.max(this.#ledger.changed, found.changed)
    this.#ledger.moved = Math.max(this.#ledger.moved, found.moved)
    if (this.#add(`${sha256(bytes)} ${place}`)) this.#texts.push(Buffer.from(bytes).toString('utf8'))
    return true
  }

  async #outside(path: string): Promise<boolean> {
    const found = await this.#world.outside(path)
    if (found === null) return !this.#add(`outside absent ${path}`)
    if (found.bytes === null) {
      this.#ledger.unreadable = 'a makefile outside of the work tree can not be read'
      return true
    }
    this.#ledger.changed = Math.max(this.#ledger.changed, found.changed)
    if (this.#add(`outside ${sha256(found.bytes)} ${path}`)) this.#texts.push(Buffer.from(found.bytes).toString('utf8'))
    return true
  }

  /** Whether it is new to this make; always true for what is absent, which nobody reads twice. */
  #add(line: string): boolean {
    this.#ledger.lines.add(line)
    const isNew = !this.#seen.has(line)
    this.#seen.add(line)
    return isNew || line.includes('absent ')
  }
}

const isOutside = (folder: string): boolean => /^(?:\/|\.\.(?:\/|$))/.test(folder)

function parsed(argument: string): Make | null {
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
