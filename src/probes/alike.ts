import { sha256 } from '../base/digest.ts'
import { listingOf } from '../model/listing.ts'
import type { Probe } from '../model/probe.ts'

export default {
  id: 'alike',
  why: 'A program that looks names up in the list of a folder depends on those that it may look for, and on no other.',
  argument: '["FOLDER","PART OF A NAME"…] as canonical JSON',
  async read(argument, world) {
    const [folder, ...parts] = parsed(argument)
    if (folder === undefined || parts.length === 0) return { unreadable: 'it names no folder and names' }
    const found = await listingOf(folder, world)
    if (found === null) return { value: 'absent' }
    if ('unreadable' in found) return found
    const lines = found.entries.filter(({ name }) => parts.some((part) => name.includes(part))).map(({ is, name }) => Buffer.from(`${is} ${name}\n`, 'utf8'))
    return { value: sha256(Buffer.concat(lines.sort(Buffer.compare))), changed: found.changed }
  },
} satisfies Probe

function parsed(argument: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(argument)
    return Array.isArray(value) && value.every((word) => typeof word === 'string' && word !== '') ? (value as string[]) : []
  } catch {
    return []
  }
}
