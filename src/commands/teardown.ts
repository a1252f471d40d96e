import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Arguments, Command, Host } from '../command.ts'
import type { Purge } from '../distill/candidate.ts'
import type { Draft } from '../distill/draft.ts'
import { type Distillation, type Earlier, type Grounds, earlierSeals } from '../distill/seal.ts'
import { draft, seal } from '../distill.ts'
import { parse } from '../distill/parse.ts'
import { openApprovals } from '../host/trust/approvals.ts'
import { approveVerifying } from '../host/trust/approve.ts'
import type { Repository } from '../host/git.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { type Journal, closeJournal, isGenerated, readJournal, sealedJournal, takeJournals, unanswered } from '../host/journals.ts'
import { readKeys } from '../host/keys.ts'
import { openLog } from '../host/log.ts'
import { writePurgeLog } from '../host/purge-log.ts'
import { withAnswers } from '../host/log/answers.ts'
import { isHostsOwnPlace, logOfSession, newestLog } from '../host/log/sessions.ts'
import { settingFor } from '../host/trial/setting.ts'
import { CLAIM_LISTS, type ClaimList, countsInWords } from '../model/claim.ts'
import { plainText } from '../model/plain.ts'
import type { Turn } from '../model/observation.ts'
import type { Remnant } from '../model/remnant.ts'
import type { World } from '../model/probe.ts'
import type { Written } from '../model/store.ts'
import { noteWaysOf, withProofs } from '../host/proofs/recorded.ts'
import { type Places, placesIn, withExplanations } from './teardown/explain.ts'
import { probeSessions, withProbes } from './teardown/probe.ts'
import { chosen, othersInWords } from './teardown/sessions.ts'

export default {
  name: 'teardown',
  kind: 'porcelain',
  summary: 'Distil a session into a remnant, seal and store it',
  details:
    'Without a name it takes the unsealed journals of this work tree; if there are none, the newest log that a host keeps ' +
    'for this folder; of a mutation that a journal only saw begin, the host\'s own log is asked what came of it. A seal says only what was seen: a claim on whose keys nobody looked when it was observed is purged as ' +
    '"unsealed". With --here you vouch that this work tree is where and how the session ended, and the keys are read now: ' +
    'with --session also of one that was sealed under its name in the last 14 days. ' +
    'With --probe the checks of a log from elsewhere are run again here, if they are approved, and what holds is sealed as reproduced.',
  options: {
    transcript: { type: 'string', value: 'FILE', describe: 'the log of the session, a file or a folder of events; the folder in which it began is mapped onto this repository' },
    session: { type: 'string', value: 'SESSION', describe: 'the session, by its id; with --transcript, which one of a log that holds many' },
    here: { type: 'boolean', describe: 'this work tree is where and how the session ended' },
    probe: { type: 'boolean', describe: 'for a log from elsewhere: run its approved commands again, here and now, and seal what holds' },
    explain: { type: 'boolean', describe: 'say what led from the log to each claim, and to each rule that purged one' },
  },
  statuses: { 66: 'nothing irreducible to keep: nothing is written', 74: 'the store is damaged or can not be written', 77: 'with --probe: nothing was sealed, and a command is not approved' },
  run: async (args, host) => {
    const { sessions: sealed, probed } = args.flag('probe') ? await probeSessions(await teardown(args, host), host) : { sessions: await teardown(args, host), probed: [] }
    const plain = withProbes(answer(sealed, args.flag('here') || args.flag('probe')), probed)
    return args.flag('explain') ? withExplanations(plain, sealed, await host.sets()) : plain
  },
} satisfies Command

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

async function teardown(args: Arguments, host: Host): Promise<readonly Sealed[]> {
  const repository = await host.repository()
  const worktree = workTreeOf(repository)
  const transcript = args.text('transcript')
  const session = args.text('session') ?? null
  if (transcript === undefined) {
    const sealed = await sealNamed(session, args.flag('here') ? 'here' : 'journal', host, true)
    if (sealed.length > 0) return sealed
  }
  const path = transcript === undefined ? await logFor(session, worktree, host) : resolve(host.cwd, transcript)
  const { formats } = await host.sets()
  setFlagsFromString('--optimize-for-size') // a log may be far larger than what is kept of it: collect early
  const log = await openLog(path, formats, host.files)
  const picked = transcript === undefined ? null : session
  // What says that a log was made here says so of the session that it begins with.
  const own = (picked === null || picked === log.session) && (await isHostsOwnPlace(path, worktree, host.env, formats, host.files))
  const places = args.flag('explain') ? placesIn(log.names) : null
  const its = chosen(picked)
  const turns = its.turns(parse(log.lines, log.format, undefined, places === null ? undefined : (turn, line) => its.isIts(turn) && places.note(turn, line)))
  const sealed = await sealTurns(turns, false, args.flag('here') ? 'here' : own ? 'own-place' : 'journal', await host.world(), host)
  const others = picked === null ? await othersInWords(its.others, (await host.sets()).ephemera) : null
  if (others !== null) host.warn(others)
  await rebuildGuardIndex(host)
  return [{ ...sealed, places }]
}

/** Seals this work tree's unsealed journals; whoever comes first finds them, the others find nothing to do. */
export const sealJournals = async (host: Host): Promise<readonly { readonly digest: string | null; readonly purged: readonly Purge[]; readonly undeclared: readonly Purge[] }[]> =>
  (await sealNamed(null, 'journal', host)).map((one) => ({ digest: one.written?.digest ?? null, purged: one.distillation.purged, undeclared: undeclaredIn(one) }))

