import { decodeUtf8 } from '../base/canonical.ts'
import { RemnantError } from '../base/errors.ts'
import type { Probe, World } from '../model/probe.ts'
import { composer } from './lock/composer.ts'
import type { Lockfile, Locked } from './lock/entry.ts'
import { gem } from './lock/gem.ts'
import { go } from './lock/go.ts'
import { gradle } from './lock/gradle.ts'
import { bun, npm } from './lock/npm.ts'
import { pnpm } from './lock/pnpm.ts'
import { pipfile, requirements } from './lock/python.ts'
import { cargo, tomlPython } from './lock/toml.ts'
import { yarn } from './lock/yarn.ts'

interface Ecosystem {
  /** A package is in whichever of them lies there. */
  readonly files: readonly Lockfile[]
  /** One name for all of its spellings. */
  readonly nameOf?: (asked: string) => string
}

const ECOSYSTEMS: ReadonlyMap<string, Ecosystem> = new Map<string, Ecosystem>([
  ['npm', { files: [npm, pnpm, yarn, bun] }],
  ['pip', { files: [tomlPython, pipfile, requirements], nameOf: (asked) => asked.toLowerCase().replace(/[-_.]+/g, '-') }],
  ['cargo', { files: [cargo] }],
  ['go', { files: [go] }],
  ['gem', { files: [gem] }],
  ['composer', { files: [composer], nameOf: (asked) => asked.toLowerCase() }],
  ['gradle', { files: [gradle] }],
])

/** No real lockfile is longer, or holds more. */
const MOST_BYTES = 32 * 1024 * 1024
const MOST_NAMES = 200_000

export default {
  id: 'lock',
  why: 'A claim about a dependency holds for the versions that the lockfile resolved, not for all that the lockfile holds.',
  argument: 'ECOSYSTEM/PACKAGE (npm/left-pad)',
  async read(argument, world) {
    const cut = argument.indexOf('/')
    const name = argument.slice(cut + 1)
    const ecosystem = ECOSYSTEMS.get(argument.slice(0, cut))
    if (cut === -1 || name === '' || ecosystem === undefined) return { unreadable: 'no way to read lockfiles of this kind' }
    const asked = ecosystem.nameOf?.(name) ?? name
    const found = new Set<string>()
    let [changed, moved] = [0, 0]
    for (const lockfile of ecosystem.files)
      for (const path of await pathsOf(lockfile, world)) {
        const read = await entriesOf(path, lockfile, world)
        if (read === null) continue
        changed = Math.max(changed, read.changed)
        moved = Math.max(moved, read.moved)
        for (const entry of read.entries.get(asked) ?? []) found.add(entry)
      }
    const sorted = [...found].sort()
    return { value: sorted.length === 0 ? 'absent' : `[${sorted.join(',')}]`, changed: changed || ((await world.tree('.'))?.changed ?? 0), moved }
  },
} satisfies Probe

/** Those at the top, ignored by git or not, and those of packages that have their own: the key names no folder. */
async function pathsOf({ names, isOne }: Lockfile, world: World): Promise<readonly string[]> {
  const tree = await world.tree('.')
  const inner = (tree?.files ?? []).map(({ path }) => path).filter((path) => names.includes(path.slice(path.lastIndexOf('/') + 1)) || isOne?.(path) === true)
  return [...new Set([...names, ...inner])]
}

interface Read {
  /** Entries as canonical JSON, by each name under which they may be asked for. */
  readonly entries: ReadonlyMap<string, ReadonlySet<string>>
  readonly changed: number
  readonly moved: number
}

/** A world is one moment: each of its lockfiles is read once, however many packages are asked for. */
const known = new WeakMap<World, Map<string, Promise<Read | null>>>()

function entriesOf(path: string, lockfile: Lockfile, world: World): Promise<Read | null> {
  const files = known.get(world) ?? new Map<string, Promise<Read | null>>()
  known.set(world, files)
  const reading = files.get(path) ?? readOne(path, lockfile, world)
  files.set(path, reading)
  return reading
}

async function readOne(path: string, { entries }: Lockfile, world: World): Promise<Read | null> {
  const stat = await world.stat(path)
  if (stat === null || stat.kind !== 'file') return null
  if (stat.size > MOST_BYTES) throw new RemnantError('malformed', `"${path}" is too long for a lockfile`)
  const bytes = await world.read(path)
  if (bytes === null) return null
  const found = new Map<string, Set<string>>()
  let named = 0
  for (const { names, entry } of entries(bytes, (bytes) => decodeUtf8(bytes).replaceAll('\r\n', '\n'))) {
    named += names.length
    if (named > MOST_NAMES) throw new RemnantError('malformed', `"${path}" holds too much for a lockfile`)
    add(found, names, JSON.stringify(entry))
  }
  return { entries: found, changed: stat.changed, moved: stat.moved }
}

/** Of texts and null alone, JSON is canonical as it is. */
function add(found: Map<string, Set<string>>, names: Locked['names'], entry: string): void {
  for (const name of names) {
    const list = found.get(name)
    if (list === undefined) found.set(name, new Set([entry]))
    else list.add(entry)
  }
}
