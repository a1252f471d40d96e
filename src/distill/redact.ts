import { type Ephemeron, REDACTED } from '../model/ephemeron.ts'
import { type Key, splitKey } from '../model/key.ts'
import type { JournalKeys, JournalLine } from '../model/observation.ts'
import { replaced } from './normalise.ts'
import { storable } from './screen.ts'

/**
 * A line of a journal as it may be kept once its session is sealed: a word of ours in the place of each secret. What was
 * concluded without them is concluded again; what held one is refused again, since that word is a secret too.
 */
export async function redacted<Of extends JournalLine | JournalKeys>(line: Of, ephemera: readonly Ephemeron[]): Promise<Of> {
  const hiding = ephemera.filter(({ weight }) => weight === 'secret').map((one): Ephemeron => ({ ...one, placeholder: REDACTED, replace: () => REDACTED }))
  const told = (text: string): Promise<string> => replaced(text, { session: '', root: null }, hiding, new Map())
  const orNull = async (text: string | null): Promise<string | null> => (text === null ? null : told(text))
  const keys: Record<Key, string> = {}
  for (const [key, value] of Object.entries(line.keys)) if ((await told(splitKey(key).argument)) === splitKey(key).argument) keys[key] = await told(value)
  const record_id = await storable(line.record_id, ephemera)
  if (!('outcome' in line)) return { ...line, record_id, keys }
  const { command, folder, cwd, output, edits, declared, intended, transcript } = line
  return {
    ...line,
    record_id,
    keys,
    command: await orNull(command),
    folder: await told(folder),
    ...(cwd !== undefined && { cwd: await told(cwd) }),
    ...(transcript !== undefined && { transcript: await told(transcript) }),
    output: await orNull(output),
    edits: await Promise.all(edits.map(async (edit) => ({ ...edit, path: await told(edit.path) }))),
    declared: declared && {
      ...declared,
      statement: await told(declared.statement),
      by: await orNull(declared.by),
      gate: await orNull(declared.gate),
      effect: declared.effect && { ...declared.effect, value: await told(declared.effect.value) },
    },
    ...(intended !== undefined && { intended: { target: { ...intended.target, id: await told(intended.target.id) }, identifier: await told(intended.identifier) } }),
  }
}
