import * as fs from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { RemnantError } from '../../base/errors.ts'
import type { Answer, Host } from '../../command.ts'
import type { Git } from '../../host/git.ts'
import { rebuildGuardIndex } from '../../host/guarding/indexing.ts'
import { tellLater } from '../../host/sharing.ts'
import { plainText } from '../../model/plain.ts'
import { bring } from '../../store/sync/bringing.ts'
import { openSentList, ownRefs } from '../../store/sync/queue.ts'
import { hereOf, ownSignatures } from '../../store/git/ref-names.ts'
import { send } from '../../store/sync/sending.ts'
import { settleSignatures } from '../../store/verify/verifying.ts'
import { type Transport, addressesOf, openTransport, remoteNamed } from '../../store/sync/transport.ts'
import type { Pushing } from './due.ts'

/** All that goes on in the background ends within this. */
const LIMIT_MS = 60_000

/** Once git's push has succeeded, sends what this clone sealed and the remote was not sent yet; one attempt. What went wrong is told at the next time. */
export const sendBehind = (host: Host, remote: string | undefined, pushed: readonly string[]): Promise<Answer> =>
  quietly(host, 'sent', async (git, name, transport) => {
    const { commonDir } = git.repository
    if (!(await hasSucceeded(pushed.flatMap(pushingIn), name, git, transport))) return []
    const sent = openSentList(commonDir, host.files, await addressesOf(git, name))
    const due = ownRefs(git.repository, host.files, await ownSignatures(git)).filter((ref) => !sent.has(ref))
    const results = await send(due, await hereOf(due, git), transport, sent)
    return results.flatMap((one) =>
      one.state === 'taken' ? [`${name} has another object as ${one.ref}; it was not changed`] : one.state === 'refused' ? [`${name} did not take ${one.ref}: ${one.reason}`] : [],
    )
  }, remote)

/** Fetches from the accepted remote; what was rejected is told at the next time. */
export const fetchBehind = (host: Host, remote: string | undefined): Promise<Answer> =>
  quietly(host, 'fetched', async (git, _name, transport) => {
    const { fetched, signatures, rejected } = await bring({ git, files: host.files, disk: fs, transport, accepted: true })
    const unchecked = signatures === 0 ? null : await settleSignatures(host)
    if (fetched.length + signatures > 0) await rebuildGuardIndex(host)
    return [...rejected.map(({ ref, fault }) => `rejected: ${plainText(ref, 160)} ${fault}`), ...(unchecked === null ? [] : [unchecked])]
  }, remote)

type Work = (git: Git, remote: string, transport: Transport) => Promise<readonly string[]>

async function quietly(host: Host, what: string, work: Work, asked: string | undefined): Promise<Answer> {
  const { share } = await host.config()
  if (share === undefined || asked !== share) return { data: { remote: null } }
  const git = await host.git()
  const end = Date.now() + LIMIT_MS
  try {
    const remote = await remoteNamed(git, share)
    tellLater(await work(git, remote, openTransport(git, remote, { timeLeft: () => end - Date.now() })), git.repository, host.files)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    tellLater([`nothing was ${what}: ${thrown.message}`], git.repository, host.files)
  }
  return { data: { remote: share } }
}

/** Looks that cost no connection come first and often: git writes down where the remote's branches are once it has moved them. */
const LOCAL_LOOKS_MS = [50, 100, 200, 400, 800, 1500]
const REMOTE_LOOKS_MS = [0, 6_000, 20_000]

/** Whether the push in whose hook we were started took place: `git push --dry-run` runs that hook too, and a push may be refused. */
async function hasSucceeded(pushing: readonly Pushing[], remote: string, git: Git, transport: Transport): Promise<boolean> {
  if (pushing.length === 0) return true
  for (const ms of LOCAL_LOOKS_MS) {
    await wait(ms)
    if ((await Promise.all(pushing.map((one) => isTracked(one, remote, git)))).some(Boolean)) return true
  }
  for (const ms of REMOTE_LOOKS_MS) {
    await wait(ms)
    const there = await transport.list(pushing.map(({ ref }) => ref))
    if (pushing.some(({ ref, oid }) => (isNothing(oid) ? !there.has(ref) : there.get(ref) === oid))) return true
  }
  return false
}

async function isTracked({ ref, oid }: Pushing, remote: string, git: Git): Promise<boolean> {
  if (!ref.startsWith('refs/heads/') || isNothing(oid)) return false
  const { status, stdout } = await git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', `refs/remotes/${remote}/${ref.slice('refs/heads/'.length)}`])
  return status === 0 && Buffer.from(stdout).toString('latin1').trim() === oid
}

function pushingIn(text: string): Pushing[] {
  const [, oid, ref] = /^([0-9a-f]{40,64}) (refs\/\S+)$/.exec(text) ?? []
  return oid === undefined || ref === undefined ? [] : [{ oid, ref }]
}

const isNothing = (oid: string): boolean => /^0+$/.test(oid)
