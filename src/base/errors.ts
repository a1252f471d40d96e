/** What kind of thing went wrong; it decides the exit status and nothing else. */
export type Fault =
  | 'misuse' // the command line can't be taken as it is
  | 'malformed' // an input or a record breaks its format
  | 'nothing' // nothing irreducible to keep
  | 'missing' // git or a needed program is missing, or a repository format is refused
  | 'corrupt' // the store is damaged
  | 'unwritable' // the store can't be written
  | 'refused' // not approved
  | 'timeout'

/** Exit statuses, section 10 of the on-disk and command-line contract. 70 is a bug of ours and has no fault. */
export const EXIT: Readonly<Record<Fault, number>> = {
  misuse: 64,
  malformed: 65,
  nothing: 66,
  missing: 69,
  corrupt: 74,
  unwritable: 74,
  refused: 77,
  timeout: 124,
}

export const EXIT_BUG = 70

/**
 * A fault that a user can act on. `message`: lower case, no full stop, what failed first, the subject in quotes.
 * `hint` names one safe next step. Neither ever holds a value that a rule refused.
 */
export class RemnantError extends Error {
  readonly fault: Fault
  readonly hint: string | undefined

  constructor(fault: Fault, message: string, more: { hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.name = 'RemnantError'
    this.fault = fault
    this.hint = more.hint
  }
}

/** The message of whatever was thrown, for a person to read. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

/** The `code` of a Node system error (`ENOENT`), or undefined. */
export const codeOf = (thrown: unknown): string | undefined =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
