import type { ShellCommand } from './command.ts'
import { written } from './folder.ts'
import { type Streams, lesser } from './output.ts'
import type { Scope } from './scope.ts'
import type { Entry } from './status.ts'
import type { Term } from './words.ts'

/** What redirections around several commands leave of what is known of them. */
export function redirected(entries: readonly Entry[], { shows, opaque, inputs, mute }: Streams): readonly Entry[] {
  const symbolic = opaque || inputs.length > 0
  return capped(entries, shows).map((entry) => ({ ...entry, symbolic: entry.symbolic || symbolic, ...(mute === true && entry.joined !== true && { mute }) }))
}

/** What a filter or a redirection leaves of several commands' output: the end of it is the last one's. */
export const capped = (entries: readonly Entry[], shows: ShellCommand['shows']): readonly Entry[] =>
  entries.map((entry, i) => ({ ...entry, shows: lesser(entry.shows, (shows === 'end' || shows === 'tip') && i < entries.length - 1 ? 'part' : shows) }))

/** What is left out of a pipeline, or stands around a group, writes until the last of its commands has ended. */
export const writing = (entries: readonly Entry[], paths: readonly string[]): readonly Entry[] =>
  paths.length === 0 ? entries : entries.map((entry, i) => (i < entries.length - 1 ? entry : { ...entry, writes: [...(entry.writes ?? []), ...paths] }))

/** Paths of the repository that output sent to these files writes: what the shell works out may be any file. */
export function writtenBy(files: readonly Term[], { where, folder }: Scope, root: string | null): readonly string[] {
  if (where !== 'here') return []
  return files.flatMap((file) => (file.symbolic || file.pattern ? '*' : (written(folder, file.value, root) ?? [])))
}

/** No redirection at all. */
export const NO_STREAMS: Streams = { shows: 'all', files: [], inputs: [], joined: false, opaque: false }
