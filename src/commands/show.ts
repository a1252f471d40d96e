import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { CLAIM_LISTS, type Claim, type ClaimList, type FalsifiedBranch } from '../model/claim.ts'
import { type CanonicalCommand, shown } from '../model/command.ts'
import type { Outcome } from '../model/outcome.ts'
import { plainLinesOf, plainText } from '../model/plain.ts'
import type { Rank } from '../model/rank.ts'
import type { Receipt } from '../model/receipt.ts'
import { fingerprintOfKey } from '../model/signer.ts'
import { type Remnant, claimsOf } from '../model/remnant.ts'
import { named } from '../store/named.ts'
import { refOf } from '../store/git/recipe.ts'
import { type Stranger, strangersHere } from '../store/signing/strangers.ts'
import { signedNow } from '../store/signing/trust.ts'

export default {
  name: 'show',
  kind: 'porcelain',
  summary: 'Show one remnant: its claims, what they rest on, and their receipts',
  details: 'DIGEST: its first digits, four or more. What a remnant says is shown as data; control and hidden characters are shown as <U+XXXX>.',
  positionals: [{ name: 'DIGEST', describe: 'the remnant', required: true }],
  statuses: { 1: 'there is no such remnant', 74: 'it is damaged' },
  run: async (args, host) => {
    const name = args.text('DIGEST') ?? ''
    const store = await host.store()
    const digest = await named(store, name)
    const stored = digest === null ? null : await store.read(digest)
    if (stored === null) return { text: `no remnant "${plainText(name, 80)}" here`, data: { digest: null, ref: null, rank: null, signer: null, remnant: null }, status: 1 }
    if ('fault' in stored) throw new RemnantError('corrupt', stored.fault, stored.hint === undefined ? {} : { hint: stored.hint })
    const signer = stored.rank === 'signed' ? await signerOf(stored.digest, host) : null
    const strangers = stored.rank === 'reported' || stored.rank === 'other' ? await strangersHere(host, stored.digest) : []
    return {
      text: page(stored.digest, stored.remnant, stored.rank, signer, strangers),
      data: { digest: stored.digest, ref: refOf(stored.digest), rank: stored.rank, signer, remnant: stored.remnant },
    }
  },
} satisfies Command

interface By {
  readonly principals: string
  readonly fingerprint: string
}

async function signerOf(digest: string, host: Host): Promise<By | null> {
  const signer = (await signedNow({ repository: await host.repository(), git: host.git, files: host.files, now: () => host.now().getTime() })).get(digest)
  return signer === undefined ? null : { principals: signer.principals, fingerprint: fingerprintOfKey(signer.key) }
}

const TITLES: Readonly<Record<ClaimList, string>> = {
  verified_invariants: 'Verified invariants',
  falsified_boundaries: 'Falsified boundaries',
  non_idempotent_commits: 'Non-idempotent commits',
  debug_residuals: 'Debug residuals',
  unresolved_handoffs: 'Unresolved handoffs',
}

const SEALED: Readonly<Record<Rank, string>> = {
  own: 'by this clone',
  signed: 'elsewhere, and signed by an accepted key',
  reported: 'elsewhere; it came from the accepted remote, unsigned',
  other: 'elsewhere',
}

function page(digest: string, remnant: Remnant, rank: Rank, signer: By | null, strangers: readonly Stranger[]): string {
  const { provenance } = remnant
  const head = fields([
    ['session', `${provenance.host} ${remnant.session_id}`],
    ['until', provenance.observed_until],
    ['head', provenance.head ?? 'not recorded'],
    ['sealed', strangers.length > 0 ? SEALED[rank].replace(', unsigned', '') : SEALED[rank]],
    ...strangers.map(({ fingerprint, denied }): [string, string] => ['signed by', `${fingerprint} (${denied ? 'denied' : 'not accepted'} here, so not checked)`]),
    ...(signer === null ? [] : [['signed by', `${signer.principals} ${signer.fingerprint}`] as [string, string]]),
    ['seal', `${remnant.environment_fingerprint.slice(0, 12)} over ${remnant.baseline_key_hashes.map(([key]) => key).join(' ')}`],
    ...remnant.supersedes.map(([older, ids]): [string, string] => ['answers', `${older.slice(0, 12)}: ${ids.map((id) => id.slice(0, 12)).join(' ')}`]),
  ])
  const keys = new Map(remnant.claim_dependency_map)
  const claims = claimsOf(remnant)
  const sections = CLAIM_LISTS.flatMap((list) => {
    const of = claims.filter((claim) => claim.list === list)
    return of.length === 0 ? [] : ['', TITLES[list], ...of.flatMap((claim) => entry(claim, keys.get(claim.claim_id) ?? []))]
  })
  return [`remnant ${digest}`, ...head, ...sections].join('\n')
}

