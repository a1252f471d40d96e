import { readFileSync } from 'node:fs'
import { estimateTokenCount } from 'tokenx'
import { canonical } from '../../src/base/canonical.ts'
import { refusalOfWords } from '../../src/distill/admit.ts'
import { draft, seal } from '../../src/distill.ts'
import type { Draft } from '../../src/distill/draft.ts'
import { parse } from '../../src/distill/parse.ts'
import { ephemera } from '../../src/ephemera.ts'
import { formats } from '../../src/formats.ts'
import { openFiles } from '../../src/host/files.ts'
import { openLog } from '../../src/host/log.ts'
import type { Claim } from '../../src/model/claim.ts'
import { shown } from '../../src/model/command.ts'
import { readDeclaration } from '../../src/model/declaration.ts'
import { AMBIENT, type KeyValues, STRUCTURAL } from '../../src/model/key.ts'
import { type Remnant, claimsOf } from '../../src/model/remnant.ts'
import type { Sets } from '../../src/model/sets.ts'
import { readShell } from '../../src/model/shell.ts'
import { mutations } from '../../src/mutations.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'

const sets: Sets = { formats, probes: [], rules, toolchains, ephemera, mutations }

/** One claim that a log led to: what it says in one line, by which labels name it, and where its proof stands. */
export interface Told {
  readonly kind: Claim['list']
  readonly line: string
  readonly record: string
  readonly text: string
  readonly claim: Claim
}

/** Distils a log as `teardown --here` does; the keys have plain values, since no key is measured here. */
export async function distil(path: string): Promise<{ claims: Told[]; stored: string; purged: readonly object[]; tokens: { log: number; claims: number } }> {
  const log = await openLog(path, formats, openFiles())
  const made = await draft(parse(log.lines, log.format, () => {}), sets, { journal: false, roots: rootsOf(path), ambient: AMBIENT, structural: STRUCTURAL })
  const { remnant, purged } = seal(made, valuesOf(made), 'here')
  const claims = remnant === null ? [] : claimsOf(remnant)
  const told = claims.map((claim): Told => ({ kind: claim.list, line: lineOf(claim), record: claim.verification_receipt.record_id, text: canonical(claim), claim }))
  return { claims: told, stored: remnant === null ? '' : withoutProvenance(remnant), purged, tokens: { log: estimateTokenCount(readFileSync(path, 'utf8')), claims: estimateTokenCount(told.map(({ text }) => text).join('\n')) } }
}

/** The folder in which the session was started, as its log says: its first command may have run in one below. */
function rootsOf(path: string): string[] {
  const said = /"cwd":("(?:[^"\\]|\\.)*")/.exec(readFileSync(path, 'utf8'))?.[1]
  return said === undefined ? [] : [JSON.parse(said) as string]
}

/** Why `git remnant claim WORDS` would be refused; null: it is admitted. */
export async function refusalOf(words: string, session: string, root: string): Promise<{ rule: string; reason: string } | null> {
  const [command] = readShell(`git remnant claim ${words}`, { folder: '.', root: null }).commands
  const declared = command === undefined ? null : readDeclaration(command.command.argv)
  return declared === null ? { rule: 'misuse', reason: 'it can not be read' } : refusalOfWords(declared, { session, root }, sets)
}

/**
 * A place that the log states is still there; every other key has a plain value. Nothing is younger than the log says: what a step may
 * have changed, and nobody says that it did, has kept its date.
 */
function valuesOf({ wanted, candidates }: Draft): KeyValues {
  const stated = new Map(candidates.flatMap(({ proof }) => Object.entries(proof.seen).filter(([key]) => key.startsWith('target:'))))
  return new Map(wanted.map((key) => [key, { value: stated.get(key) ?? (key.startsWith('absent') ? 'absent' : `value of ${key}`), changed: 0 }]))
}

/** All that is stored but where it came from: the session's own id and its record ids say nothing else. */
const withoutProvenance = ({ session_id: _, provenance: __, ...rest }: Remnant): string => canonical(rest).replace(/"record_id":"[^"]*"/g, '')

/** `gate CMD`, `passes CMD`, `declared SENTENCE`, `dead CLASS CMD`, `done CMD`, `unknown CMD`, `residual CMD`, `open CMD`. */
function lineOf(claim: Claim): string {
  const place = (folder: string): string => (folder === '.' ? '' : ` in ${folder}`)
  switch (claim.list) {
    case 'verified_invariants': {
      const { command, strength } = claim.verification_receipt
      if (strength === 'asserted') return `declared ${claim.statement}`
      return `${/ is a gate of `[^`]*`$/.test(claim.statement) ? 'gate' : 'passes'} ${shown(command)}${place(command.folder)}`
    }
    case 'falsified_boundaries':
      return `dead ${claim.class} ${shown(claim.path)}${place(claim.path.folder)}`
    case 'non_idempotent_commits':
      return `${claim.outcome.is === 'unknown' ? 'unknown' : 'done'} ${shown(claim.mutation)}`
    case 'debug_residuals':
      return `residual ${shown(claim.regression_gate_signature)}`
    case 'unresolved_handoffs':
      return `open ${shown(claim.failing_gate)}${place(claim.failing_gate.folder)}`
  }
}
