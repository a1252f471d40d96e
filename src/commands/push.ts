import type { Answer, Command, Host } from '../command.ts'
import { RemnantError } from '../base/errors.ts'
import { sharedRemote, toldLater } from '../host/sharing.ts'
import { CLAIM_LISTS } from '../model/claim.ts'
import { plainText } from '../model/plain.ts'
import { type Remnant, claimsOf } from '../model/remnant.ts'
import type { Store } from '../model/store.ts'
import { KINDS, stated } from '../resolve/words.ts'
import { digestIn, openSentList, ownRefs } from '../store/sync/queue.ts'
import { hereOf, ownSignatures } from '../store/git/ref-names.ts'
import { outgoing, send } from '../store/sync/sending.ts'
import { addressesOf, openTransport, remoteNamed } from '../store/sync/transport.ts'
import { signWhereGitWould } from '../store/verify/verifying.ts'

/** So many remnants are shown with what they say when they leave for the first time; a dry run shows all. */
const MOST_SHOWN = 20

export default {
  name: 'push',
  kind: 'porcelain',
  summary: 'Send what this clone sealed to the remote that init --share named',
  details: [
    'Only remnants of this clone leave, with the user\'s own git. A ref is made on the remote if there is none of that name; none is',
    'ever changed or removed. What was removed there after it had arrived is not sent again, but with --again.',
    'Where git signs with SSH by itself ("commit.gpgSign", "gpg.format"), what leaves for the first time is signed first.',
    'A push by git itself to that remote sends them too, in the background, when it has succeeded.',
  ].join('\n'),
  positionals: [{ name: 'remote', describe: 'the remote that was named; it need not be given' }],
  options: {
    'dry-run': { type: 'boolean', describe: 'list what would leave, and send nothing' },
    again: { type: 'boolean', describe: 'send also what was removed there' },
  },
  statuses: { 1: 'not all of it could be sent', 77: 'no remote, or another one, was named that may have remnants', 124: 'the remote took too long' },
  async run(args, host) {
    const git = await host.git()
    const remote = await allowedRemote(args.text('remote'), host)
    for (const line of toldLater(git.repository, host.files)) host.warn(line)
    const sent = openSentList(git.repository.commonDir, host.files, await addressesOf(git, remote))
    if (!args.flag('dry-run')) {
      const unsigned = await signWhereGitWould(ownRefs(git.repository, host.files).filter((ref) => !sent.has(ref)).flatMap((ref) => digestIn(ref) ?? []), host)
      if (unsigned !== null) host.warn(unsigned)
    }
    const refs = ownRefs(git.repository, host.files, await ownSignatures(git))
    const here = await hereOf(refs, git)
    const transport = openTransport(git, remote, { interactive: host.interactive && host.json !== true })
    const found = outgoing(refs, here, await transport.list(), sent)
    const leaving = args.flag('again') ? [...found.open, ...found.gone].sort() : found.open

    const dry = args.flag('dry-run')
    const listed = dry || sent.isFirst ? await listing(leaving, await host.store(), dry ? Infinity : MOST_SHOWN) : []
    const taken = found.taken.map((ref) => ({ ref, reason: TAKEN }))
    if (!dry) sent.add(found.there)
    if (dry || leaving.length === 0) {
      const nothing = refs.length === 0 ? 'this clone has sealed nothing that is here' : `it has ${found.there.length} of ${refs.length}`
      const word = leaving.length === 0 ? `nothing to send to ${remote}: ${nothing}` : `${count(leaving)} would go to ${remote}:`
      return answer([word, ...listed], { remote, dry, first: sent.isFirst, would: dry ? leaving : [], arrived: [], there: found.there, gone: found.gone, refused: taken, again: args.flag('again') })
    }
    if (listed.length > 0) host.warn([`for the first time ${count(leaving)} will go to ${remote}:`, ...listed].join('\n'))
    const first = sent.isFirst
    const results = await send(leaving, here, transport, sent, (done) => host.progress(`sent ${done} of ${leaving.length}`))
    const arrived = results.filter(({ state }) => state === 'sent' || state === 'there').map(({ ref }) => ref)
    const refused = [...taken, ...results.flatMap((one) => (one.state === 'refused' ? [{ ref: one.ref, reason: one.reason }] : one.state === 'taken' ? [{ ref: one.ref, reason: TAKEN }] : []))]
    return answer([`sent ${count(arrived)} to ${remote}`], { remote, dry, first, would: [], arrived, there: found.there, gone: found.gone, refused, again: args.flag('again') })
  },
} satisfies Command