function entry(claim: Claim, keys: readonly string[]): string[] {
  const [first = '', ...rest] = said(claim)
  const more = [...rest, `receipt: ${receiptLine(claim.verification_receipt)}`, `rests on: ${keys.map((key) => plainText(key)).join(' ')}`]
  return [`  ${claim.claim_id.slice(0, 12)}  ${first}`, ...more.map((line) => `  ${' '.repeat(12)}  ${line}`)]
}

/** What a claim says, in lines that are safe to show. */
function said(claim: Claim): string[] {
  switch (claim.list) {
    case 'verified_invariants':
      return [plainText(claim.statement), plainText(`effect: ${claim.effect.verb} ${claim.effect.kind} ${claim.effect.value}`)]
    case 'falsified_boundaries': {
      const where = claim.precondition.map(([key, text]) => plainText(text === null ? key : `${key} (${text})`)).join(', ')
      return [`${commandLine(claim.path)} fails: ${claim.class}`, ...plainLinesOf(claim.terminal_error_signature).map((line) => `| ${line}`), ...(where === '' ? [] : [`with: ${where}`])]
    }
    case 'non_idempotent_commits': {
      const made = [claim.identifier, claim.state_hash].filter((each) => each !== null).map((each) => ` ${plainText(each)}`)
      return [`${commandLine(claim.mutation)} ${claim.outcome.is === 'unknown' ? 'was started' : 'was done'}: ${outcomeWord(claim.outcome)}`, `target: ${plainText(`${claim.target.kind} ${claim.target.id}`)}${made.join('')}`, `repeat: ${claim.repeat}`]
    }
    case 'debug_residuals':
      return [
        plainText(claim.root_cause_invariant),
        `patch: ${plainText(claim.verified_patch_receipt.patch_id)}`,
        `gate: ${commandLine(claim.regression_gate_signature)}${claim.proof === null ? '' : ` (${claim.proof})`}`,
        ...claim.falsified_branches.map(branchLine),
      ]
    case 'unresolved_handoffs':
      return [
        `${commandLine(claim.failing_gate)} never went green`,
        ...plainLinesOf(claim.terminal_error_signature).map((line) => `| ${line}`),
        ...(claim.open_since_patch === null ? [] : [`open since: ${plainText(claim.open_since_patch)}`]),
        ...claim.falsified_branches.map(branchLine),
      ]
  }
}

const branchLine = (branch: FalsifiedBranch): string =>
  `not: ${branch.patch_id === null ? 'a try' : plainText(branch.patch_id)}, ${commandLine(branch.gate)} failed: ${plainText(branch.terminal_error_signature, 200)}`

const commandLine = (command: CanonicalCommand): string => plainText(`\`${shown(command)}\`${command.folder === '.' ? '' : ` in ${command.folder}`}`)

const receiptLine = (receipt: Receipt): string =>
  `${receipt.strength === 'asserted' ? 'declared, with' : receipt.strength} ${commandLine(receipt.command)}: ${outcomeWord(receipt.outcome)}, ${plainText(`${receipt.host} ${receipt.record_id}`)}`

const outcomeWord = (outcome: Outcome): string =>
  outcome.is === 'code' ? `exit ${outcome.code}` : outcome.is === 'summary' ? (outcome.passed ? 'passed' : 'failed') : outcome.is

function fields(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${name.padEnd(width)}  ${plainText(text)}`)
}
