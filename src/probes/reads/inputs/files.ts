import { canonical } from '../../../base/canonical.ts'
import { blobId, sha256 } from '../../../base/digest.ts'
import { objectOf } from '../../../base/json.ts'
import { above, inFolder } from '../pattern.ts'
import type { Ledger } from './ledger.ts'
import { namesGit, namesHome } from './texts.ts'

/** What counts of single paths. */
export class Files {
  readonly #ledger: Ledger
  readonly #texts = new Map<string, string>()
  readonly #objects = new Map<string, Readonly<Record<string, unknown>> | null>()

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** What lies at a path, links followed: its real path; null: nothing. */
  async real(path: string): Promise<string | null> {
    const file = this.#ledger.index.files.get(path)
    if ((file !== undefined && file.mode !== '120000' && file.mode !== '160000') || this.#ledger.index.folders.has(path)) return path
    try {
      const real = await this.#ledger.world.real(path)
      if (real !== null && real !== path) this.#ledger.add(`link ${path} ${real}`)
      return real
    } catch {
      this.#ledger.all(`"${path}" leads where no key may look`)
      if (!path.startsWith('.remnants')) await this.outside(path)
      this.#ledger.add(`closed ${path}`)
      return null
    }
  }

  async kind(path: string): Promise<'file' | 'folder' | null> {
    if (this.#ledger.index.folders.has(path)) return 'folder'
    const mode = this.#ledger.index.files.get(path)?.mode
    if (mode !== undefined && mode !== '120000') return mode === '160000' ? 'folder' : 'file'
    try {
      const found = await this.#ledger.world.stat(path)
      return found === null ? null : found.kind === 'file' ? 'file' : 'folder'
    } catch {
      return null
    }
  }

  /** Whether something lies there counts, and what it is. */
  async present(path: string): Promise<'file' | 'folder' | null> {
    if (this.#ledger.has(`file ${path}`)) return 'file'
    const kind = await this.kind(path)
    if (kind === null) await this.#absent(path)
    else if (kind === 'file') await this.#ledger.noteChange(path)
    if (kind !== null) this.#ledger.add(`${kind} ${path}`)
    return kind
  }

  /** Whether it is there, whether it is a link, and what may be done with it. */
  async mode(path: string): Promise<void> {
    await this.present(path)
    const link = ((await this.#ledger.lying.entries(above(path)).catch(() => null)) ?? []).some(({ name, kind }) => kind === 'link' && inFolder(above(path), name) === path)
    if (link) await this.real(path)
    const found = await this.#ledger.world.stat(path).catch(() => null)
    this.#ledger.add(`mode ${found?.mode ?? '-'} ${link ? 'link' : '-'} ${path}`)
    if (found !== null) await this.#ledger.noteChange(path)
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
    if (namesGit(text, path)) this.#ledger.git()
    if (namesHome(text, path)) this.#ledger.untold(`"${path}" looks into the home folder`)
  }

  /** The content counts, and nobody needs its text. */
  async content(path: string): Promise<void> {
    const file = this.#ledger.index.files.get(path)
    if (file === undefined || file.mode === '120000' || file.mode === '160000') return void (await this.#content(path))
    if (this.#ledger.has(`${file.mode} ${file.blob} ${path}`)) return
    this.#ledger.add(`${file.mode} ${file.blob} ${path}`)
    this.#ledger.count(0)
    await this.#ledger.noteChange(path)
  }

  /** What an earlier run of the same rule left counts as it lies; when it was left does not. */
  async left(path: string): Promise<void> {
    const hash = await this.#ledger.lying.hash(path)
    if (hash === null) return this.#ledger.untold(`"${path}" can't be read, or is too large`)
    this.#ledger.add(`left ${hash} ${path}`)
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

  /** Whether git knows it, or would take it. */
  tracked(path: string): boolean {
    return this.#ledger.index.files.has(path)
  }

  /** Files of a name, wherever they lie; that they are there does not count. */
  known(name: string): readonly string[] {
    return [...this.#ledger.index.files.keys()].filter((path) => path === name || path.endsWith(`/${name}`))
  }

  /** What lies outside counts: a regular file by its content, anything else can't be told. Of a link in what is only walked, a folder counts as there. */
  async outside(path: string, how: 'read' | 'stat' | 'walk' = 'read'): Promise<void> {
    if (path.split('/').some((step) => step.toLowerCase() === '.git')) return this.#ledger.git()
    const found = await this.#ledger.world.outside(path).catch(() => 'closed' as const)
    if (found === 'closed') return this.#ledger.untold(`it rests on "${path}", which can not be read`)
    if (found !== null) this.#ledger.newest(found.changed)
    if (found === null) this.#ledger.add(`outside absent ${path}`)
    else if (how === 'stat' || (how === 'walk' && found.kind !== 'file')) this.#ledger.add(`outside ${found.kind} ${path}`)
    else if (found.bytes === null) return this.#ledger.untold(`it rests on "${path}", which lies outside the repository`)
    else {
      this.#ledger.add(`outside ${sha256(found.bytes)} ${path}`)
      this.#ledger.count(found.bytes.byteLength)
    }
  }

  async #absent(path: string): Promise<void> {
    if (this.#ledger.has(`absent ${path}`)) return
    await this.real(path)
    this.#ledger.add(`absent ${path}`)
    for (let at = above(path); ; at = above(at)) {
      const found = await this.#ledger.world.stat(at).catch(() => null)
      if (found !== null) this.#ledger.newest(found.changed)
      if (found !== null || at === '.') return
    }
  }

  async #content(path: string): Promise<Uint8Array | null> {
    const real = await this.real(path)
    const bytes = real === null ? null : await this.#ledger.world.read(real).catch(() => null)
    if (real === null || bytes === null) {
      if ((await this.kind(path)) === null) await this.#absent(path)
      else {
        this.#ledger.add(`unread ${path}`)
        this.#ledger.all(`"${path}" is no file that can be read`)
      }
      return null
    }
    const file = this.#ledger.index.files.get(real)
    const line = file === undefined ? `ignored ${(await this.#ledger.lying.hash(real)) ?? sha256(bytes)} ${real}` : `${file.mode} ${file.blob} ${real}`
    if (!this.#ledger.has(line)) this.#ledger.count(bytes.byteLength)
    this.#ledger.add(line)
    // A program reads what lies there, which git's filters may take for something else: line ends, expanded words.
    if (file !== undefined && file.blob !== blobId(bytes, file.blob.length === 40 ? 'sha1' : 'sha256')) this.#ledger.add(`lies ${sha256(bytes)} ${real}`)
    await this.#ledger.noteChange(path)
    return bytes
  }

  async #fields(path: string, names: readonly string[]): Promise<Readonly<Record<string, unknown>> | null> {
    if ((await this.kind(path)) !== 'file') {
      await this.#absent(path)
      return null
    }
    const real = await this.real(path)
    const bytes = real === null ? null : await this.#ledger.world.read(real).catch(() => null)
    try {
      const whole = objectOf(JSON.parse(Buffer.from(bytes ?? []).toString('utf8')))
      this.#ledger.add(`fields ${sha256(canonical(Object.fromEntries(names.map((name) => [name, whole[name] ?? null]))))} ${path} ${names.join(' ')}`)
      this.#ledger.count(0)
      await this.#ledger.noteChange(path)
      return whole
    } catch {
      await this.content(path)
      return {}
    }
  }
}
