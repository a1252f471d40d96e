import { RemnantError } from '../base/errors.ts'
import type { Command } from '../command.ts'
import { compileLess } from '../host/engine.ts'
import { type VerdictsHere, verdictsHere } from '../host/here.ts'
import type { VerdictReason } from '../model/verdict.ts'
import type { Judged } from '../resolve.ts'
import { driftInWords } from '../resolve/drift.ts'
import { data, rankNote } from '../resolve/words.ts'

export default {
  name: 'resolve',
  kind: 'porcelain',
  summary: 'Which stored claims still hold in this working tree',
  details: [
    'Compares every stored remnant\'s sealed keys with this working tree and gives a verdict for each, over live claims.',
    'Nothing is run and nothing is stored. DIGEST is a remnant\'s name, or at least its first 4 digits.',
  ].join('\n'),
  positionals: [{ name: 'digest', many: true, describe: 'only these remnants' }],
  statuses: { 1: 'a remnant that was asked for is not here', 74: 'a remnant that was asked for is damaged' },
  async run(args, host) {
    compileLess()
    const here = await verdictsHere(host, tell)
    const asked = args.list('digest').map((name) => named(name, here))
    const missing = args.list('digest').filter((_, i) => asked[i] === null)
    const chosen = new Set(asked)
    const skipped = asked.length === 0 ? here.skipped : []
    const remnants = (): readonly One[] => here.remnants().filter(({ document: { digest } }) => asked.length === 0 || chosen.has(digest))
    const faults = skipped.map(({ digest, fault }) => ({ digest, fault }))
    return {
      get text() {
        const told = remnants()
        const live = new Set(told.map(({ document: { digest } }) => digest))
        const settled = asked.length === 0 ? [] : here.held.filter((digest) => chosen.has(digest) && !live.has(digest))
        return [
          ...told.map(blockOf),
          ...settled.map((digest) => `${short(digest)}  no live claim: later remnants answer all of it`),
          ...missing.map((name) => `no remnant here begins with "${name}"`),
          ...skipped.map(({ digest, fault }) => `${short(digest)}  skipped: ${data(fault)}`),
          ...(asked.length === 0 && here.held.length + here.skipped.length === 0 ? ['no remnant is stored here'] : []),
        ].join('\n')
      },
      get data() {
        return { remnants: remnants().map(({ document }) => document), skipped: faults }
      },
      ...(asked.length === 0 && { written: () => `{"remnants":${here.documents},"skipped":${JSON.stringify(faults)}}` }),
      status: missing.length > 0 ? 1 : 0,
    }
  },
} satisfies Command

type One = ReturnType<typeof tell>

function tell({ one: { digest, rank }, claims, report, drift, holding, contradicted }: Judged) {
  const { verdict, reason, drifted_keys, retained_claims, invalidated_claims } = report
  return {
    document: { digest, verdict, reason, drifted_keys, retained_claims, invalidated_claims },
    beside: {
      rank,
      drifted: drift.map(driftInWords),
      contradicted: contradicted.map(({ id }) => id),
      live: claims.length,
      holding: holding.length,
      // What the report retains holds; deeds may beside it.
      deeds: holding.length - retained_claims.length,
    },
  }
}

/** The one digest that begins so; null: none does. */
function named(name: string, { held, skipped }: Pick<VerdictsHere<unknown, unknown>, 'held' | 'skipped'>): string | null {
  if (!/^[0-9a-f]{4,64}$/.test(name)) throw new RemnantError('misuse', 'digest is not 4 to 64 hexadecimal digits', { hint: '"git remnant list" shows what is stored' })
  const broken = skipped.filter(({ digest }) => digest.startsWith(name))
  const matches = [...held.filter((digest) => digest.startsWith(name)), ...broken.map(({ digest }) => digest)]
  if (matches.length > 1) throw new RemnantError('misuse', `digest "${name}" begins ${matches.length} remnants' names`, { hint: 'give more digits' })
  const [fault] = broken
  if (fault !== undefined) throw new RemnantError('corrupt', fault.fault, { hint: fault.hint ?? '"git remnant verify" says what can be done' })
  return matches[0] ?? null
}

function blockOf({ document: { digest, verdict, reason }, beside: { rank, drifted, contradicted, live, holding, deeds } }: One): string {
  return [
    `${short(digest)}  ${verdict}${rankNote(rank)}`,
    ...(reason === null ? [] : [`  ${REASONS[reason]}`]),
    ...drifted.map((words) => `  drifted  ${words}`),
    ...contradicted.map((claim) => `  contradicted  ${short(claim)}`),
    `  ${holding} of ${live} live claims ${holding === 1 ? 'holds' : 'hold'}, ${live - holding} suspended`,
    ...(deeds === 0 ? [] : [`  ${deeds} of those that hold ${deeds === 1 ? 'is a deed' : 'are deeds'} done for good: the target is the same`]),
  ].join('\n')
}

const REASONS: Readonly<Record<Exclude<VerdictReason, null>, string>> = {
  'seal-contradiction': 'the seal contradicts the baselines: nothing of this record is believed',
  'no-manifest': 'the record names no keys or no claims to compare',
  structural: 'a structural key drifted',
  'no-baseline': 'a structural key has no baseline',
  'all-claims': 'every live claim touches a drifted key',
  contradiction: 'other evidence, as good, says the opposite here: suspended until probed',
}

const short = (digest: string): string => digest.slice(0, 12)
