import type { Json } from '../../src/base/canonical.ts'

/** One step of a session: what was typed and what came of it, or a file that was edited. Folders and paths are relative to the repository. */
export interface Step {
  readonly record?: string
  readonly folder?: string
  readonly branch?: string
  readonly command?: string
  readonly code?: number
  readonly output?: string
  readonly edit?: string
}

/** A log of a session as a host writes it: values, one a line; a text where the log is one for people. */
export type Writer = (session: string, steps: readonly Step[], root?: string) => readonly Json[]

export const ROOT = '/home/dev/clockwork'

export const moment = (n: number): string => new Date(Date.UTC(2026, 5, 1, 10, 0, n)).toISOString()
export const idOf = (step: Step, n: number): string => step.record ?? `call_${n}`
export const folderOf = (step: Step, root: string): string => (step.folder === undefined ? root : `${root}/${step.folder}`)
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** What is typed where a call names no folder: the folder is entered first. An edit is a command there, if there is no tool for it. */
export const typedIn = (step: Step, root: string): string => {
  const command = step.command ?? `sed -i s/a/b/ ${quoted(step.edit ?? '')}`
  return step.folder === undefined ? command : `cd ${quoted(folderOf(step, root))} && ${command}`
}
