import { sha256 } from '../../../base/digest.ts'
import { above, within } from '../pattern.ts'
import type { Files } from './files.ts'
import type { Ignored } from './ignored.ts'
import type { Ledger } from './ledger.ts'
import { hashOf } from './worktree.ts'

/** What counts of folders, and of what lies in them. */
export class Folders {
  readonly #ledger: Ledger
  readonly #files: Files
  readonly #trees = new Set<string>()

  constructor(ledger: Ledger, files: Files) {
    this.#ledger = ledger
    this.#files = files
  }

  /** All that lies under a folder counts. `guessed`: of it something is read that only running tells, and no installed package. */
  async tree(folder: string, guessed = false): Promise<void> {
    const asked = `${folder} ${guessed}`
    if (this.#trees.has(asked)) return
    this.#trees.add(asked)
    if (folder === '.') {
      this.#ledger.all('it reads all of the work tree')
      return guessed ? undefined : this.#ignored('.')
    }
    const real = await this.#files.real(folder)
    if (real === null) return void (await this.#files.present(folder))
    const tree = await this.#ledger.world.tree(real).catch(() => null)
    if (tree === null || tree.doubt !== null) return this.#ledger.all(`"${folder}" can't be told`)
    this.#ledger.add(`tree ${hashOf(tree)} ${real}`)
    this.#ledger.newest(tree.changed)
    await this.#ignored(real, !guessed)
    await this.#links(real)
  }

  /** The names right in a folder count, and what each is. */
  async names(folder: string): Promise<void> {
    const real = await this.#files.real(folder)
    const names = real === null ? null : await this.#ledger.lying.entries(real)
    if (names === null) return void (await this.#files.present(folder))
    this.#ledger.add(`names ${sha256(names.map(({ name, kind }) => `${kind} ${name}`).sort().join('\n'))} ${folder}`)
    await this.#ledger.noteChange(folder)
  }

  /**
   * What lies under a folder and is asked for counts by name: paths of files, sorted. `what` says in words what is asked for.
   * Of what git ignores, all is asked for, what lies right in the folder, or nothing.
   */
  async listed(folder: string, what: string, wanted: (path: string) => boolean, ignored: 'deep' | 'right' | 'none' = 'deep'): Promise<readonly string[]> {
    const lying = ignored === 'none' ? [] : ignored === 'right' ? await this.#ledger.lying.rightIn(folder) : (await this.#ledger.lying.under(folder, false))?.map(({ path }) => path)
    if (lying === undefined) this.#ledger.untold(`too much that git ignores lies in "${folder}"`)
    const paths = new Set([...this.#ledger.index.files.keys(), ...(lying ?? [])])
    const found = [...paths].filter((path) => within(path, folder) && wanted(path)).sort()
    this.#ledger.add(`list ${sha256(found.join('\n'))} ${folder} ${what}`)
    for (const at of new Set([folder, ...found.map(above)])) await this.#ledger.noteChange(at)
    return found
  }

  /** Of the whole work tree, what git's own list of it does not hold: where its links lead, and what it ignores and a text names. */
  async unheld(): Promise<void> {
    await this.#links('.')
    for (const path of await this.#ledger.lying.named()) await this.#ignored(path)
  }

  /** Links under a folder count with what they lead to, where that lies elsewhere. */
  async #links(folder: string): Promise<void> {
    for (const [path, { mode }] of this.#ledger.index.files) if (mode === '120000' && within(path, folder)) await this.#link(path, folder)
  }

  /** What git ignores under a folder, or a file that it ignores, counts as it lies. `packages`: installed ones too. */
  async #ignored(folder: string, packages = true): Promise<void> {
    const found = await this.#ledger.lying.under(folder, packages)
    if (found === null) return this.#ledger.untold(`too much that git ignores lies in "${folder}"`)
    for (const one of found) await this.#ignore(one, folder)
  }

  async #link(path: string, folder: string): Promise<void> {
    let real: string | null
    try {
      real = await this.#ledger.world.real(path)
    } catch {
      return this.#files.outside(path, 'walk')
    }
    if (real === null) return void this.#ledger.add(`absent ${path}`)
    this.#ledger.add(`link ${path} ${real}`)
    if (within(real, folder) && (this.#ledger.index.files.has(real) || this.#ledger.index.folders.has(real))) return
    if ((await this.#files.kind(real)) === 'folder') await this.tree(real)
    else await this.#files.content(real)
  }

  async #ignore({ path, is }: Ignored, folder: string): Promise<void> {
    await this.#ledger.noteChange(path)
    if (is === 'installed') return void this.#ledger.add(`installed ${await this.#ledger.lying.installed(path)} ${path}`)
    if (is === 'link') return this.#link(path, folder)
    const hash = await this.#ledger.lying.hash(path)
    if (hash === null) return this.#ledger.untold(`"${path}" can't be read, or is too large`)
    this.#ledger.add(`ignored ${hash} ${path}`)
  }
}
