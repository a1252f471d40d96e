import * as z from 'zod/mini'
import { Integer, ObjectId, Text, Time } from '../base/schema.ts'
import { Effect, Target } from './claim.ts'
import { Key } from './key.ts'
import { Outcome } from './outcome.ts'
import { HostId } from './receipt.ts'

export const OBSERVATION_SCHEMA = 'git-remnant/observation/1'

/** A file's blob ids before and after an edit; null where the log does not say, or there was no file. `.`: any file of the repository. */
export const Edit = z.strictObject({ path: Text, before: z.nullable(ObjectId), after: z.nullable(ObjectId) })
export type Edit = z.infer<typeof Edit>

/** What an agent declared with `git remnant claim`. `by` and `gate` are command lines, `effect` as typed. */
export const Declared = z.strictObject({
  statement: Text,
  by: z.nullable(Text),
  effect: z.nullable(Effect),
  gate: z.nullable(Text),
  root_cause: z.boolean(),
})
export type Declared = z.infer<typeof Declared>

/**
 * One thing that a session's log shows to have happened. Local, never committed.
 * `command` is the shell text as typed; `folder` relative to the session's repository, absolute outside it;
 * `keys` what a journal saw at that moment (values, not hashes).
 */
export const Observation = z.strictObject({
  schema: z.literal(OBSERVATION_SCHEMA),
  host: HostId,
  session: Text.check(z.minLength(1)),
  record_id: Text.check(z.minLength(1)),
  at: z.nullable(Time),
  kind: z.enum(['command', 'edit', 'declaration', 'intent']),
  folder: Text,
  head: z.nullable(ObjectId),
  command: z.nullable(Text),
  outcome: Outcome,
  output: z.nullable(Text),
  edits: z.array(Edit),
  declared: z.nullable(Declared),
  keys: z.record(Key, Text),
})
export type Observation = z.infer<typeof Observation>

/** Whether an intent's record is of no call: it was typed, or its host gives calls no ids. The next result of the same command is its own. */
export const isLoose = (record: string): boolean => record.startsWith(TYPED) || record.startsWith('~')
export const TYPED = 'intent-'

/** The deed that an intent is about, where files of the work tree named it and its words do not. */
export const Intended = z.strictObject({ target: Target, identifier: Text })
export type Intended = z.infer<typeof Intended>

/**
 * A line of a journal: an observation of this clone, and the work tree that it was made in. `traced`: its `keys` are what the
 * command was seen to depend on, and a claim about it rests on these, not on what its words let one infer.
 * An agent's hook says besides: `cwd`, the folder as its host said it, which then counts and not `folder`; `began`, when the call
 * was made; `cut`, that only part of the output is there; `transcript` and `offset`, where the host's own log tells of it (bytes).
 */
export const JournalLine = z.strictObject({
  ...Observation.shape,
  worktree: Text,
  traced: z.optional(z.literal(true)),
  intended: z.optional(Intended),
  cwd: z.optional(Text),
  began: z.optional(Time),
  cut: z.optional(z.literal(true)),
  transcript: z.optional(Text),
  offset: z.optional(Integer),
})
export type JournalLine = z.infer<typeof JournalLine>

export const JOURNAL_KEYS_SCHEMA = 'git-remnant/journal-keys/1'

/** A journal's later word on a line before it: the values of its keys, which were read once the line itself was safe. */
export const JournalKeys = z.strictObject({
  schema: z.literal(JOURNAL_KEYS_SCHEMA),
  worktree: Text,
  host: HostId,
  session: Text,
  record_id: Text,
  keys: z.record(Key, Text),
})
export type JournalKeys = z.infer<typeof JournalKeys>

/**
 * One tool call of a log as its format reads it: folders and paths as recorded, the outcome as the host logged it.
 * `cwd` is null where the log names none; `folder` stands instead where a log of our own names it, relative to the repository.
 * `cut`: the host kept only part of the output.
 */
export interface Turn {
  readonly host: HostId
  readonly session: string
  readonly record_id: string
  readonly at: string | null
  /** When the call was made, where `at` is when its result came. */
  readonly began?: string | null
  readonly kind: 'command' | 'edit' | 'declaration' | 'intent'
  readonly cwd: string | null
  /** The folder in which the session was started, where that is another one and the log says so. */
  readonly started?: string
  readonly folder?: string
  readonly head: string | null
  readonly command: string | readonly string[] | null
  readonly outcome: Outcome
  readonly output: string | null
  readonly cut?: boolean
  /** The output is one stream: each line stands where it was printed, errors among them. */
  readonly inOrder?: true
  readonly edits: readonly Edit[]
  readonly declared: Declared | null
  readonly keys: Readonly<Record<Key, string>>
  /** A journal says so of a command that was traced. */
  readonly traced?: true
  /** A journal says so of a mutation before it is made. */
  readonly intended?: Intended
}

/** Where in a log a record stands; for reports to people, never stored. */
export interface Place {
  readonly file: string
  readonly line: number
}

/** What a line of a journal may say besides. */
type Besides = { readonly [Name in 'cwd' | 'began' | 'traced' | 'cut' | 'intended']?: JournalLine[Name] | undefined }

/** An observation that was read back, as the turn that it was; what its outcome proves has been worked out already. */
export const turnOf = (observation: Observation & Besides): Turn => ({
  host: observation.host,
  session: observation.session,
  record_id: observation.record_id,
  at: observation.at,
  ...(observation.began !== undefined && { began: observation.began }),
  kind: observation.kind,
  ...(observation.cwd === undefined ? { cwd: null, folder: observation.folder } : { cwd: observation.cwd }),
  head: observation.head,
  command: observation.command,
  outcome: observation.outcome,
  output: observation.output,
  ...(observation.cut === true && { cut: true }),
  ...(observation.intended !== undefined && { intended: observation.intended }),
  edits: observation.edits,
  declared: observation.declared,
  keys: observation.keys,
  ...(observation.traced === true && { traced: true }),
})
