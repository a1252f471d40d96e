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
  /** It is made in a shell whose environment may be another than the hook's: a login shell, or one that lives on from call to call. */
  readonly ownShell?: boolean
  /** Paths as the host says them. `.`: any file may have changed. */
  readonly edits: readonly Edit[]
  readonly outcome: Outcome
  readonly output: string | null
  /** Only part of the output is there. */
  readonly cut?: boolean
  /** How long the call took, in ms, where the host says so. */
  readonly took?: number
  /** The host keeps a log of this session there; null: it says of none. */
  readonly transcript: string | null
  /** It goes on with a session whose context was made shorter. */
  readonly compacted?: boolean
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

/** One of a host's events as its configuration names it, and the entry that starts a command line there. */
export interface HookPoint {
  readonly event: string
  readonly moment: Moment
  entry(commandLine: string): Json
}

/** Where a host reads hooks of one work tree, and how it is seen that it is used there. */
export interface Hooks {
  /** A JSON file (comments may stand in it), from the work tree's top, with `/`. Its lists of entries are under `hooks`, by event. */
  readonly file: string
  /** Fields that such a file must have besides. */
  readonly fields: Readonly<Record<string, Json>>
  readonly points: readonly HookPoint[]
  /** Its program's name, and a folder of its own at a work tree's top: either shows that it is used. */
  readonly program: string
  readonly folder: string
  /** What a person has to do besides, in one sentence; null: nothing. */
  readonly then: string | null
}

/** One agent's host: how its hooks speak, and where they are installed. */
export interface Agent {
  readonly id: HostId
  /** As typed to `init --agent`. */
  readonly names: readonly string[]
  readonly why: string
  readonly hooks: Hooks
  /** Whether a payload is in this host's dialect, whoever's configuration brought it here. At most one agent says so. */
  recognise(payload: Json): boolean
  /** `event`: as our line names it, for a payload that does not. null: nothing that concerns us. */
  read(payload: Json, event: string): HookEvent | null
  /** How a decision is told: where the host has no `ask`, as a deny that says how to go past it. */
  tell(event: HookEvent, decision: Decision): HookAnswer
  /** How a brief is handed over at the start; an empty text says nothing at all. */
  brief(event: HookEvent, text: string): HookAnswer
}

/** Nothing is printed, and the call goes on. */
export const PASS: HookAnswer = { stdout: '', stderr: '', status: 0 }

/** An answer as one JSON value and nothing else. */
export const inJson = (value: Json): HookAnswer => ({ stdout: `${JSON.stringify(value)}\n`, stderr: '', status: 0 })

/** What stands under an `ask` where the host can't ask: the call is stopped, and the reader must know how to go on. At most 600 characters with it. */
export const insteadOfAsking = ({ text }: Decision): string => `${text}\nThis host can not ask, so the call was stopped; a person who wants it made may run it.`

/** An event in which nothing has happened yet. */
export const NOTHING_YET = { call: null, tool: 'other', command: null, edits: [], outcome: { is: 'unknown' }, output: null } as const

/** What a tool that nobody knows did to the files, nobody knows. */
export const ANY_FILE: Edit = { path: '.', before: null, after: null }

/** Tools of MCP servers that by their name only read. */
export const ONLY_READS = /^(?:mcp_\w+?_)?_?(?:get|list|search|read|find|fetch|query|describe|view|show|lookup|resolve)\w*$/
