import { admit, nameOf, refuseSecretKeys, rulesPassed } from './distill/admit.ts'
import { claim } from './distill/claim.ts'
import { observe } from './distill/observe.ts'
import { type Distillation, type Earlier, type Grounds, sealed, stillTrue } from './distill/seal.ts'
import { type Draft, type Setting, drafted } from './distill/draft.ts'
import { weigh } from './distill/weigh.ts'
import type { KeyValues } from './model/key.ts'
import type { Turn } from './model/observation.ts'
import type { Sets } from './model/sets.ts'

/**
 * The first half of the job (000): a log's turns in, candidates and the keys that they want out. Pure: no disk, clock,
 * network, randomness or process. Between the halves the host reads the keys.
 */
export async function draft(turns: AsyncIterable<Turn>, sets: Sets, setting: Setting): Promise<Draft> {
  await refuseSecretKeys([...setting.ambient, ...setting.structural], sets)
  const observations = observe(turns, sets.toolchains, setting.roots) // what happened, with its outcome
  const telemetry = await weigh(observations, sets, setting.journal) // what each command shows; outputs are let go
  const candidates = claim(telemetry) // what could be concluded
  const admitted = await admit(candidates, telemetry, sets) // what passes the rules
  const session = telemetry === null ? '' : await nameOf(telemetry.session, sets)
  return drafted(telemetry, session, admitted, rulesPassed(sets), setting)
}

/** The second half: values of the wanted keys in, the remnant out; null where nothing irreducible is left. */
export const seal = (draft: Draft, values: KeyValues, grounds: Grounds, earlier: Earlier = new Map()): Distillation =>
  sealed(stillTrue(draft, values, grounds, earlier), draft)
