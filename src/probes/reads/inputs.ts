import { canonical } from '../../base/canonical.ts'
import { sha256 } from '../../base/digest.ts'
import { objectOf } from '../../base/json.ts'
import type { Reading } from '../../model/key.ts'
import type { World } from '../../model/probe.ts'
import { Budget } from './inputs/budget.ts'
import { type Ignored, Lying } from './inputs/ignored.ts'
import { startedBy } from './inputs/programs.ts'
import { type Index, hashOf, indexed } from './inputs/worktree.ts'
import { namesGit, namesHome } from './inputs/texts.ts'
import { ANY, type Pattern, STAR, TOP, UNKNOWN, above, certainFolder, inFolder, fitsStep, isElsewhere, isKnown, placeOf, within } from './pattern.ts'

const MOST_PROGRAMS = 24
const MOST_MATCHES = 3000

/** What is wanted of a path. */
export type How = 'read' | 'list' | 'stat' | 'mode'

const indexes = new WeakMap<World, Promise<Index | null>>()

/** All that a command can read, as far as that can be told: each `line` is one thing with its state. */
export class Inputs {
  readonly world: World
  /** Programs that an earlier step made and a later one runs. */
  readonly ran = new Set<string>()
  readonly #index: Index
  readonly #budget: Budget
  readonly #lying: Lying
  readonly #trees = new Set<string>()
  readonly #lines = new Set<string>()
  readonly #texts = new Map<string, string>()
  readonly #started = new Map<string, boolean>()
  readonly #noted = new Set<string>()
  readonly #objects = new Map<string, Readonly<Record<string, unknown>> | null>()
  #changed = 0
  #programs = 0
  #all: string | null = null
  #guessed = false
  #leadsUp = false
  #untold: string | null = null

  private constructor(world: World, index: Index) {
    this.world = world
    this.#index = index
    this.#budget = new Budget(world)
    this.#lying = Lying.in(world)
  }

  /** null: there is no work tree. */
  static async open(world: World): Promise<Inputs | null> {
    const known = indexes.get(world) ?? world.tree('.').then((tree) => (tree === null ? null : indexed(tree)))
    indexes.set(world, known)
    const index = await known
    return index === null ? null : new Inputs(world, index)
  }

  /** Why all of the work tree counts; null: what was told is all. */
  get whole(): string | null {
    return this.#all ?? (this.#guessed && this.#leadsUp ? 'a path that only running tells may lead up' : null)
  }

