import { createReadStream, readdirSync, statSync } from 'node:fs'
import type { Json } from '../../src/base/canonical.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { parse } from '../../src/distill/parse.ts'
import { formats } from '../../src/formats.ts'
import { type LogFiles, openLog } from '../../src/host/log.ts'
import type { Format } from '../../src/model/format.ts'
import type { Turn } from '../../src/model/observation.ts'

/** The disk, as far as logs are read from it. */
export const disk: LogFiles = {
  list: (path) =>
    statSync(path, { throwIfNoEntry: false })?.isDirectory()
      ? readdirSync(path, { withFileTypes: true })
          .map((entry) => ({ name: entry.name, kind: entry.isFile() ? ('file' as const) : entry.isDirectory() ? ('folder' as const) : ('other' as const) }))
          .sort((a, b) => (a.name < b.name ? -1 : 1))
      : [],
  stat: (path) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat === undefined) return null
    return { kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other', size: stat.size, mode: stat.mode, changed: stat.mtimeMs, id: `${stat.dev}:${stat.ino}` }
  },
  stream: async function* (path) {
    try {
      yield* createReadStream(path)
    } catch {
      throw new RemnantError('malformed', `"${path}" can not be read`)
    }
  },
}

/** Whether a file of a folder of golden logs is a log: not what it is expected to give, and no companion of another. */
export const isLog = (name: string): boolean => /\.(?:jsonl|json|traj|md)$/.test(name) && !name.endsWith('.turns.json') && !name.startsWith('agent-')

/** Where the turns that a golden log gives stand. */
export const turnsBeside = (path: string): string => path.replace(/\.(?:jsonl|traj\.json|json|traj|md)$/, '.turns.json')

/** All turns of a log on disk, its companions' too; when each began stands in the formats' own tests. */
export async function turnsOf(path: string): Promise<Turn[]> {
  const { lines, format } = await openLog(path, formats, disk)
  const turns: Turn[] = []
  for await (const { began: _, ...turn } of parse(lines, format)) turns.push(turn)
  return turns
}

/** The turns that a format reads out of values, as if each stood on its own line. */
export function readBy(format: Format, values: readonly Json[]): Turn[] {
  const reader = format.open()
  const turns = values.flatMap((value, i) => [...reader.read({ file: 0, number: i + 1, offset: 0, value })])
  return [...turns, ...reader.end()]
}
