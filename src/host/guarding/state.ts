import { closeSync, mkdirSync, openSync, unlinkSync, writeFileSync, writeSync } from 'node:fs'
import { codeOf } from '../../base/errors.ts'
import { dirname, join } from 'node:path'
import { hashOf } from '../../guard/form.ts'
import type { HookEvent } from '../../model/agent.ts'
import type { Repository } from '../git.ts'
import { textOf } from './files.ts'

/** One call of one session, as far as the guard has to tell calls apart. */
export type Call = Pick<HookEvent, 'host' | 'session' | 'call'>

/**
 * What was said to a session, a line each: `SESSION CLAIM CALL`, by their hashes. Two hooks that bring one call, as some hosts do,
 * are told the same.
 */
export interface Said {
  /** `now`: to this very call first. */
  of(claim: string): 'never' | 'now' | 'before'
  note(claim: string): void
}

const saidPath = ({ commonDir }: Repository): string => join(commonDir, 'remnant', 'guard-said')
const oncePath = ({ commonDir }: Repository, id: string): string => join(commonDir, 'remnant', 'once', id)

/** More than this was said long ago. */
const LONGEST_SAID = 256 * 1024

export function openSaid(call: Call, repository: Repository): Said {
  const [session, id] = [hashOf(JSON.stringify([call.host, call.session])), call.call === null ? '-' : hashOf(call.call)]
  let text: string | undefined
  const known = (claim: string): string[] => {
    text ??= `\n${textOf(saidPath(repository)) ?? ''}`
    const begin = `\n${session} ${hashOf(claim)} `
    const calls: string[] = []
    for (let at = text.indexOf(begin); at !== -1; at = text.indexOf(begin, at + 1)) {
      const end = text.indexOf('\n', at + 1)
      calls.push(text.slice(at + begin.length, end === -1 ? undefined : end))
    }
    return calls
  }
  return {
    of(claim) {
      const calls = known(claim)
      if (calls.length === 0) return 'never'
      return id !== '-' && calls[0] === id ? 'now' : 'before'
    },
    note(claim) {
      if (id !== '-' && known(claim).includes(id)) return
      put(saidPath(repository), `${session} ${hashOf(claim)} ${id}\n`, (text?.length ?? 0) > LONGEST_SAID)
      text = undefined
    },
  }
}

/** One line behind the others, or in their stead. By the system calls alone: an agent waits. */
function put(path: string, line: string, anew: boolean): void {
  const file = opened(path, anew ? 'w' : 'a')
  try {
    writeSync(file, line)
  } finally {
    closeSync(file)
  }
}

function opened(path: string, flags: 'w' | 'a'): number {
  try {
    return openSync(path, flags, 0o600)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, flags, 0o600)
  }
}

/** Lets the next call through that is about this: a claim's id, or the digest of a command. */
export function allowOnce(id: string, repository: Repository): void {
  const path = oncePath(repository, id)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, '', { mode: 0o600 })
}

/** Whether the call is let through: whoever takes the leave away has used it, and the same call told twice is let through twice. */
export function isLetThrough(ids: readonly string[], call: Call, said: Said, repository: Repository): boolean {
  return ids.some((id) => {
    // Named by the call: it is let through whenever it comes.
    const name = `let ${id} ${call.call ?? ''}`
    if (call.call !== null && said.of(name) === 'now') return true
    try {
      unlinkSync(oncePath(repository, id))
    } catch {
      return false
    }
    if (call.call !== null) said.note(name)
    return true
  })
}
