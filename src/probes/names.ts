import { sha256 } from '../base/digest.ts'
import { listingOf } from '../model/listing.ts'
import type { Probe } from '../model/probe.ts'

export default {
  id: 'names',
  why: 'A program that lists a folder depends on what lies in it by name, not on what the files hold.',
  argument: 'FOLDER from the top of the work tree, or .',
  async read(argument, world) {
    const found = await listingOf(argument, world)
    if (found === null) return { value: 'absent' }
    if ('unreadable' in found) return found
    const lines = found.entries.map(({ is, name }) => Buffer.from(`${is} ${name}\n`, 'utf8'))
    return { value: sha256(Buffer.concat(lines.sort(Buffer.compare))), changed: found.changed }
  },
} satisfies Probe
