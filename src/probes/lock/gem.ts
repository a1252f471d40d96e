import { type Lockfile, locked } from './entry.ts'

/** Bundler: `specs:` of each source, four spaces and `NAME (VERSION)`; newer ones keep checksums at the end. */
export const gem: Lockfile = {
  names: ['Gemfile.lock', 'gems.locked'],
  *entries(bytes, decode) {
    const lines = decode(bytes).replaceAll('\r', '').split('\n')
    const sums = new Map<string, string>()
    for (let i = lines.lastIndexOf('CHECKSUMS') + 1; i > 0 && i < lines.length; i++) {
      const [, name, version, sum] = /^ {2}(\S+) \(([^)]+)\) (\w+=\S+)$/.exec(lines[i] as string) ?? []
      if (name !== undefined) sums.set(`${name} ${version}`, sum as string)
    }
    let revision: string | null = null
    for (const line of lines) {
      if (/^\S/.test(line)) revision = null
      revision = /^ {2}revision: ([0-9a-f]+)$/.exec(line)?.[1] ?? revision
      const [, name, version] = /^ {4}(\S+) \(([^)]+)\)$/.exec(line) ?? []
      if (name !== undefined && version !== undefined) yield locked(name, version, sums.get(`${name} ${version}`) ?? (revision === null ? null : `#${revision}`))
    }
  },
}
