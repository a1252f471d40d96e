import type { Host } from '../../command.ts'
import type { Draft } from '../../distill/draft.ts'
import { redsBeside } from '../../distill/reds.ts'
import { type Distillation, type Earlier, type Grounds, earlierSeals } from '../../distill/seal.ts'
import { draft, seal } from '../../distill.ts'
import { readKeys } from '../../host/keys.ts'
import { noteWaysOf, withProofs } from '../../host/proofs/recorded.ts'
import { writePurgeLog } from '../../host/purge-log.ts'
import { settingFor } from '../../host/trial/setting.ts'
import type { Turn } from '../../model/observation.ts'
import type { World } from '../../model/probe.ts'
import type { Remnant } from '../../model/remnant.ts'
import type { Written } from '../../model/store.ts'
import type { Places } from './places.ts'

/** What came of one session. */
export interface Sealed {
  readonly made: Draft
  readonly distillation: Distillation
  readonly written: Written | null
  /** It is known to be a session of this clone. */
  readonly own: boolean
  /** Whether it can be sealed again: its log is there, or its journal's lines are kept. */
  readonly kept: boolean
  /** It was sealed from a journal of this clone. */
  readonly journal: boolean
  /** Where the log's records stand, for whoever asked for an explanation. */
  readonly places: Places | null
}

/**
 * Distils a session's turns, seals what was seen or what the grounds vouch for, and stores it. `journal`: they are of a journal of
 * this clone. Throws `damaged` or `unwritable` where the store does.
 */
export async function sealTurns(turns: AsyncIterable<Turn>, journal: boolean, grounds: Grounds, world: World, host: Host): Promise<Sealed> {
  const repository = await host.repository()
  const sets = await host.sets()
  const made = await withProofs(await draft(turns, sets, await settingFor(await host.git(), await host.config(), journal)), host)
  const values = made.wanted.length === 0 ? new Map() : await readKeys(made.wanted, sets.probes, world)
  const distillation = seal(made, values, grounds, grounds === 'own-place' ? await sealedBefore(made, host) : new Map())
  const written = distillation.remnant === null ? null : await (await host.store()).write(distillation.remnant)
  await noteWaysOf(made, distillation.remnant, host)
  if (made.session.session !== '') writePurgeLog(made.host, made.session.session, { purged: distillation.purged, reds: redsBeside(made.telemetry, distillation.remnant) }, repository, host.files)
  return { made, distillation, written, own: journal || grounds !== 'journal', kept: true, journal, places: null }
}

/** What this clone itself sealed of the same session: a teardown that comes again finds what it found. */
async function sealedBefore({ host: id, session }: Draft, host: Host): Promise<Earlier> {
  const remnants: Remnant[] = []
  for await (const stored of (await host.store()).readAll())
    if ('remnant' in stored && stored.rank === 'own' && stored.remnant.session_id === session.session && stored.remnant.provenance.host === id) remnants.push(stored.remnant)
  return earlierSeals(remnants)
}
