/** What is told of one remnant: what JSON answers show of it, and what people are told besides. Plain JSON. */
export interface Told<D, B> {
  readonly document: D
  readonly beside: B
}

/** The same of many, as texts of which single ones can be replaced. */
export interface Texts {
  /** The documents as a JSON list. */
  readonly documents: string
  /** Of each its length as a text, as a JSON list. */
  readonly lengths: string
  /** The rest, a line of JSON each. */
  readonly besides: string
}

export function textsOf(told: readonly Told<unknown, unknown>[]): Texts {
  return joined(
    told.map(({ document }) => JSON.stringify(document)),
    told.map(({ beside }) => JSON.stringify(beside)),
  )
}

/** With others in these places. Throws where the texts don't fit together. */
export function replaced({ documents, lengths, besides }: Texts, others: ReadonlyMap<number, Told<unknown, unknown>>): Texts {
  const all: string[] = []
  let from = 1
  for (const length of JSON.parse(lengths) as number[]) {
    all.push(documents.slice(from, from + length))
    from += length + 1
  }
  const lines = besides.split('\n')
  if (Math.max(from, 2) !== documents.length || (lines.length !== all.length && all.length > 0)) throw new Error('what was told is not whole')
  for (const [at, { document, beside }] of others) {
    all[at] = JSON.stringify(document)
    lines[at] = JSON.stringify(beside)
  }
  return joined(all, lines)
}

export function toldIn<D, B>({ documents, besides }: Pick<Texts, 'documents' | 'besides'>): Told<D, B>[] {
  const lines = besides.split('\n')
  return (JSON.parse(documents) as D[]).map((document, i) => ({ document, beside: JSON.parse(lines[i] as string) as B }))
}

const joined = (documents: readonly string[], besides: readonly string[]): Texts => ({
  documents: `[${documents.join()}]`,
  lengths: `[${documents.map(({ length }) => length).join()}]`,
  besides: besides.join('\n'),
})
