import { isUtf8 } from 'node:buffer'
import { isTime } from '../base/schema.ts'
import { Target } from '../model/claim.ts'
import type { Key } from '../model/key.ts'
import { type Outline, OutlinedClaim, instantOf, sessionOf, targetKey } from '../model/outline.ts'
import { MAX_REMNANT_BYTES } from '../model/remnant.ts'
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

  /**
   * The outline of the remnant that these bytes are; null: it is not sure that they are one. `checksIds`: claims' ids are worked out
   * anew, which a digest that was looked at before does not need. Outlines share what they have in common.
   */
  outline(bytes: Uint8Array, checksIds: boolean): Outline | null {
    if (bytes.byteLength > MAX_REMNANT_BYTES) return null
    const matcher = this.#matcher
    matcher.start(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (matcher.match(REMNANT, 0) !== bytes.byteLength || !(matcher.ascii || isUtf8(bytes))) return null
    return outlineIn(matcher, this.#shared, this.#claims, checksIds)
  }
}

/** What a matched remnant says; null: it is none. */
function outlineIn(matcher: Matcher, shared: Shared, claims: Claims, checksIds: boolean): Outline | null {
  const { bytes, marks, many, ascii } = matcher
  const encoding = ascii ? 'latin1' : 'utf8'
  const raw = (from: number, to: number): string => bytes.toString(encoding, from, to)
  const value = (from: number, to: number): string => {
    const inside = raw(from + 1, to - 1)
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
  }
  let [seal, structural, until, session, host]: [Outline['seal'] | null, readonly Key[] | null, string, string, string] = [null, null, '', '', '']
  let [baselines, baselinesEnd] = [0, 0]
  let supersedes: [string, string[]][] = NO_SUPERSEDED
  claims.start(bytes)
  // Of the claim that is being read: its place in the map, and where its parts lie.
  let at = 0
  let [about, aboutEnd, other, otherEnd, more, moreEnd, command, commandEnd] = [0, 0, 0, 0, 0, 0, 0, 0]
  let [passed, kind, name, key]: [boolean, string, string, Key] = [false, '', '', '']
  let texts = NO_TEXTS
  /** Takes the claim that ends here, and what its id follows from. */
  const ends = (mark: number, prefix: Uint8Array, says: OutlinedClaim['says'], rests: string, target: Key | null = null): boolean => {
    const id = claims.idAt(at)
    if (!claims.keep(mark - MARK.invariant, new OutlinedClaim(id, claims.keysAt(at), says, rests, target, texts))) return false
    return !checksIds || shared.follows(bytes, prefix, about, aboutEnd, other, otherEnd, more, moreEnd) === id
  }
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
        if (!claims.map(raw(a + 1, b - 1), a + 1)) return null
        break
      case MARK.keys: {
        const causal = shared.keys(bytes, a, b)
        if (causal === null) return null
        claims.rest(causal)
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
      case MARK.until: {
        const time = value(a, b)
        if (!isTime(time)) return null
        // The host that stands before it is the remnant's own; those of receipts stand elsewhere.
        until = shared.instant(bytes, a + 1, b - 1) ?? instantOf(time)
        session = host
        break
      }
      case MARK.session:
        session = sessionOf(session, value(a, b))
        break
      case MARK.structural:
        structural = shared.keys(bytes, a, b)
        if (structural === null) return null
        break
      case MARK.superseded:
        if (supersedes === NO_SUPERSEDED) supersedes = []
        supersedes.push([raw(a + 1, b - 1), []])
        break
      case MARK.answered:
        supersedes.at(-1)?.[1].push(raw(a + 1, b - 1))
        break
      case MARK.claim:
        at = claims.isMapped ? claims.take(a + 1) : claims.add(raw(a + 1, b - 1))
        if (at === MISSING) return null
        texts = NO_TEXTS
        other = otherEnd = more = moreEnd = 0
        break
      case MARK.statement:
      case MARK.path:
      case MARK.mutation:
      case MARK.gate:
        about = a
        aboutEnd = b
        break
      case MARK.signature:
      case MARK.target:
      case MARK.patch:
        other = a
        otherEnd = b
        break
      case MARK.identifier:
        more = a
        moreEnd = b
        break
      case MARK.key: {
        const known = shared.key(bytes, a, b)
        if (known === null) return null
        key = known
        break
      }
      case MARK.publicText:
        texts = [...texts, [key, value(a, b)]]
        break
      case MARK.command:
        command = a
        commandEnd = b
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
        if (!ends(mark, FOLLOWS.invariant, passed ? 'green' : 'nothing', passed ? raw(command, commandEnd) : '')) return null
        break
      case MARK.boundary:
        if (!ends(mark, FOLLOWS.boundary, 'deadEnd', raw(about, aboutEnd))) return null
        break
      case MARK.deed:
        if (!Target.safeParse({ kind, id: name }).success) return null
        if (!ends(mark, FOLLOWS.deed, 'nothing', '', targetKey({ kind, id: name }))) return null
        break
      case MARK.residual:
        if (!ends(mark, FOLLOWS.residual, 'green', raw(about, aboutEnd))) return null
        break
      case MARK.handoff:
        if (!ends(mark, FOLLOWS.handoff, 'handoff', raw(about, aboutEnd))) return null
        break
    }
  }
  const ids = claims.ids()
  if (seal === null || structural === null || ids === null) return null
  return { session, instant: until, seal, structural, claims: claims.inOrder(), ids, isMapped: claims.isMapped, supersedes }
}

/** How the list begins whose canonical text a claim's id is the digest of. */
const FOLLOWS = {
  invariant: Buffer.from('["verified_invariant"'),
  boundary: Buffer.from('["falsified_boundary"'),
  deed: Buffer.from('["non_idempotent_commit"'),
  residual: Buffer.from('["debug_residual"'),
  handoff: Buffer.from('["unresolved_handoff"'),
}

const NO_TEXTS: [Key, string][] = []
const NO_SUPERSEDED: [string, string[]][] = []
