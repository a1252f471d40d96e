import { lstatSync } from 'node:fs'
import { sha256 } from '../base/digest.ts'

/** What changed this shortly before it was looked at may have changed again within the same tick of its clock (ms). */
const TICK = 2000

/** How what is stored lies, as one text, which is another where it may be other bytes now. */
export class Evidence {
  readonly #texts: string[] = []
  readonly #numbers: number[] = []
  readonly #before: number
  #isWhole = true

  /** `now`: milliseconds. */
  constructor(now: number) {
    this.#before = now - TICK
  }

  /** Something that is known by a text; null: it can't be told. */
  text(text: string | null): void {
    if (text === null) this.#isWhole = false
    else this.#texts.push(text)
  }

  /** The copy of a remnant at this path: what git's own index asks of a file too, which is size, times and inode. */
  copy(digest: string, path: string): void {
    const stat = this.#isWhole ? statOf(path) : null
    if (stat === null || Math.max(stat.mtimeMs, stat.ctimeMs) > this.#before) this.#isWhole = false
    else {
      this.#texts.push(digest)
      this.#numbers.push(stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino)
    }
  }

  /** null: something lies nowhere, or changed just now. */
  mark(): string | null {
    if (!this.#isWhole) return null
    return sha256(Buffer.concat([Buffer.from(Float64Array.from(this.#numbers).buffer), Buffer.from(this.#texts.join('\n'))]))
  }
}

/** null: there is no plain file. */
function statOf(path: string): { size: number; mtimeMs: number; ctimeMs: number; ino: number } | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true ? stat : null
  } catch {
    return null
  }
}
