import { sha256 } from '../../base/digest.ts'
import type { Reading } from '../../model/key.ts'
import type { World } from '../../model/probe.ts'
import { Files } from './inputs/files.ts'
import { Folders } from './inputs/folders.ts'
import { Ledger } from './inputs/ledger.ts'
import { matching } from './inputs/match.ts'
import { startedBy } from './inputs/programs.ts'
import { type Index, indexed } from './inputs/worktree.ts'
import { ANY, type Pattern, STAR, TOP, UNKNOWN, certainFolder, inFolder, isElsewhere, isKnown, placeOf } from './pattern.ts'

const MOST_PROGRAMS = 24

/** What is wanted of a path. */
export type How = 'read' | 'list' | 'stat' | 'mode'

const indexes = new WeakMap<World, Promise<Index | null>>()

/** All that a command can read, as far as that can be told: each line of its ledger is one thing with its state. */
export class Inputs {
  readonly world: World
  /** Programs that an earlier step made and a later one runs. */
  readonly ran = new Set<string>()
  readonly #ledger: Ledger
  readonly #files: Files
  readonly #folders: Folders
  readonly #started = new Map<string, boolean>()
  #programs = 0

  private constructor(world: World, index: Index) {
    this.world = world
    this.#ledger = new Ledger(world, index)
    this.#files = new Files(this.#ledger)
    this.#folders = new Folders(this.#ledger, this.#files)
  }

  /** null: there is no work tree. */
  static async open(world: World): Promise<Inputs | null> {
    const known = indexes.get(world) ?? world.tree('.').then((tree) => (tree === null ? null : indexed(tree)))
    indexes.set(world, known)
    const index = await known
    return index === null ? null : new Inputs(world, index)
  }

  reading(): Promise<Reading> {
    return this.#ledger.reading(() => this.#folders.unheld())
  }

