import { draft, seal } from '../../src/distill.ts'
import { ephemera } from '../../src/ephemera.ts'
import { mutations } from '../../src/mutations.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'
import type { Distillation, Grounds } from '../../src/distill/seal.ts'
import type { Draft } from '../../src/distill/draft.ts'
import { AMBIENT, type KeyValues, STRUCTURAL } from '../../src/model/key.ts'
import type { Turn } from '../../src/model/observation.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import type { Sets } from '../../src/model/sets.ts'

export const sets: Sets = { formats: [], probes: [], rules, toolchains, ephemera, mutations }

const ROOT = '/home/dev/clockwork'

/** One step of a session under test; what is not said is a passing command at the repository's root, a minute after the one before. */
export type Step = Partial<Omit<Turn, 'outcome'>> & { readonly outcome?: Outcome | number }

export const ran = (command: string, outcome: Outcome | number = 0, output = '', more: Step = {}): Step => ({ command, outcome, output, ...more })

export const edited = (path: string): Step => ({ kind: 'edit', command: null, edits: [{ path: `${ROOT}/${path}`, before: null, after: null }] })

export const turnsOf = (steps: readonly Step[]): Turn[] =>
  steps.map((step, i) => ({
    host: 'claude-code',
    session: 'aaaaaaaa-0000-4000-8000-000000000000',
    record_id: `call-${i}`,
    at: new Date(Date.UTC(2026, 5, 1, 10, i)).toISOString(),
    kind: 'command',
    cwd: ROOT,
    head: null,
    command: null,
    output: null,
    edits: [],
    declared: null,
    keys: {},
    ...step,
    outcome: typeof step.outcome === 'number' ? { is: 'code', code: step.outcome } : (step.outcome ?? { is: 'unknown' }),
  }))

export async function* stream<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}

export const draftOf = (steps: readonly Step[]): Promise<Draft> => draft(stream(turnsOf(steps)), sets, { journal: true, roots: [], ambient: AMBIENT, structural: STRUCTURAL })

/** Every wanted key with a plain value: files exist, tools have a version, what is absent is absent, and remotes are where they were. */
export const plainValues = (wanted: readonly string[], other: Readonly<Record<string, string>> = {}): KeyValues =>
  new Map(wanted.map((key) => [key, { value: other[key] ?? (key.startsWith('absent') ? 'absent' : key === 'target:git-remote/origin' ? 'github.com:dev/clockwork.git' : `value of ${key}`) }]))

export async function distilled(steps: readonly Step[], other: Readonly<Record<string, string>> = {}, grounds: Grounds = 'here'): Promise<Distillation> {
  const made = await draftOf(steps)
  return seal(made, plainValues(made.wanted, other), grounds)
}

/** The same of turns as a log gave them. */
export async function distilledOf(turns: readonly Turn[]): Promise<Distillation> {
  const made = await draft(stream(turns), sets, { journal: false, roots: [], ambient: AMBIENT, structural: STRUCTURAL })
  return seal(made, plainValues(made.wanted), 'here')
}

/** What was kept, one line a claim, for tables. */
export function kept({ remnant }: Distillation): string[] {
  if (remnant === null) return []
  return [
    ...remnant.verified_invariants.map(({ statement, verification_receipt }) => `invariant ${statement} [${verification_receipt.strength}]`),
    ...remnant.falsified_boundaries.map((claim) => `${claim.class} ${claim.path.argv.join(' ')}`),
    ...remnant.non_idempotent_commits.map(({ mutation, identifier }) => `done ${mutation.argv.join(' ')} = ${identifier}`),
    ...remnant.unresolved_handoffs.map(({ failing_gate }) => `open ${failing_gate.argv.join(' ')}`),
  ].sort()
}

export const purgedBy = ({ purged }: Distillation): string[] => purged.map(({ rule }) => rule).sort()