  get lines(): readonly string[] {
    return [...this.#lines].sort()
  }

  async reading(): Promise<Reading> {
    const { tree } = this.#index
    if (tree.doubt !== null) return { unreadable: tree.doubt }
    if (this.#untold !== null) return { unreadable: this.#untold }
    if (this.#budget.isSpent) return { unreadable: 'too much was followed in one look' }
    if (this.whole !== null) {
      await this.#links('.')
      for (const path of await this.#lying.named()) await this.#ignored(path)
      this.#lines.add(`tree ${hashOf(tree)} .`)
      this.#changed = Math.max(this.#changed, tree.changed)
    }
    if (this.#untold !== null) return { unreadable: this.#untold }
    return { value: sha256(this.lines.map((line) => `${line}\n`).join('')), changed: this.#changed }
  }

  /** It may read anything. */
  all(why: string): void {
    this.#all ??= why
  }

  /** It rests on what no key can hold. */
  untold(why: string): void {
    this.#untold ??= why
  }

  /** It starts git, which looks at refs, tags, the index and settings. */
  git(): void {
    this.untold("it rests on git's own state")
  }

  /** What lies outside counts: a regular file by its content, anything else can't be told. Of a link in what is only walked, a folder counts as there. */
  async outside(path: string, how: 'read' | 'stat' | 'walk' = 'read'): Promise<void> {
    if (path.split('/').some((step) => step.toLowerCase() === '.git')) return this.git()
    const found = await this.world.outside(path).catch(() => 'closed' as const)
    if (found === 'closed') return this.untold(`it rests on "${path}", which can not be read`)
    if (found !== null) this.#changed = Math.max(this.#changed, found.changed)
    if (found === null) this.#lines.add(`outside absent ${path}`)
    else if (how === 'stat' || (how === 'walk' && found.kind !== 'file')) this.#lines.add(`outside ${found.kind} ${path}`)
    else if (found.bytes === null) return this.untold(`it rests on "${path}", which lies outside the repository`)
    else {
      this.#lines.add(`outside ${sha256(found.bytes)} ${path}`)
      this.#count(found.bytes.byteLength)
    }
  }

  /** It rests on when files were changed, which is another time in every clone. */
  times(): void {
    this.untold('it rests on times of files')
  }

  /** Links under a folder count with what they lead to, where that lies elsewhere. */
  async #links(folder: string): Promise<void> {
    for (const [path, { mode }] of this.#index.files) if (mode === '120000' && within(path, folder)) await this.#link(path, folder)
  }

  async #link(path: string, folder: string): Promise<void> {
    let real: string | null
    try {
      real = await this.world.real(path)
    } catch {
      return this.outside(path, 'walk')
    }
    if (real === null) return void this.#lines.add(`absent ${path}`)
    this.#lines.add(`link ${path} ${real}`)
    if (within(real, folder) && (this.#index.files.has(real) || this.#index.folders.has(real))) return
    if ((await this.kind(real)) === 'folder') await this.tree(real)
    else await this.content(real)
  }

  /** What git ignores under a folder, or a file that it ignores, counts as it lies. `packages`: installed ones too. */
  async #ignored(folder: string, packages = true): Promise<void> {
    const found = await this.#lying.under(folder, packages)
    if (found === null) return this.untold(`too much that git ignores lies in "${folder}"`)
    for (const one of found) await this.#ignore(one, folder)
  }

  async #ignore({ path, is }: Ignored, folder: string): Promise<void> {
    await this.#noteChange(path)
    if (is === 'installed') return void this.#lines.add(`installed ${await this.#lying.installed(path)} ${path}`)
    if (is === 'link') return this.#link(path, folder)
    const hash = await this.#lying.hash(path)
    if (hash === null) return this.untold(`"${path}" can't be read, or is too large`)
    this.#lines.add(`ignored ${hash} ${path}`)
  }

  /** A text in what is read leads up, so that a path which is partly unknown may lead anywhere. */
  leadsUp(): void {
    this.#leadsUp = true
  }

  /** What lies at a path, links followed: its real path; null: nothing. */
  async real(path: string): Promise<string | null> {
    const file = this.#index.files.get(path)
    if ((file !== undefined && file.mode !== '120000' && file.mode !== '160000') || this.#index.folders.has(path)) return path
    try {
      const real = await this.world.real(path)
      if (real !== null && real !== path) this.#lines.add(`link ${path} ${real}`)
      return real
    } catch {
      this.all(`"${path}" leads where no key may look`)
      if (!path.startsWith('.remnants')) await this.outside(path)
      this.#lines.add(`closed ${path}`)
      return null
    }
  }

  async kind(path: string): Promise<'file' | 'folder' | null> {
    if (this.#index.folders.has(path)) return 'folder'
    const mode = this.#index.files.get(path)?.mode
    if (mode !== undefined && mode !== '120000') return mode === '160000' ? 'folder' : 'file'
    try {
      const found = await this.world.stat(path)
      return found === null ? null : found.kind === 'file' ? 'file' : 'folder'
    } catch {
      return null
    }
  }

  /** Whether something lies there counts, and what it is. */
  async present(path: string): Promise<'file' | 'folder' | null> {
    if (this.#lines.has(`file ${path}`)) return 'file'
    const kind = await this.kind(path)
    if (kind === null) await this.#absent(path)
    else if (kind === 'file') await this.#noteChange(path)
    if (kind !== null) this.#lines.add(`${kind} ${path}`)
    return kind
  }

  async #absent(path: string): Promise<void> {
    if (this.#lines.has(`absent ${path}`)) return
    await this.real(path)
    this.#lines.add(`absent ${path}`)
    for (let at = above(path); ; at = above(at)) {
      const found = await this.world.stat(at).catch(() => null)
      if (found !== null) this.#changed = Math.max(this.#changed, found.changed)
      if (found !== null || at === '.') return
    }
  }

  async #noteChange(path: string): Promise<void> {
    if (this.#noted.has(path)) return
    this.#noted.add(path)
    const found = await this.world.stat(path).catch(() => null)
    this.#changed = Math.max(this.#changed, found?.changed ?? 0)
  }

  /** The content of a file counts; its text, or null where there is none (that counts too). */
  async text(path: string): Promise<string | null> {
    const known = this.#texts.get(path)
    if (known !== undefined) return known
    const bytes = await this.#content(path)
    if (bytes === null) return null
    const text = Buffer.from(bytes).toString('utf8')
    this.#texts.set(path, text)
    this.source(text, path)
    return text
  }

  /** What a text says that no line of it can hold. */
  source(text: string, path: string): void {
    if (namesGit(text, path)) this.git()
    if (namesHome(text, path)) this.untold(`"${path}" looks into the home folder`)
  }

  /** The content counts, and nobody needs its text. */
  async content(path: string): Promise<void> {
    const file = this.#index.files.get(path)
    if (file === undefined || file.mode === '120000' || file.mode === '160000') return void (await this.#content(path))
    if (this.#lines.has(`${file.mode} ${file.blob} ${path}`)) return
    this.#lines.add(`${file.mode} ${file.blob} ${path}`)
    this.#count(0)
    await this.#noteChange(path)
  }

  /** What an earlier run of the same rule left counts as it lies; when it was left does not. */
  async left(path: string): Promise<void> {
    const hash = await this.#lying.hash(path)
    if (hash === null) return this.untold(`"${path}" can't be read, or is too large`)
    this.#lines.add(`left ${hash} ${path}`)
  }

  async #content(path: string): Promise<Uint8Array | null> {
    const real = await this.real(path)
    const bytes = real === null ? null : await this.world.read(real).catch(() => null)
    if (real === null || bytes === null) {
      if ((await this.kind(path)) === null) await this.#absent(path)
      else {
        this.#lines.add(`unread ${path}`)
        this.all(`"${path}" is no file that can be read`)
      }
      return null
    }
    const file = this.#index.files.get(real)
    const line = file === undefined ? `ignored ${(await this.#lying.hash(real)) ?? sha256(bytes)} ${real}` : `${file.mode} ${file.blob} ${real}`
    if (!this.#lines.has(line)) this.#count(bytes.byteLength)
    this.#lines.add(line)
    await this.#noteChange(path)
    return bytes
  }

  #count(bytes: number): void {
    this.#budget.take(bytes)
    if (this.#budget.isOver) this.all('it can read too much to be followed')
  }

  /** Nothing more is looked at. */
  get isFull(): boolean {
    return this.#budget.isOver || this.#budget.isSpent
  }

  /** These fields of a JSON object count, and no other; null: there is no such file. What is no object counts as it is. */
  async fields(path: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>> | null> {
    const asked = `${path} ${names.join(' ')}`
    const known = this.#objects.get(asked)
    if (known !== undefined) return known
    const found = await this.#fields(path, names)
    this.#objects.set(asked, found)
    return found
  }

  async #fields(path: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>> | null> {
    if ((await this.kind(path)) !== 'file') {
      await this.#absent(path)
      return null
    }
    const real = await this.real(path)
    const bytes = real === null ? null : await this.world.read(real).catch(() => null)
    try {
      const whole = objectOf(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')))
      this.#lines.add(`fields ${sha256(canonical(Object.fromEntries(names.map((name) => [name, whole[name] ?? null]))))} ${path} ${names.join(' ')}`)
      this.#count(0)
      await this.#noteChange(path)
      return whole
    } catch {
      await this.content(path)
      return {}
    }
  }

  /** Whether git knows it, or would take it. */
  tracked(path: string): boolean {
    return this.#index.files.has(path)
  }

  /** Files of a name, wherever they lie; that they are there does not count. */
  known(name: string): readonly string[] {
    return [...this.#index.files.keys()].filter((path) => path === name || path.endsWith(`/${name}`))
  }

  /**
   * What lies under a folder and is asked for counts by name: paths of files, sorted. `what` says in words what is asked for.
   * Of what git ignores, all is asked for, what lies right in the folder, or nothing.
   */
  async listed(folder: string, what: string, wanted: (path: string) => boolean, ignored: 'deep' | 'right' | 'none' = 'deep'): Promise<readonly string[]> {
    const lying = ignored === 'none' ? [] : ignored === 'right' ? await this.#lying.rightIn(folder) : (await this.#lying.under(folder, false))?.map(({ path }) => path)
    if (lying === undefined) this.untold(`too much that git ignores lies in "${folder}"`)
    const paths = new Set([...this.#index.files.keys(), ...(lying ?? [])])
    const found = [...paths].filter((path) => within(path, folder) && wanted(path)).sort()
    this.#lines.add(`list ${sha256(found.join('\n'))} ${folder} ${what}`)
    for (const at of new Set([folder, ...found.map(above)])) await this.#noteChange(at)
    return found
  }

  /** All that lies under a folder counts. `guessed`: of it something is read that only running tells, and no installed package. */
  async tree(folder: string, guessed = false): Promise<void> {
    const asked = `${folder} ${guessed}`
    if (this.#trees.has(asked)) return
    this.#trees.add(asked)
    if (folder === '.') {
      this.all('it reads all of the work tree')
      return guessed ? undefined : this.#ignored('.')
    }
    const real = await this.real(folder)
    if (real === null) return void (await this.present(folder))
    const tree = await this.world.tree(real).catch(() => null)
    if (tree === null || tree.doubt !== null) return this.all(`"${folder}" can't be told`)
    this.#lines.add(`tree ${hashOf(tree)} ${real}`)
    this.#changed = Math.max(this.#changed, tree.changed)
    await this.#ignored(real, !guessed)
    await this.#links(real)
  }

  /** The names right in a folder count, and what each is. */
  async names(folder: string): Promise<void> {
    const real = await this.real(folder)
    const names = real === null ? null : await this.#lying.entries(real)
    if (names === null) return void (await this.present(folder))
    this.#lines.add(`names ${sha256(names.map(({ name, kind }) => `${kind} ${name}`).sort().join('\n'))} ${folder}`)
    await this.#noteChange(folder)
  }

  /** Whether it is there, whether it is a link, and what may be done with it. */
  async #mode(path: string): Promise<void> {
    await this.present(path)
    const link = ((await this.#lying.entries(above(path)).catch(() => null)) ?? []).some(({ name, kind }) => kind === 'link' && inFolder(above(path), name) === path)
    if (link) await this.real(path)
    const found = await this.world.stat(path).catch(() => null)
    this.#lines.add(`mode ${found?.mode ?? '-'} ${link ? 'link' : '-'} ${path}`)
    if (found !== null) await this.#noteChange(path)
  }

  /**
   * What a program is told to look at. `read`: files with their content, folders with all in them; `list`: folders by
   * names; `stat`: whether it is there; `mode`: and what may be done with it. Gives the paths of files, where they are known.
   */
  async path(pattern: Pattern, folder: string, how: How): Promise<readonly string[]> {
    if (pattern === '') return []
    if (isElsewhere(pattern)) {
      if (isKnown(pattern)) await this.outside(pattern, how === 'stat' || how === 'mode' ? 'stat' : 'read')
      else this.untold('a path outside the repository that only running tells')
      return []
    }
    const place = placeOf(pattern, folder)
    if (place === null) return this.#above(pattern, folder, how)
    if (place.split('/').includes('.git')) this.git()
    if (place === UNKNOWN) {
      this.all('a path that only running tells')
      return []
    }
    if (place.includes(ANY)) {
      this.#guessed = true
      await this.tree(certainFolder(place), true)
      return []
    }
    if (!place.includes(STAR)) return this.#one(place, how)
    const names = await this.#matching(place)
    this.#lines.add(`match ${sha256(names.join('\n'))} ${place.replaceAll(STAR, '*')}`)
    const at = certainFolder(place)
    if ((await this.kind(at)) === 'folder') await this.#noteChange(at)
    const found: string[] = []
    for (const name of names) found.push(...(await this.#one(name, how)))
    return found
  }

  /** Paths that fit a place with STARs in it, sorted. */
  async #matching(place: string): Promise<readonly string[]> {
    let found = ['.']
    const steps = place.split('/')
    for (const [i, step] of steps.entries()) {
      const next: string[] = []
      for (const folder of found) {
        if (!step.includes(STAR)) next.push(inFolder(folder, step))
        else for (const { name } of (await this.#lying.entries(folder).catch(() => null)) ?? []) if (fitsStep(name, step)) next.push(inFolder(folder, name))
        if (next.length > MOST_MATCHES) {
          this.untold(`too much fits "${place.replaceAll(STAR, '*')}"`)
          return []
        }
      }
      found = next
      if (i < steps.length - 1 || !step.includes(STAR)) {
        const kinds = await Promise.all(found.map((path) => this.kind(path)))
        found = found.filter((_, n) => (i < steps.length - 1 ? kinds[n] === 'folder' : kinds[n] !== null))
      }
    }
    return found.sort()
  }

  /** `../x` at the top of the repository leads out of it. */
  async #above(pattern: Pattern, folder: string, how: How): Promise<readonly string[]> {
    if (pattern.startsWith('/')) return []
    const relative = pattern.startsWith(TOP) ? `./${pattern.slice(1)}` : inFolder(folder, pattern)
    if (isKnown(relative)) await this.outside(relative, how === 'stat' || how === 'mode' ? 'stat' : 'read')
    else this.untold('a path outside the repository that only running tells')
    return []
  }

  async #one(path: string, how: How): Promise<readonly string[]> {
    const kind = await this.kind(path)
    if (how === 'stat') await this.present(path)
    else if (how === 'mode') await this.#mode(path)
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
    if (found === null) {
      this.#lines.add(`${line} absent`)
      return false
    }
    this.#lines.add(`${line} ${found.says}`)
    this.#changed = Math.max(this.#changed, found.changed)
    return true
  }

  /** Whether a variable of the environment steers what is read. */
  env(names: readonly string[]): void {
    for (const name of names) if ((this.world.env(name) ?? '') !== '') this.all(`${name} is set`)
  }
}
