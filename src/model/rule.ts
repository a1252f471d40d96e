/** A free text of a candidate: what a rule may refuse. `field` is its path in the claim (`statement`, `effect.value`). */
export interface Prose {
  readonly field: string
  readonly text: string
}

/** One reason to refuse a statement (001, boundaries 1, 2 and 4). `stage` is the number of its stage at teardown. */
export interface Rule {
  readonly id: string
  readonly stage: 'context-independence' | 'stands-alone'
  readonly why: string
  /** The reason, without a word of the refused text; null lets it pass. */
  refuse(prose: Prose): { readonly reason: string } | null
}
