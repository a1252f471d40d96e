import { sha256 } from '../base/digest.ts'
import type { Probe } from '../model/probe.ts'

export default {
  id: 'tree',
  why: 'A gate may read any source, so that its colour holds for exactly these files.',
  argument: 'FOLDER from the top of the work tree, or .',
  async read(argument, world) {
    const tree = await world.tree(argument)
    if (tree === null) return { value: 'absent' }
    if (tree.doubt !== null) return { unreadable: tree.doubt }
    const lines = tree.files.map(({ mode, blob, path }) => `${mode} ${blob} ${path}\n`)
    return { value: sha256(bytewise(lines).join('')), changed: tree.changed, ...(tree.written !== undefined && { written: tree.written }) }
  },
} satisfies Probe

/** Sorted as bytes: a text's own order differs from that of its UTF-8 only beyond ASCII. */
function bytewise(lines: readonly string[]): string[] {
  const isAscii = lines.every((line) => /^[\0-\x7f]*$/.test(line))
  return isAscii ? [...lines].sort() : lines.map((line) => Buffer.from(line, 'utf8')).sort(Buffer.compare).map((line) => line.toString('utf8'))
}
