import type { Host } from '../../command.ts'
import type { Grounds } from '../../distill/seal.ts'
import { rebuildGuardIndex } from '../../host/guarding/indexing.ts'
import { type Journal, closeJournal, isGenerated, readJournal, sealedJournal, takeJournals, unanswered } from '../../host/journals.ts'
import { withAnswers } from '../../host/log/answers.ts'
import { openApprovals } from '../../host/trust/approvals.ts'
import { approveVerifying } from '../../host/trust/approve.ts'
import type { World } from '../../model/probe.ts'
import { type Sealed, sealTurns } from './seal.ts'

/**
 * Seals the unsealed journals of a work tree, or those of one session. `asks`: where a journal does not say what came of a mutation,
 * the host's own log may. Throws the first fault of any, once all were tried.
 */
export async function sealNamed(session: string | null, worktree: string, grounds: Grounds, host: Host, asks = false): Promise<readonly Sealed[]> {
  const repository = await host.repository()
  const sealed: Sealed[] = []
  const faults: unknown[] = []
  const world = await host.world()
  const taken = await takeJournals(worktree, session, repository, host.files)
  // What was sealed already is looked at once more where somebody vouches for what was not read then.
  const sealedOnce = taken.length === 0 && session !== null && grounds === 'here' ? await sealedJournal(worktree, session, repository, host.files) : null
  for (const journal of sealedOnce === null ? taken : [sealedOnce]) {
    try {
      const turns = readJournal(journal, worktree, host.files)
      const asked = asks ? withAnswers(turns, await unanswered(journal, worktree, host.files), { workTree: worktree, env: host.env, formats: (await host.sets()).formats, files: host.files }) : turns
      const one = { ...(await sealTurns(asked, true, grounds, world, host)), kept: isNamed(journal, host) }
      await approve(one, world, host)
      sealed.push(one)
      if (isNamed(journal, host)) await warnOfClock(one, host)
      await closeJournal(journal, isNamed(journal, host) ? (await host.sets()).ephemera : null, host.now(), repository, host.files)
    } catch (thrown) {
      faults.push(thrown) // one bad journal keeps no other from its seal, and is taken again
    }
  }
  if (sealed.length > 0) await rebuildGuardIndex(host)
  if (faults.length > 0) throw faults[0]
  return sealed
}

/** Of one session's seals the one that was observed last stands: one that was made while the clock was ahead keeps what comes after it from being told. */
async function warnOfClock({ made, distillation: { remnant }, written }: Sealed, host: Host): Promise<void> {
  if (remnant === null || written === null) return
  for await (const stored of (await host.store()).readAll()) {
    if (!('remnant' in stored) || stored.rank !== 'own' || stored.digest === written.digest) continue
    const { session_id, provenance } = stored.remnant
    if (session_id !== made.session.session || provenance.host !== made.host || (provenance.observed_until <= host.now().toISOString() && provenance.observed_until <= remnant.provenance.observed_until)) continue
    host.warn(`git-remnant: an earlier seal of this session, ${stored.digest.slice(0, 12)}, was made while the clock said ${provenance.observed_until}, and stands in this one's place`)
    host.warn(`hint: once that one is forgotten ("git remnant forget"), this one is told`)
  }
}

/** What a journal of this clone shows to verify something may be run again here. Where the repository can't be told, it is asked for later. */
async function approve({ distillation: { remnant } }: Sealed, world: World, host: Host): Promise<void> {
  const root = remnant === null ? null : await world.rootCommit().catch(() => null)
  if (remnant !== null && root !== null) approveVerifying(remnant, await host.sets(), openApprovals(await host.repository(), host.files, root))
}

/** A session that somebody named may go on under that name. */
const isNamed = (journal: Journal, host: Host): boolean => journal.session === host.env['GIT_REMNANT_SESSION'] || !isGenerated(journal.session)
