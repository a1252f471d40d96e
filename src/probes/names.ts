import { sha256 } from '../base/digest.ts'
import { isCache } from '../model/caches.ts'
import type { Probe } from '../model/probe.ts'

export default {
  id: 'names',
  why: 'A program that lists a folder depends on what lies in it by name, not on what the files hold.',
  argument: 'FOLDER from the top of the work tree, or .',
  async read(argument, world) {
    const tree = await world.tree(argument)
    if (tree === null) return { value: 'absent' }
    if (tree.doubt !== null) return { unreadable: tree.doubt }
    // Of a folder that git ignores, what lies there counts.
    if (tree.files.length === 0) {
      const lying = ((await world.entries(argument)) ?? []).filter(({ name }) => !isCache(name))
      const changed = Math.max(tree.changed, (await world.stat(argument))?.changed ?? 0)
      if (lying.length > 0) return { value: hashOf(lying.map(({ name, kind }) => `${kind} ${name}\n`)), changed }
    }
    const prefix = argument === '.' ? '' : `${argument}/`
    const names = new Map<string, string>()
    for (const { mode, path } of tree.files) {
      const [name = '', ...below] = path.slice(prefix.length).split('/')
      names.set(name, below.length > 0 ? FOLDER : mode)
    }
    const lines = [...names].map(([name, mode]) => `${mode} ${name}\n`)
    return { value: hashOf(lines), changed: tree.changed }
  },
} satisfies Probe

const hashOf = (lines: readonly string[]): string => sha256(Buffer.concat(lines.map((line) => Buffer.from(line, 'utf8')).sort(Buffer.compare)))

/** As git's own trees say that an entry is one. */
const FOLDER = '040000'