/** What a stranger put there stays there. */
const TAKEN = 'the remote has another object under this name; nothing was changed'

/** Throws `refused` for a remote that nobody named for this. */
async function allowedRemote(asked: string | undefined, host: Host): Promise<string> {
  const shared = await sharedRemote(host)
  if (asked !== undefined && asked !== shared)
    throw new RemnantError('refused', `remote "${plainText(asked, 80)}" is not the one that may have remnants, "${plainText(shared, 80)}"`, { hint: 'git remnant init --share REMOTE names another' })
  return remoteNamed(await host.git(), shared)
}

interface Told {
  readonly remote: string
  readonly dry: boolean
  readonly first: boolean
  readonly would: readonly string[]
  readonly arrived: readonly string[]
  readonly there: readonly string[]
  readonly gone: readonly string[]
  readonly refused: readonly { readonly ref: string; readonly reason: string }[]
  readonly again: boolean
}

function answer(lines: readonly string[], told: Told): Answer {
  const digests = (refs: readonly string[]): string[] => refs.flatMap((ref) => digestIn(ref) ?? [])
  return {
    text: [
      ...lines,
      ...(told.gone.length > 0 && !told.again ? [`not sent again: ${count(told.gone)} that ${told.remote} had and somebody removed there`] : []),
      ...told.refused.map(({ ref, reason }) => `not sent: ${ref}: ${reason}`),
    ].join('\n'),
    data: {
      remote: told.remote,
      dry_run: told.dry,
      first: told.first,
      would_send: digests(told.would),
      sent: digests(told.arrived),
      there: digests(told.there),
      gone: digests(told.gone),
      refused: told.refused,
    },
    status: told.refused.length === 0 ? 0 : 1,
  }
}

/** `3 remnants`, and signatures where there are any. */
function count(refs: readonly string[]): string {
  const remnants = refs.filter((ref) => digestIn(ref) !== null).length
  const others = refs.length - remnants
  return `${remnants} remnant${remnants === 1 ? '' : 's'}${others === 0 ? '' : ` and ${others} signature${others === 1 ? '' : 's'}`}`
}

/** What would leave, with all that it says, for a person to read. */
async function listing(refs: readonly string[], store: Store, most: number): Promise<string[]> {
  const digests = refs.flatMap((ref) => digestIn(ref) ?? [])
  const lines: string[] = []
  for (const digest of digests.slice(0, most)) {
    const found = await store.read(digest)
    if (found !== null && 'remnant' in found) lines.push(...entry(digest, found.remnant))
    else lines.push(`  ${digest.slice(0, 12)}  can't be read`)
  }
  if (digests.length > most) lines.push(`  and ${digests.length - most} more: git remnant list`)
  return lines
}

function entry(digest: string, remnant: Remnant): string[] {
  const claims = claimsOf(remnant)
  const kinds = CLAIM_LISTS.flatMap((list) => (remnant[list].length === 0 ? [] : [`${KINDS[list]} ×${remnant[list].length}`]))
  return [
    `  ${digest.slice(0, 12)}  ${remnant.provenance.observed_until.slice(0, 10)}  ${plainText(remnant.provenance.host)}  ${kinds.join(', ')}`,
    ...claims.map((claim) => `    - ${stated(claim)}`),
  ]
}
