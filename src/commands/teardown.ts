import { resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { RemnantError } from '../base/errors.ts'
import type { Arguments, Command, Host } from '../command.ts'
import type { Purge } from '../distill/candidate.ts'
import { parse } from '../distill/parse.ts'
import type { Repository } from '../host/git.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { openLog } from '../host/log.ts'
import { isHostsOwnPlace, logOfSession, newestLog } from '../host/log/sessions.ts'
import { answerOf, undeclaredIn } from './teardown/answer.ts'
import { withExplanations } from './teardown/explain.ts'
import { sealNamed } from './teardown/journals.ts'
import { placesIn } from './teardown/places.ts'
import { probeSessions, withProbes } from './teardown/probe.ts'
import { type Sealed, sealTurns } from './teardown/seal.ts'
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
    const plain = withProbes(answerOf(sealed, args.flag('here') || args.flag('probe')), probed)
    return args.flag('explain') ? withExplanations(plain, sealed, await host.sets()) : plain
  },
} satisfies Command

async function teardown(args: Arguments, host: Host): Promise<readonly Sealed[]> {
  const worktree = workTreeOf(await host.repository())
  const transcript = args.text('transcript')
  const session = args.text('session') ?? null
  if (transcript === undefined) {
    const sealed = await sealNamed(session, worktree, args.flag('here') ? 'here' : 'journal', host, true)
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
  (await sealNamed(null, workTreeOf(await host.repository()), 'journal', host)).map((one) => ({ digest: one.written?.digest ?? null, purged: one.distillation.purged, undeclared: undeclaredIn(one) }))

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
