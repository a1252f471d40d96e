import * as fs from 'node:fs'
import type { Answer, Command, Host } from '../command.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { noteFetch, sharedRemote, toldLater } from '../host/sharing.ts'
import { plainText } from '../model/plain.ts'
import { openLocalLists } from '../store/local-lists.ts'
import { type Brought, bring } from '../store/sync/bringing.ts'
import { type Stranger, strangersHere } from '../store/signing/strangers.ts'
import { openTransport, remoteNamed } from '../store/sync/transport.ts'
import { settleSignatures } from '../store/verify/verifying.ts'

export default {
  name: 'fetch',
  kind: 'porcelain',
  summary: "Fetch a remote's remnants, examine each, and take those that are whole",
  details: [
    'Without REMOTE: the one that init --share named. What comes from that one is "reported", what comes from another "other":',
    'neither starts a program here, or keeps anybody from anything. Nothing is pruned, nothing in the configuration is changed.',
    'A remnant that is not what its name says is named and leaves nothing visible; one that was forgotten here is kept away;',
    'one of which objects are missing or damaged here is made whole again.',
  ].join('\n'),
  positionals: [{ name: 'remote', describe: 'the name of a remote' }],
  statuses: { 77: 'no remote was named', 124: 'the remote took too long' },
  async run(args, host) {
    const git = await host.git()
    const { share } = await host.config()
    const remote = await remoteNamed(git, args.text('remote') ?? (await sharedRemote(host)))
    for (const line of toldLater(git.repository, host.files)) host.warn(line)
    if (remote === share) noteFetch(host, git.repository)
    const transport = openTransport(git, remote, { interactive: host.interactive && host.json !== true })
    const brought = await bring({ git, files: host.files, disk: fs, transport, accepted: remote === share, progress: host.progress })
    const unchecked = await settleSignatures(host)
    if (unchecked !== null) host.warn(unchecked)
    if (brought.fetched.length + brought.renewed.length > 0 || brought.signatures > 0) await rebuildGuardIndex(host)
    return answerOf(remote, brought, brought.signatures === 0 ? [] : await unaccepted(host))
  },
} satisfies Command

/** Whose word could count here and does not: what this clone sealed counts without any signature. */
async function unaccepted(host: Host): Promise<readonly Stranger[]> {
  const own = openLocalLists((await host.repository()).commonDir, host.files).own()
  const strangers = (await strangersHere(host)).filter(({ denied }) => !denied)
  return strangers.map((one) => ({ ...one, remnants: one.remnants.filter((digest) => !own.has(digest)) })).filter(({ remnants }) => remnants.length > 0)
}

function answerOf(remote: string, brought: Brought, strangers: readonly Stranger[]): Answer {
  const { fetched, there, renewed, kept_away, rejected, signatures } = brought
  const more = [
    ...(signatures > 0 ? [`${signatures} signature${signatures === 1 ? '' : 's'}`] : []),
    ...(there.length > 0 ? [`${there.length} ${there.length === 1 ? 'was' : 'were'} here`] : []),
    ...(renewed.length > 0 ? [`${renewed.length} of which objects were missing or damaged here ${renewed.length === 1 ? 'is' : 'are'} whole again`] : []),
    ...(kept_away.length > 0 ? [`${kept_away.length} forgotten here ${kept_away.length === 1 ? 'was' : 'were'} kept away`] : []),
  ]
  return {
    text: [
      `fetched ${fetched.length} remnant${fetched.length === 1 ? '' : 's'} from ${remote}${more.length === 0 ? '' : `; ${more.join('; ')}`}`,
      ...strangers.map(({ fingerprint, remnants }) => `${remnants.length} signed by ${fingerprint}, which is not accepted here: git remnant allow ${fingerprint}, once you know whose it is`),
      ...rejected.map(({ ref, fault }) => `rejected: ${plainText(ref, 160)} ${fault}`),
    ].join('\n'),
    data: { remote, fetched, there: there.length, renewed, kept_away, rejected, signatures, ...(strangers.length > 0 && { not_accepted: strangers.map(({ fingerprint, remnants }) => ({ signer: fingerprint, remnants })) }) },
  }
}
