import { ROOT_LOCKFILES, STRUCTURAL, type Key } from '../model/key.ts'
import { programOf, toolKey } from '../model/toolchain.ts'
import type { Evidence } from './weigh.ts'

/** On what it rests that a command passed or failed at this tree. */
export const restsOn = (run: Evidence): readonly Key[] => (run.traced ? keysOf(run) : [...inferred(run), SOURCES])

/** What a run was seen to depend on, where it was traced; else what its command lets one infer. */
export const keysOf = (run: Evidence): readonly Key[] => (run.traced ? Object.keys(run.seen).filter((key) => !STRUCTURAL.includes(key)) : inferred(run))

/** A verifying command's own keys; where nothing is known of a command, all that could decide it. */
export function inferred({ invocation, receipt: { command } }: Evidence): readonly Key[] {
  if (invocation !== null && invocation.keys.length > 0) return invocation.keys
  const { program } = programOf(command)
  return ['tree:.', ...(program.includes('/') ? [] : [toolKey(command.folder, program)]), ...ROOT_LOCKFILES.map((name): Key => `file:${name}`)]
}

/** What a gate or a program of the repository may read: its sources, wherever it was started. */
export const SOURCES: Key = 'tree:.'
