import type { Locked, Lockfile } from './entry.ts'

/** pnpm writes YAML of one shape: `packages:`, two spaces and the package, four and its fields. */
export const pnpm: Lockfile = {
  names: ['pnpm-lock.yaml'],
  *entries(bytes, decode) {
    let section = ''
    let open: { name: string; version: string; integrity: string | null } | null = null
    for (const line of decode(bytes).split('\n')) {
      const top = /^(\w[\w-]*):/.exec(line)?.[1]
      if (top !== undefined || /^ {2}\S/.test(line)) {
        if (open !== null) yield entryOf(open)
        open = null
      }
      if (top !== undefined) section = top
      if (section !== 'packages') continue
      const key = /^ {2}(?:'([^']+)'|"([^"]+)"|([^\s'"#][^\s]*)):(?:\s|$)/.exec(line)
      if (key !== null) open = packageIn(key[1] ?? key[2] ?? key[3] ?? '')
      else if (open !== null) {
        const integrity = /^ {4,6}(?:resolution: \{.{0,2000}?\b)?integrity: ([^\s,}]+)/.exec(line)?.[1] ?? /^ {4}resolution: \{.{0,2000}?\b(?:commit|tarball): ([^\s,}]+)/.exec(line)?.[1]
        if (integrity !== undefined) open.integrity ??= integrity
        const field = /^ {4}(name|version): ['"]?([^\s'"]+)/.exec(line)
        if (field !== null) open[field[1] as 'name' | 'version'] = field[2] as string
      }
    }
    if (open !== null) yield entryOf(open)
  },
}

const entryOf = ({ name, version, integrity }: { name: string; version: string; integrity: string | null }): Locked => ({ names: [name], entry: [name, version, integrity] })

/** `/name/1.0.0_peer`, `/name@1.0.0(peer@2)`, `name@1.0.0`. */
function packageIn(key: string): { name: string; version: string; integrity: string | null } {
  const [, name, mark, version = ''] = /^\/?(@[^/@]+\/[^/@]+|[^/@]+)([@/])([^(]*)/.exec(key) ?? []
  return { name: name ?? key, version: mark === '/' ? version.replace(/_.*$/s, '') : version, integrity: null }
}
