import { sha256 } from '../../../base/digest.ts'
import type { Reading } from '../../../model/key.ts'
import type { World } from '../../../model/probe.ts'
import { Budget } from './budget.ts'
import { Lying } from './ignored.ts'
import { type Index, hashOf } from './worktree.ts'

/** What is written down of one command: each line is one thing with its state; and what no line can hold. */
export class Ledger {
  readonly world: World
  /** What git knows or would take, and what really lies there: of one moment. */
  readonly index: Index
  readonly lying: Lying
  readonly #budget: Budget
  readonly #lines = new Set<string>()
  readonly #noted = new Set<string>()
  #changed = 0
  #all: string | null = null
  #untold: string | null = null
  #guessed = false
  #leadsUp = false

  constructor(world: World, index: Index) {
    this.world = world
    this.index = index
    this.lying = Lying.in(world)
    this.#budget = new Budget(world)
  }

  get lines(): readonly string[] {
    return [...this.#lines].sort()
  }

  has(line: string): boolean {
    return this.#lines.has(line)
  }

  add(line: string): void {
    this.#lines.add(line)
  }

  /** It takes its share of what may be looked at. */
  count(bytes: number): void {
    this.#budget.take(bytes)
    if (this.#budget.isOver) this.all('it can read too much to be followed')
  }

  /** Nothing more is looked at. */
  get isFull(): boolean {
    return this.#budget.isOver || this.#budget.isSpent
  }

  /** Something that counts was changed then. */
  newest(changed: number): void {
    this.#changed = Math.max(this.#changed, changed)
  }

  /** When a path of the repository was changed counts. */
  async noteChange(path: string): Promise<void> {
    if (this.#noted.has(path)) return
    this.#noted.add(path)
    const found = await this.world.stat(path).catch(() => null)
    this.newest(found?.changed ?? 0)
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

  /** A path was partly unknown. */
  guessed(): void {
    this.#guessed = true
  }

  /** A text in what is read leads up, so that a path which is partly unknown may lead anywhere. */
  leadsUp(): void {
    this.#leadsUp = true
  }

  /** Why all of the work tree counts; null: what was told is all. */
  get whole(): string | null {
    return this.#all ?? (this.#guessed && this.#leadsUp ? 'a path that only running tells may lead up' : null)
  }

  /** `rest` writes down what of the work tree the whole of it does not hold. */
  async reading(rest: () => Promise<void>): Promise<Reading> {
    const { tree } = this.index
    if (tree.doubt !== null) return { unreadable: tree.doubt }
    if (this.#untold !== null) return { unreadable: this.#untold }
    if (this.#budget.isSpent) return { unreadable: 'too much was followed in one look' }
    if (this.whole !== null) {
      await rest()
      this.add(`tree ${hashOf(tree)} .`)
      this.newest(tree.changed)
    }
    if (this.#untold !== null) return { unreadable: this.#untold }
    return { value: sha256(this.lines.map((line) => `${line}\n`).join('')), changed: this.#changed }
  }
}
