import { join } from 'node:path'
import type { Host } from '../../command.ts'
import { DEFAULT_BUDGET, briefHere } from '../../host/briefing.ts'
import { rebuildGuardIndex } from '../../host/guarding/indexing.ts'
import { journalFolder } from '../../host/journals/append.ts'
import { FETCH_AGAIN_MS, fetchInBackground } from '../../host/sharing.ts'
import type { HookEvent } from '../../model/agent.ts'

/**
 * An agent's session starts, or goes on with less context: what others left unsealed here is sealed, `git remnant run` learns the
 * session's name, the guard's index is made anew, what is shared is fetched in the background, and the answer is the brief; empty where nothing is to be told.
 * No part that fails keeps another from its work.
 */
export async function sessionStart(event: HookEvent, host: Host): Promise<string> {
  await attempt(async () => nameSession(event, host))
  const sealed = event.compacted !== true && (await attempt(() => sealLeftovers(host)))
  if (sealed !== true) await attempt(() => rebuildGuardIndex(host)) // a seal has done so
  await attempt(() => fetchInBackground(host, FETCH_AGAIN_MS.session))
  return (await attempt(() => brief(host))) ?? ''
}

/** Claude Code has a file whose lines its shells read before each command. */
function nameSession({ session }: HookEvent, { env, files }: Host): void {
  const path = env.CLAUDE_ENV_FILE
  if (!path || /[\p{Cc}\p{Cf}]/u.test(session) || session.length > MAX_NAME) return
  const line = `export GIT_REMNANT_SESSION='${session.replaceAll("'", `'\\''`)}'`
  if (Buffer.from(files.read(path) ?? []).toString('utf8').split('\n').includes(line)) return
  files.append(path, `${line}\n`)
}

const MAX_NAME = 200

/** Whether there was anything to seal. */
async function sealLeftovers(host: Host): Promise<boolean> {
  const repository = await host.repository()
  if (!host.files.list(journalFolder(repository)).some(({ name }) => name.endsWith('.jsonl'))) return false
  return (await (await import('../teardown.ts')).sealJournals(host)).length > 0
}

/** Facts that hold, or nothing: ids of what is suspended help nobody who begins. */
async function brief(host: Host): Promise<string> {
  const { commonDir, refStorage } = await host.repository()
  if (refStorage === 'files' && host.files.list(join(commonDir, 'refs', 'remnants')).length === 0 && !(await hasPacked(host, commonDir))) return ''
  const { brief: found } = await briefHere(host, DEFAULT_BUDGET, null)
  return found.claims.length === 0 ? '' : found.text
}

const hasPacked = async ({ files }: Host, commonDir: string): Promise<boolean> => Buffer.from(files.read(join(commonDir, 'packed-refs')) ?? []).includes(' refs/remnants/')

async function attempt<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch {
    return null
  }
}