/** `asks`: where a journal does not say what came of a mutation, the host's own log may. */
async function sealNamed(session: string | null, grounds: Grounds, host: Host, asks = false): Promise<readonly Sealed[]> {
  const repository = await host.repository()
  const worktree = workTreeOf(repository)
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

async function sealTurns(turns: AsyncIterable<Turn>, journal: boolean, grounds: Grounds, world: World, host: Host): Promise<Sealed> {
  const repository = await host.repository()
  const sets = await host.sets()
  const made = await withProofs(await draft(turns, sets, await settingFor(await host.git(), await host.config(), journal)), host)
  const values = made.wanted.length === 0 ? new Map() : await readKeys(made.wanted, sets.probes, world)
  const distillation = seal(made, values, grounds, grounds === 'own-place' ? await sealedBefore(made, host) : new Map())
  const written = distillation.remnant === null ? null : await (await host.store()).write(distillation.remnant)
  await noteWaysOf(made, distillation.remnant, host)
  if (made.session.session !== '') writePurgeLog(made.host, made.session.session, distillation.purged, repository, host.files)
  return { made, distillation, written, own: journal || grounds !== 'journal', kept: true, journal, places: null }
}

/** What this clone itself sealed of the same session: a teardown that comes again finds what it found. */
async function sealedBefore({ host: id, session }: Draft, host: Host): Promise<Earlier> {
  const remnants: Remnant[] = []
  for await (const stored of (await host.store()).readAll())
    if ('remnant' in stored && stored.rank === 'own' && stored.remnant.session_id === session.session && stored.remnant.provenance.host === id) remnants.push(stored.remnant)
  return earlierSeals(remnants)
}

async function logFor(session: string | null, worktree: string, host: Host): Promise<string> {
  const { formats } = await host.sets()
  const path = session === null ? await newestLog(worktree, host.env, formats, host.files) : await logOfSession(session, worktree, host.env, formats, host.files)
  if (path !== null) return path
  throw new RemnantError('nothing', session === null ? 'there is no unsealed journal and no log of this folder' : 'there is no journal and no log of that session', {
    hint: session === null ? '"git remnant run -- CMD" begins a journal; --transcript FILE names a log' : 'name a log with --transcript FILE',
  })
}

function workTreeOf(repository: Repository): string {
  if (repository.workTree !== null) return repository.workTree
  throw new RemnantError('misuse', 'a bare repository has no work tree whose state could be sealed', { hint: 'run it in a work tree of this repository' })
}

function answer(all: readonly Sealed[], here: boolean): Answer {
  const documents = all.map(documentOf)
  const first = documents.find(({ digest }) => digest !== null) ?? documents[0]
  return {
    text: all.map((one) => textOf(one, here)).join('\n'),
    data: { ...(first ?? { digest: null, ref: null, written: false, claims: {}, purged: {} }), ...(documents.length > 1 ? { sessions: documents } : {}) },
    status: documents.some(({ digest }) => digest !== null) ? 0 : 66,
  }
}

const documentOf = ({ distillation: { remnant, purged }, written }: Sealed) => ({
  digest: written?.digest ?? null,
  ref: written?.ref ?? null,
  written: written?.written ?? false,
  claims: remnant === null ? {} : countsOf(remnant),
  purged: countsBy(purged.map(({ rule }) => rule)),
})

/** What somebody declared in a call that went through, and a rule kept out: he was told that it was admitted. */
function undeclaredIn({ made: { telemetry }, distillation: { purged } }: Sealed): readonly Purge[] {
  const declared = new Set(telemetry?.declarations.flatMap(({ stood, record_id }) => (stood ? [record_id] : [])))
  return purged.filter(({ record_id }) => declared.has(record_id))
}

function textOf(one: Sealed, here: boolean): string {
  const { made: { session }, distillation: { remnant, purged }, written, kept, journal } = one
  const lines =
    remnant === null || written === null
      ? ['nothing irreducible to keep; nothing was written']
      : [
          `${written.written ? 'sealed' : 'already sealed'} ${written.digest.slice(0, 12)}  ${written.ref}`,
          `  kept    ${countsInWords(countsOf(remnant))}`,
        ]
  if (purged.length > 0) lines.push(`  purged  ${purgesInWords(purged)}`)
  for (const { rule, reason, record_id } of undeclaredIn(one)) lines.push(`  declared, and not kept: record ${plainText(record_id, 80)}: ${rule}: ${plainText(reason, 300)}`)
  const unsealed = purged.filter(({ rule }) => rule === 'unsealed')
  const unreadable = unsealed.filter(({ reason }) => reason.includes('can not be read: '))
  if (unreadable.length > 0) lines.push(`hint: ${plainText((unreadable[0] as Purge).reason, 300)}`)
  if (!here && unsealed.length > unreadable.length)
    lines.push('hint: unsealed means that nobody looked at the keys of a claim when it was observed. If this work tree is where and', `      how the session ended, ${howToVouch(kept, journal ? session.session : null)}`)
  return lines.join('\n')
}

/** The step that reads the keys now. `journal`: the session that a journal was of; null: it was a log, which is there as it was. */
function howToVouch(kept: boolean, journal: string | null): string {
  if (journal === null) return 'say so with --here, and they are read now.'
  if (kept && /^[\w.:-]{1,80}$/.test(journal)) return `"git remnant teardown --session ${journal} --here" reads them now.`
  return 'end it with "git remnant teardown --here" another time: the lines of this one went with its seal.'
}

/** How many candidates each rule purged: `2 unsealed, 1 receipt`. */
export const purgesInWords = (purged: readonly Purge[]): string =>
  Object.entries(countsBy(purged.map(({ rule }) => rule))).map(([rule, count]) => `${count} ${rule}`).join(', ')

const countsOf = (remnant: Remnant): Record<ClaimList, number> => Object.fromEntries(CLAIM_LISTS.map((list) => [list, remnant[list].length])) as Record<ClaimList, number>

const countsBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