  /**
   * What a program is told to look at. `read`: files with their content, folders with all in them; `list`: folders by
   * names; `stat`: whether it is there; `mode`: and what may be done with it. Gives the paths of files, where they are known.
   */
  async path(pattern: Pattern, folder: string, how: How): Promise<readonly string[]> {
    if (pattern === '') return []
    if (isElsewhere(pattern)) return this.#elsewhere(pattern, how)
    const place = placeOf(pattern, folder)
    // `../x` at the top of the repository leads out of it.
    if (place === null) return pattern.startsWith('/') ? [] : this.#elsewhere(pattern.startsWith(TOP) ? `./${pattern.slice(1)}` : inFolder(folder, pattern), how)
    if (place.split('/').includes('.git')) this.git()
    if (place === UNKNOWN) {
      this.all('a path that only running tells')
      return []
    }
    if (place.includes(ANY)) {
      this.#ledger.guessed()
      await this.#folders.tree(certainFolder(place), true)
      return []
    }
    if (!place.includes(STAR)) return this.#one(place, how)
    const names = await matching(place, this.#ledger, this.#files)
    this.#ledger.add(`match ${sha256(names.join('\n'))} ${place.replaceAll(STAR, '*')}`)
    const at = certainFolder(place)
    if ((await this.kind(at)) === 'folder') await this.#ledger.noteChange(at)
    const found: string[] = []
    for (const name of names) found.push(...(await this.#one(name, how)))
    return found
  }

  async #elsewhere(pattern: Pattern, how: How): Promise<readonly string[]> {
    if (isKnown(pattern)) await this.outside(pattern, how === 'stat' || how === 'mode' ? 'stat' : 'read')
    else this.untold('a path outside the repository that only running tells')
    return []
  }

  async #one(path: string, how: How): Promise<readonly string[]> {
    const kind = await this.kind(path)
    if (how === 'stat') await this.present(path)
    else if (how === 'mode') await this.#files.mode(path)
    else if (kind === 'folder') await (how === 'list' ? this.names(path) : this.tree(path))
    else if (how === 'list') await this.present(path)
    else await this.content(path)
    return kind === 'file' ? [path] : []
  }

  /** Which program a name starts counts; false: there is none. */
  async program(name: string, folder: string): Promise<boolean> {
    const line = `program ${folder} ${name}`
    const known = this.#started.get(line)
    if (known !== undefined) return known
    if (++this.#programs > MOST_PROGRAMS) {
      this.all('it starts many programs')
      return true
    }
    const found = await startedBy(name, folder, this.world)
    this.#started.set(line, found !== null)
    this.#ledger.add(`${line} ${found === null ? 'absent' : found.says}`)
    if (found !== null) this.#ledger.newest(found.changed)
    return found !== null
  }

  /** Whether a variable of the environment steers what is read. */
  env(names: readonly string[]): void {
    for (const name of names) if ((this.world.env(name) ?? '') !== '') this.all(`${name} is set`)
  }

  /** It may read anything. */
  all(why: string): void {
    this.#ledger.all(why)
  }

  /** It rests on what no key can hold. */
  untold(why: string): void {
    this.#ledger.untold(why)
  }

  /** It loads a module or a script that lies outside of the repository, with all that this one reads. */
  strange(name: string): void {
    this.untold(`it loads "${name}", which lies outside the repository`)
  }

  /** It starts git, which looks at refs, tags, the index and settings. */
  git(): void {
    this.#ledger.git()
  }

  /** It rests on when files were changed, which is another time in every clone. */
  times(): void {
    this.untold('it rests on times of files')
  }

  /** A text in what is read leads up, so that a path which is partly unknown may lead anywhere. */
  leadsUp(): void {
    this.#ledger.leadsUp()
  }

  /** Why all of the work tree counts; null: what was told is all. */
  get whole(): string | null {
    return this.#ledger.whole
  }

  /** Nothing more is looked at. */
  get isFull(): boolean {
    return this.#ledger.isFull
  }

  /** What lies at a path, links followed: its real path; null: nothing. */
  real(path: string): Promise<string | null> {
    return this.#files.real(path)
  }

  kind(path: string): Promise<'file' | 'folder' | null> {
    return this.#files.kind(path)
  }

  /** Whether something lies there counts, and what it is. */
  present(path: string): Promise<'file' | 'folder' | null> {
    return this.#files.present(path)
  }

  /** The content of a file counts; its text, or null where there is none (that counts too). */
  text(path: string): Promise<string | null> {
    return this.#files.text(path)
  }

  /** What a text says that no line of it can hold. */
  source(text: string, path: string): void {
    this.#files.source(text, path)
  }

  /** The content counts, and nobody needs its text. */
  content(path: string): Promise<void> {
    return this.#files.content(path)
  }

  /** What an earlier run of the same rule left counts as it lies; when it was left does not. */
  left(path: string): Promise<void> {
    return this.#files.left(path)
  }

  /** These fields of a JSON object count, and no other; null: there is no such file. What is no object counts as it is. */
  fields(path: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>> | null> {
    return this.#files.fields(path, names)
  }

  /** Whether git knows it, or would take it. */
  tracked(path: string): boolean {
    return this.#files.tracked(path)
  }

  /** Files of a name, wherever they lie; that they are there does not count. */
  known(name: string): readonly string[] {
    return this.#files.known(name)
  }

  /** What lies outside counts: a regular file by its content, anything else can't be told. `stat`: only whether and what it is. */
  outside(path: string, how: 'read' | 'stat' = 'read'): Promise<void> {
    return this.#files.outside(path, how)
  }

  /** What lies under a folder and is asked for counts by name: paths of files, sorted. `what` says in words what is asked for, `ignored` which of those that git ignores. */
  listed(folder: string, what: string, wanted: (path: string) => boolean, ignored: 'deep' | 'right' | 'none' = 'deep'): Promise<readonly string[]> {
    return this.#folders.listed(folder, what, wanted, ignored)
  }

  /** All that lies under a folder counts. `guessed`: of it something is read that only running tells, and no installed package. */
  tree(folder: string, guessed = false): Promise<void> {
    return this.#folders.tree(folder, guessed)
  }

  /** The names right in a folder count, and what each is. */
  names(folder: string): Promise<void> {
    return this.#folders.names(folder)
  }
}
