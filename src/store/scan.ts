import { isUtf8 } from 'node:buffer'
import { sha256 } from '../base/digest.ts'
import { isTime } from '../base/schema.ts'
import { Target } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import { type Outline, OutlinedClaim, instantOf, sessionOf, targetKey } from '../model/outline.ts'
import { MAX_REMNANT_BYTES } from '../model/remnant.ts'
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

  /**
   * The outline of the remnant that these bytes are; null: it is not sure that they are one. `checksIds`: claims' ids are worked out
   * anew, which a digest that was looked at before does not need. Outlines share what they have in common.
   */
  outline(bytes: Uint8Array, checksIds: boolean): Outline | null {
    if (bytes.byteLength > MAX_REMNANT_BYTES) return null
    const matcher = this.#matcher
    matcher.start(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (matcher.match(REMNANT, 0) !== bytes.byteLength || !(matcher.ascii || isUtf8(bytes))) return null
    return outlineIn(matcher, this.#shared, checksIds)
  }
}

/** What a matched remnant says; null: it is none. */
function outlineIn(matcher: Matcher, shared: Shared, checksIds: boolean): Outline | null {
  const { bytes, marks, many, ascii } = matcher
  const raw = (from: number, to: number): string => bytes.toString(ascii ? 'latin1' : 'utf8', from, to)
  const value = (from: number, to: number): string => {
    const inside = raw(from + 1, to - 1)
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
  }
  let [seal, structural, until, session, host]: [Outline['seal'] | null, readonly Key[] | null, string, string, string] = [null, null, '', '', '']
  let [baselines, baselinesEnd, from, to] = [0, 0, 0, 0]
  const keys = new Map<string, readonly Key[]>()
  let mapped = ''
  const claims: OutlinedClaim[][] = []
  const ids: string[] = []
  const supersedes: [string, string[]][] = []
  let [id, about, other, passed]: [string, string, string, boolean] = ['', '', '', false]
  let [kind, name, identifier] = ['', '', '']
  let [texts, key]: [[Key, string][], Key] = [[], '']
  /** Takes the claim that ends here: its list, what its id follows from, what it is. */
  const ends = (mark: number, follows: string, claim: OutlinedClaim): boolean => {
    const list = (claims[mark] ??= [])
    if (list.length > 0 && (list.at(-1) as OutlinedClaim).id >= id) return false
    list.push(claim)
    ids.push(id)
    return !checksIds || sha256(follows) === id
  }
  const keysOf = (): readonly Key[] => keys.get(id) ?? NO_KEYS
  for (let i = 0; i < many; i += 3) {
    const mark = marks[i] as number
    const a = marks[i + 1] as number
    const b = marks[i + 2] as number
    switch (mark) {
      case MARK.baselines:
        baselines = a
        baselinesEnd = b
        break
      case MARK.mapped:
        id = raw(a + 1, b - 1)
        if (mapped >= id) return null
        mapped = id
        break
      case MARK.keys: {
        const causal = shared.keys(bytes, a, b)
        if (causal === null) return null
        keys.set(mapped, causal)
        break
      }
      case MARK.seal:
        seal = shared.seal(matcher, baselines, baselinesEnd, raw(a + 1, b - 1))
        if (seal === null) return null
        break
      case MARK.host: {
        const known = shared.host(bytes, a, b)
        if (known === null) return null
        host = known
        break
      }
      case MARK.until:
        // The host that stands before it is the remnant's own; those of receipts stand elsewhere.
        until = `${host} ${value(a, b)}`
        break
      case MARK.session:
        session = value(a, b)
        break
      case MARK.structural:
        structural = shared.keys(bytes, a, b)
        if (structural === null) return null
        break
      case MARK.superseded:
        supersedes.push([raw(a + 1, b - 1), []])
        break
      case MARK.answered:
        supersedes.at(-1)?.[1].push(raw(a + 1, b - 1))
        break
      case MARK.claim:
        id = raw(a + 1, b - 1)
        texts = NO_TEXTS
        break
      case MARK.statement:
      case MARK.path:
      case MARK.mutation:
      case MARK.gate:
        about = raw(a, b)
        break
      case MARK.signature:
      case MARK.target:
      case MARK.patch:
        other = raw(a, b)
        break
      case MARK.identifier:
        identifier = raw(a, b)
        break
      case MARK.key: {
        const known = shared.key(value(a, b))
        if (known === null) return null
        key = known
        break
      }
      case MARK.publicText:
        texts = [...texts, [key, value(a, b)]]
        break
      case MARK.command:
        from = a
        to = b
        break
      case MARK.outcome:
        passed = shared.passed(bytes, a, b)
        break
      case MARK.where:
        if (!shared.isPlace(value(a, b))) return null
        break
      case MARK.targetId:
        name = value(a, b)
        break
      case MARK.targetKind:
        kind = value(a, b)
        break
      case MARK.invariant:
        if (!ends(mark, checksIds ? `["verified_invariant",${about}]` : '', new OutlinedClaim(id, keysOf(), passed ? 'green' : 'nothing', passed ? raw(from, to) : ''))) return null
        break
      case MARK.boundary:
        if (!ends(mark, checksIds ? `["falsified_boundary",${about},${other}]` : '', new OutlinedClaim(id, keysOf(), 'deadEnd', about, null, texts))) return null
        break
      case MARK.deed:
        if (!Target.safeParse({ kind, id: name }).success) return null
        if (!ends(mark, `["non_idempotent_commit",${about},${other},${identifier}]`, new OutlinedClaim(id, keysOf(), 'nothing', '', targetKey({ kind, id: name })))) return null
        break
      case MARK.residual:
        if (!ends(mark, `["debug_residual",${about},${other}]`, new OutlinedClaim(id, keysOf(), 'green', about))) return null
        break
      case MARK.handoff:
        if (!ends(mark, `["unresolved_handoff",${about},${other}]`, new OutlinedClaim(id, keysOf(), 'handoff', about))) return null
        break
    }
  }
  ids.sort()
  const [isMapped, time] = [keys.size > 0, until.slice(until.indexOf(' ') + 1)]
  if (seal === null || structural === null || !isTime(time)) return null
  if (isMapped && (ids.length !== keys.size || !ids.every((one, i) => keys.has(one) && one !== ids[i - 1]))) return null
  const inOrder = ORDER.flatMap((mark) => claims[mark] ?? NO_CLAIMS)
  return { session: sessionOf(until.slice(0, until.indexOf(' ')), session), instant: instantOf(time), seal, structural, claims: inOrder, ids, isMapped, supersedes }
}

/** The remnant's lists, in which claims stand. */
const ORDER = [MARK.invariant, MARK.boundary, MARK.deed, MARK.residual, MARK.handoff]
const NO_CLAIMS: readonly OutlinedClaim[] = []
const NO_KEYS: readonly Key[] = []
const NO_TEXTS: [Key, string][] = []
