import { sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { type Remnant, claimsOf, decodeRemnant, fingerprintOf } from '../../model/remnant.ts'
import type { StoreFault, Stored } from '../../model/store.ts'
import type { Copy } from '../copies.ts'
import type { Content } from '../git/cat-file.ts'
import { pathOf, refOf } from '../git/recipe.ts'
import type { Refs } from '../git/refs.ts'

/** Where an audit looks; none of it is changed by looking. */
export interface Looked {
  readonly refs: Refs
  readonly copyOf: (digest: string) => Copy
  readonly superseded: (digest: string) => Promise<Stored | null>
  readonly isForgotten: (digest: string) => boolean
  /** The commit id that follows from a remnant. */
  readonly commitFor: (digest: string, remnant: Remnant) => Promise<string>
  /** Whether git has an object of that id here. */
  readonly isHere: (oid: string) => Promise<boolean>
  /** Whether what a remnant's ref names is whole, and is not of that remnant. */
  readonly leadsElsewhere: (digest: string, oid: string) => Promise<boolean>
}

/** All that can be wrong with one remnant: its ref, its content, its copy, its seal, its lineage, its commit. */
export function auditor({ refs, copyOf, superseded, isForgotten, commitFor, isHere, leadsElsewhere }: Looked): (digest: string, content: Content | undefined) => Promise<StoreFault[]> {
  return async (digest, content) => {
    const ref = refs.get(digest)
    const copy = copyOf(digest)
    if (ref === null && copy === 'absent') return [{ subject: digest, fault: 'is not here', repair: FETCH }]
    const faults: StoreFault[] = []
    const add = (subject: string, fault: string, repair: string): void => void faults.push({ subject, fault, repair })

    // A copy that is whole says what its ref should lead to; what only git can't read, a fetch makes whole.
    const renewal = typeof copy === 'object' ? FROM_COPY : FETCH_WHOLE
    const kept = content instanceof Uint8Array && sha256(content) === digest ? content : null
    const strange = ref !== null && 'oid' in ref && kept === null ? await leadsAway(digest, ref.oid, copy) : false
    if (strange) add(refOf(digest), 'leads to another commit, which does not hold it', MOVED)
    else if (ref !== null && 'damaged' in ref) add(refOf(digest), ref.damaged, ref.damaged === 'is empty' ? renewal : `${MOVE_AWAY}${renewal}`)
    else if (ref !== null && kept === null && typeof copy !== 'object' && (await leadsElsewhere(digest, ref.oid)))
      add(refOf(digest), content instanceof Uint8Array ? 'leads to a commit that holds what does not hash to its name' : 'leads to what holds no remnant of that name', LET_GO)
    else if (ref !== null && kept === null) add(refOf(digest), content instanceof Uint8Array ? 'holds what does not hash to its name' : (content?.fault ?? 'can\'t be read'), renewal)
    if (copy === 'linked') add(pathOf(digest), 'is reached through a symbolic link', 'put a plain folder in its place, then git remnant checkout')
    if (copy === 'differs') {
      if (ref === null) add(pathOf(digest), 'does not hash to its name', 'bring the file back from the commit that tracks it')
      else add(pathOf(digest), 'differs from its ref', 'git remnant checkout')
    }
    const bytes = kept ?? (typeof copy === 'string' ? null : copy.bytes)
    const remnant = bytes === null ? null : decoded(digest, bytes, add)
    if (remnant === null) return faults

    if (fingerprintOf(remnant.baseline_key_hashes) !== remnant.environment_fingerprint) add(digest, 'has a seal that contradicts its baselines', WRITTEN_SO)
    const whole = await lineage(digest, remnant, add)
    if (whole && !strange && ref !== null && 'oid' in ref && (await commitFor(digest, remnant)) !== ref.oid) add(refOf(digest), 'names a commit that does not follow from its remnant', MOVED)
    return faults
  }

  /** Whether what its ref names is here, and is not the commit that a valid copy makes: nothing is lost, it was moved. */
  async function leadsAway(digest: string, oid: string, copy: Copy): Promise<boolean> {
    if (typeof copy === 'string' || !(await isHere(oid))) return false
    const remnant = decoded(digest, copy.bytes, () => undefined)
    return remnant !== null && remnant.supersedes.every(([older]) => !isForgotten(older)) && (await commitFor(digest, remnant)) !== oid
  }

  /** Whether everything that it supersedes can be read. */
  async function lineage(digest: string, remnant: Remnant, add: (subject: string, fault: string, repair: string) => void): Promise<boolean> {
    let whole = true
    for (const [older, answered] of remnant.supersedes) {
      if (isForgotten(older)) continue
      const found = await superseded(older)
      if (found === null || 'fault' in found) {
        add(digest, `supersedes remnant "${older.slice(0, 12)}", which ${found === null ? 'is not here' : 'is damaged'}`, FETCH)
        whole = false
        continue
      }
      const ids = new Set(claimsOf(found.remnant).map((claim) => claim.claim_id))
      if (answered.some((id) => !ids.has(id))) add(digest, `answers a claim that remnant "${older.slice(0, 12)}" does not make`, WRITTEN_SO)
    }
    return whole
  }
}

const FETCH = 'git remnant fetch'
const MOVE_AWAY = 'move the file of that ref out of the git directory, then '
const FROM_COPY = 'git remnant verify --repair, which makes it again from the copy'
/** What a fetch makes whole. */
const FETCH_WHOLE = 'git remnant fetch, from a remote that has it whole'
const MOVED = 'git remnant verify --repair; it leaves a commit that no other ref leads to: then "git tag NAME COMMIT" keeps that one first'
/** No fetch writes over a ref that names something. */
const LET_GO = 'git remnant verify --repair, which removes the ref; where no other ref leads to that commit, "git tag NAME COMMIT" keeps it first. Then git remnant fetch, where a remote may have the remnant'
const WRITTEN_SO = 'none: it was written so'

function decoded(digest: string, bytes: Uint8Array, add: (subject: string, fault: string, repair: string) => void): Remnant | null {
  try {
    return decodeRemnant(bytes, digest)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    add(digest, thrown.message.replace(/^remnant "[0-9a-f]+" /, ''), thrown.hint ?? WRITTEN_SO)
    return null
  }
}
