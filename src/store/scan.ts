import { isUtf8 } from 'node:buffer'
import { isTime } from '../base/schema.ts'
import { Target } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import { type Outline, OutlinedClaim, instantOf, sessionOf, targetKey } from '../model/outline.ts'
import { MAX_REMNANT_BYTES } from '../model/remnant.ts'
import { sameTextOf } from '../model/temporary-caches.ts'
import { Claims, MISSING } from './scan/claims.ts'
import { MARK, REMNANT } from './scan/grammar.ts'
import { Matcher } from './scan/match.ts'
import { Shared } from './scan/shared.ts'

/**
 * Reads remnants in one pass over their bytes, as canonical JSON lets one: names in their order, nothing between. What it takes
 * is nothing but what `decodeRemnant` takes (canonical form, the schema, what the schema can't say), so that whoever has hashed the bytes
 * may believe it; for what it does not take, `decodeRemnant` is asked, and says why.
 */
export class RemnantScan {
  readonly #matcher = new Matcher()
  readonly #shared = new Shared()
  readonly #claims = new Claims()
  /** Where what was marked last under each number begins and ends. */
  readonly #places = new Int32Array(2 * MARKS)

  /**
   * The outline of the remnant that these bytes are; null: it is not sure that they are one. `checksIds`: claims' ids are worked out
   * anew, which a digest that was looked at before does not need. Outlines share what they have in common.
   */
  outline(bytes: Uint8Array, checksIds: boolean): Outline | null {
    if (bytes.byteLength > MAX_REMNANT_BYTES) return null
    const matcher = this.#matcher
    matcher.start(bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (matcher.match(REMNANT, 0) !== bytes.byteLength || !(matcher.ascii || isUtf8(bytes))) return null
    return this.#told(checksIds)
  }

  /** What the matched remnant says; null: it is none. */
  #told(checksIds: boolean): Outline | null {
    const { bytes, marks, many } = this.#matcher
    const [shared, claims, places] = [this.#shared, this.#claims, this.#places]
    let [seal, structural, instant, session, host]: [Outline['seal'] | null, readonly Key[] | null, string, string, string] = [null, null, '', '', '']
    let supersedes: [string, string[]][] = NO_SUPERSEDED
    claims.start(bytes)
    // Of the claim that is being read: its place in the map, and the public texts of its keys.
    let at = 0
    let texts = NO_TEXTS
    for (let i = 0; i < many; i += 3) {
      const mark = marks[i] as number
      const a = marks[i + 1] as number
      const b = marks[i + 2] as number
      places[2 * mark] = a
      places[2 * mark + 1] = b
      if (mark >= MARK.invariant) {
        if (!this.#ends(mark, at, texts, checksIds)) return null
        continue
      }
      switch (mark) {
        case MARK.mapped:
          if (!claims.map(bytes.toString('latin1', a + 1, b - 1), a + 1)) return null
          break
        case MARK.keys: {
          const causal = shared.keys(bytes, a, b)
          if (causal === null) return null
          claims.rest(causal)
          break
        }
        case MARK.claim:
          at = claims.isMapped ? claims.take(a + 1) : claims.add(bytes.toString('latin1', a + 1, b - 1))
          if (at === MISSING) return null
          texts = NO_TEXTS
          break
        case MARK.host: {
          const known = shared.host(bytes, a, b)
          if (known === null) return null
          host = known
          break
        }
        case MARK.where:
          if (!shared.isPlace(this.#value(a, b))) return null
          break
        case MARK.key:
          if (shared.key(bytes, a, b) === null) return null
          break
        case MARK.publicText:
          texts = [...texts, [shared.key(bytes, places[2 * MARK.key] as number, places[2 * MARK.key + 1] as number) as Key, this.#value(a, b)]]
          break
        case MARK.seal:
          seal = shared.seal(this.#matcher, places[2 * MARK.baselines] as number, places[2 * MARK.baselines + 1] as number, bytes.toString('latin1', a + 1, b - 1))
          if (seal === null) return null
          break
        case MARK.until: {
          const known = shared.instant(bytes, a + 1, b - 1)
          const time = known === null ? this.#value(a, b) : null
          if (time !== null && !isTime(time)) return null
          instant = known ?? instantOf(time as string)
          // The host that stands before it is the remnant's own; those of receipts stand elsewhere.
          session = host
          break
        }
        case MARK.session:
          session = sessionOf(session, this.#value(a, b))
          break
        case MARK.structural:
          structural = shared.keys(bytes, a, b)
          if (structural === null) return null
          break
        case MARK.superseded:
          if (supersedes === NO_SUPERSEDED) supersedes = []
          supersedes.push([bytes.toString('latin1', a + 1, b - 1), []])
          break
        case MARK.answered:
          supersedes.at(-1)?.[1].push(bytes.toString('latin1', a + 1, b - 1))
          break
      }
    }
    const ids = claims.ids()
    if (seal === null || structural === null || ids === null) return null
    return { session, instant, seal, structural, claims: claims.inOrder(), ids, isMapped: claims.isMapped, supersedes }
  }

  /** Takes the claim that ends with this mark; false: it is none, or its id does not follow from it. */
  #ends(mark: number, at: number, texts: OutlinedClaim['texts'], checksIds: boolean): boolean {
    const { bytes } = this.#matcher
    const [shared, claims, places] = [this.#shared, this.#claims, this.#places]
    const kind = KINDS[mark - MARK.invariant] as (typeof KINDS)[number]
    const { rests } = kind
    let says: OutlinedClaim['says'] = kind.says
    let target: Key | null = null
    if (mark === MARK.invariant && !shared.passed(bytes, places[2 * MARK.outcome] as number, places[2 * MARK.outcome + 1] as number)) says = 'nothing'
    if (mark === MARK.deed) {
      const named = { kind: this.#valueOf(MARK.targetKind), id: this.#valueOf(MARK.targetId) }
      if (!Target.safeParse(named).success) return false
      target = targetKey(named)
    }
    const id = claims.idAt(at)
    const command = says === 'nothing' ? '' : sameTextOf(this.#raw(places[2 * rests] as number, places[2 * rests + 1] as number))
    if (!claims.keep(mark - MARK.invariant, new OutlinedClaim(id, claims.keysAt(at), says, command, target, texts))) return false
    return !checksIds || shared.follows(bytes, kind.begins, places, kind.from) === id
  }

  #raw(from: number, to: number): string {
    const { bytes, ascii } = this.#matcher
    return bytes.toString(ascii ? 'latin1' : 'utf8', from, to)
  }

  #value(from: number, to: number): string {
    const inside = this.#raw(from + 1, to - 1)
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
  }

  #valueOf(mark: number): string {
    return this.#value(this.#places[2 * mark] as number, this.#places[2 * mark + 1] as number)
  }
}

/** What an end of a claim says of it, by its mark; `rests`: the command that it is about, `begins`, `from`: the list of which its id is the digest. */
const KINDS = [
  { says: 'green', rests: MARK.command, begins: Buffer.from('["verified_invariant"'), from: [MARK.statement] },
  { says: 'deadEnd', rests: MARK.path, begins: Buffer.from('["falsified_boundary"'), from: [MARK.path, MARK.signature] },
  { says: 'nothing', rests: MARK.mutation, begins: Buffer.from('["non_idempotent_commit"'), from: [MARK.mutation, MARK.target, MARK.identifier] },
  { says: 'green', rests: MARK.gate, begins: Buffer.from('["debug_residual"'), from: [MARK.gate, MARK.patch] },
  { says: 'handoff', rests: MARK.gate, begins: Buffer.from('["unresolved_handoff"'), from: [MARK.gate, MARK.signature] },
] as const satisfies readonly { readonly says: OutlinedClaim['says']; readonly rests: number; readonly begins: Uint8Array; readonly from: readonly number[] }[]

const MARKS = Math.max(...Object.values(MARK)) + 1
const NO_TEXTS: readonly (readonly [Key, string])[] = []
const NO_SUPERSEDED: [string, string[]][] = []
