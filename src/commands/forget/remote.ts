import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import type { Git } from '../../host/git.ts'
import { refOf } from '../../store/git/recipe.ts'
import { openTransport, remoteNamed } from '../../store/sync/transport.ts'

/** What the remote that remnants are shared with has of those that were forgotten. */
export interface RemoteHas {
  readonly remote: string
  /** Refs that it has; null: it did not answer. */
  readonly refs: readonly string[] | null
}

const PATIENCE_MS = 15_000

/** Asks the one remote that remnants may have gone to. null: there is none. */
export async function remoteHas(digests: readonly string[], git: Git, host: Host): Promise<RemoteHas | null> {
  const { share } = await host.config()
  if (share === undefined) return null
  const end = Date.now() + PATIENCE_MS
  try {
    const there = await openTransport(git, await remoteNamed(git, share), { timeLeft: () => end - Date.now() }).list()
    return { remote: share, refs: digests.map(refOf).filter((ref) => there.has(ref)) }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return { remote: share, refs: null }
  }
}
