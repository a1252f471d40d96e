import type { Json } from '../base/canonical.ts'
import type { Edit } from './observation.ts'
import type { Outcome } from './outcome.ts'
import type { HostId } from './receipt.ts'

/** When a host calls: before a tool call, after it, as a session starts (or goes on after compaction), and where it only marks a place. */
export type Moment = 'before' | 'after' | 'start' | 'mark'

/**
 * What an agent's host says at one moment, whatever its dialect. `cwd` is absolute; `call` the host's own id of the tool call.
 * `command` is the shell text as the tool got it, null for other tools; `outcome` and `output` are there after the call alone.
 */
export interface HookEvent {
  readonly host: HostId
  readonly session: string
  readonly moment: Moment
  readonly call: string | null
  readonly cwd: string
  readonly tool: 'shell' | 'edit' | 'other'
  readonly command: string | readonly string[] | null
  readonly edits: readonly Edit[]
  readonly outcome: Outcome
  readonly output: string | null
  /** The host keeps a log of this session there; null: it says of none. */
  readonly transcript: string | null
}

/** What the guard says of a call that is about to be made. `text`: facts for whoever reads it, at most 600 characters; empty when silent. */
export interface Decision {
  readonly decision: 'silent' | 'note' | 'ask' | 'deny'
  readonly text: string
  readonly claim_id: string | null
  readonly digest: string | null
}

/** What a hook's process answers: exactly these bytes, and this status. */
export interface HookAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly status: number
}

/** One agent's host: how its hooks speak, and where they are installed. */
export interface Agent {
  readonly id: HostId
  /** As typed to `init --agent`. */
  readonly names: readonly string[]
  readonly why: string
  /** Whether a payload is in this host's dialect, whoever's configuration brought it here. At most one agent says so. */
  recognise(payload: Json): boolean
  /** null: nothing that concerns us. */
  read(payload: Json, event: string): HookEvent | null
  /** How a decision is told: where the host has no `ask`, as a deny that says how to go past it. */
  tell(event: HookEvent, decision: Decision): HookAnswer
  /** How a brief is handed over at the start; an empty text says nothing at all. */
  brief(event: HookEvent, text: string): HookAnswer
}
