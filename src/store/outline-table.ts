import type { Remnant } from '../model/remnant.ts'

/** The number of something in one of a table's lists. */
type At = number

/** An outline as a table holds it; what remnants share stands in the table once. */
type Row = readonly [
  evidence: readonly string[],
  host: At,
  session: string,
  until: string,
  fingerprint: string,
  baselines: At,
  structural: At,
  map: readonly (readonly [claim: string, keys: At])[],
  invariants: readonly unknown[],
  boundaries: readonly unknown[],
  commits: readonly unknown[],
  residuals: readonly unknown[],
  handoffs: readonly unknown[],
  supersedes: Remnant['supersedes'],
]

/** A table as JSON. */
export interface TableText {
  readonly texts: readonly string[]
  readonly pairs: readonly (readonly [At, At])[]
  /** Lists of pairs, and lists of texts. */
  readonly seals: readonly (readonly At[])[]
  readonly keys: readonly (readonly At[])[]
  readonly rows: readonly (readonly [digest: string, row: Row])[]
}

/**
 * Outlines of remnants, each with where its bytes were seen: what their verdicts rest on, without their prose. An outline has a remnant's shape, and of its claims the
 * ids, the commands, the outcomes, the preconditions and the targets; whatever a reader would be told is not in it, so that only
 * the resolver may be handed one. Outlines share their lists.
 */
export class OutlineTable {
  readonly #texts: Pool<string, string>
  readonly #pairs: Pool<readonly [At, At], [string, string]>
  readonly #seals: Pool<readonly At[], [string, string][]>
  readonly #keys: Pool<readonly At[], string[]>
  readonly #rows: Map<string, Row>

  constructor({ texts, pairs, seals, keys, rows }: TableText = { texts: [], pairs: [], seals: [], keys: [], rows: [] }) {
    this.#texts = new Pool(texts, (text) => text, (text) => text)
    this.#pairs = new Pool(pairs, ([key, hash]) => key * 2 ** 26 + hash, ([key, hash]) => [this.#texts.at(key), this.#texts.at(hash)])
    this.#seals = new Pool(seals, (list) => list.join(), (list) => list.map((pair) => this.#pairs.at(pair)))
    this.#keys = new Pool(keys, (list) => list.join(), (list) => list.map((text) => this.#texts.at(text)))
    this.#rows = new Map(rows)
  }

  get size(): number {
    return this.#rows.size
  }

  /** Where it was seen: a linked work tree has copies of its own. */
  evidence(digest: string): readonly string[] {
    return this.#rows.get(digest)?.[0] ?? []
  }

  add(digest: string, evidence: readonly string[], remnant: Remnant): void {
    const keys = (list: readonly string[]): At => this.#keys.put(list.map((key) => this.#texts.put(key)))
    this.#rows.set(digest, [
      evidence,
      this.#texts.put(remnant.provenance.host),
      remnant.session_id,
      remnant.provenance.observed_until,
      remnant.environment_fingerprint,
      this.#seals.put(remnant.baseline_key_hashes.map(([key, hash]) => this.#pairs.put([this.#texts.put(key), this.#texts.put(hash)]))),
      keys(remnant.structural_keys),
      remnant.claim_dependency_map.map(([claim, causal]) => [claim, keys(causal)] as const),
      remnant.verified_invariants.map(({ claim_id, verification_receipt: { outcome, command } }) => ({ claim_id, verification_receipt: { outcome, command } })),
      remnant.falsified_boundaries.map(({ claim_id, path, precondition }) => ({ claim_id, path, precondition: precondition.filter(([, text]) => text !== null) })),
      remnant.non_idempotent_commits.map(({ claim_id, target }) => ({ claim_id, target })),
      remnant.debug_residuals.map(({ claim_id, regression_gate_signature }) => ({ claim_id, regression_gate_signature })),
      remnant.unresolved_handoffs.map(({ claim_id, failing_gate }) => ({ claim_id, failing_gate })),
      remnant.supersedes,
    ])
  }

  outline(digest: string): Remnant | undefined {
    const row = this.#rows.get(digest)
    if (row === undefined) return undefined
    const [, host, session_id, observed_until, environment_fingerprint, baselines, structural, map, invariants, boundaries, commits, residuals, handoffs, supersedes] = row
    return {
      session_id,
      provenance: { host: this.#texts.at(host), observed_until },
      environment_fingerprint,
      baseline_key_hashes: this.#seals.at(baselines),
      structural_keys: this.#keys.at(structural),
      claim_dependency_map: map.map(([claim, causal]): [string, string[]] => [claim, this.#keys.at(causal)]),
      verified_invariants: invariants,
      falsified_boundaries: boundaries,
      non_idempotent_commits: commits,
      debug_residuals: residuals,
      unresolved_handoffs: handoffs,
      supersedes,
    } as unknown as Remnant
  }

  /** A table of these digests alone, without what only others shared. */
  only(digests: Iterable<string>): OutlineTable {
    const table = new OutlineTable()
    for (const digest of digests) {
      const outline = this.outline(digest)
      if (outline !== undefined) table.add(digest, this.evidence(digest), outline)
    }
    return table
  }

  text(): TableText {
    return { texts: this.#texts.all, pairs: this.#pairs.all, seals: this.#seals.all, keys: this.#keys.all, rows: [...this.#rows] }
  }
}

/** Things that are numbered once each, and what stands for each of them, made when it is first asked for. */
class Pool<T, U> {
  readonly all: T[]
  readonly #nameOf: (thing: T) => string | number
  readonly #made: U[] = []
  readonly #make: (thing: T) => U
  #numbers: Map<string | number, At> | undefined

  constructor(all: readonly T[], nameOf: (thing: T) => string | number, make: (thing: T) => U) {
    this.all = all as T[]
    this.#nameOf = nameOf
    this.#make = make
  }

  get #known(): Map<string | number, At> {
    return (this.#numbers ??= new Map(this.all.map((thing, at) => [this.#nameOf(thing), at])))
  }

  put(thing: T): At {
    const name = this.#nameOf(thing)
    const known = this.#known.get(name)
    if (known !== undefined) return known
    this.#known.set(name, this.all.length)
    return this.all.push(thing) - 1
  }

  at(number: At): U {
    return (this.#made[number] ??= this.#make(this.all[number] as T))
  }
}
