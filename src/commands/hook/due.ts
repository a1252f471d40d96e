import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { startInBackground, toldLater } from '../../host/sharing.ts'
import { digestIn, openSentList, ownRefs } from '../../store/sync/queue.ts'
import { addressesOf } from '../../store/sync/transport.ts'
import { plainText } from '../../model/plain.ts'

/** What git is about to make of a ref on the remote; zeros: nothing. */
export interface Pushing {
  readonly ref: string
  readonly oid: string
}

/** So many remnants are named, and so many refs are looked at to see whether the push has succeeded. */
const MOST_NAMED = 20
const MOST_LOOKED_AT = 50

/**
 * Where git pushes to the remote that may have remnants, starts what sends those it lacks: in the background, behind the push.
 * Before the first time they are named. The push neither waits for that nor fails by it.
 */
export async function sendWhatIsDue(host: Host, remote: string | undefined, pushing: readonly Pushing[]): Promise<void> {
  try {
    const { share } = await host.config()
    if (share === undefined || remote !== share || pushing.length === 0) return
    const repository = await host.repository()
    for (const line of toldLater(repository, host.files)) host.warn(`git-remnant: ${line}`)
    const sent = openSentList(repository.commonDir, host.files, await addressesOf(await host.git(), remote))
    // Signatures are looked for in the background; they never are due without the remnant that they sign being there.
    const due = ownRefs(repository, host.files).filter((ref) => !sent.has(ref))
    if (due.length === 0) return
    if (sent.isFirst) host.warn(firstOf(due, remote))
    await startInBackground(['send', '--', remote, ...pushing.slice(0, MOST_LOOKED_AT).map(({ ref, oid }) => `${oid} ${ref}`)], host)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    host.warn(`git-remnant: no remnant was sent: ${plainText(thrown.message)}`)
  }
}

function firstOf(due: readonly string[], remote: string): string {
  const digests = due.flatMap((ref) => digestIn(ref)?.slice(0, 12) ?? [])
  const more = digests.length > MOST_NAMED ? ` and ${digests.length - MOST_NAMED} more` : ''
  return `git-remnant: for the first time ${digests.length} remnant${digests.length === 1 ? '' : 's'} will go to ${remote}, once this push has succeeded: ${digests.slice(0, MOST_NAMED).join(' ')}${more}`
}
