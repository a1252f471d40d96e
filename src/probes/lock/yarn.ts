import type { Locked, Lockfile } from './entry.ts'

/** Yarn 1 writes `version "1.0.0"`, later ones YAML of the same shape: `version: 1.0.0`. */
export const yarn: Lockfile = {
  names: ['yarn.lock'],
  *entries(bytes, decode) {
    let wanted: string[] = []
    let fields = new Map<string, string>()
    for (const line of decode(bytes).split('\n')) {
      if (/^[^\s#]/.test(line)) {
        yield* entriesOf(wanted, fields)
        wanted = line.endsWith(':') && line !== '__metadata:' ? line.slice(0, MOST_HEAD).replace(/:$/, '').replaceAll('"', '').split(', ') : []
        fields = new Map()
      } else {
        const field = /^ {2}"?(version|resolved|resolution|integrity|checksum)"?:? "?([^"\s]+)"?$/.exec(line.trimEnd())
        if (field !== null) fields.set(field[1] as string, field[2] as string)
      }
    }
    yield* entriesOf(wanted, fields)
  },
}

/** Many ranges of one package, never this many. */
const MOST_HEAD = 100_000

function* entriesOf(wanted: readonly string[], fields: ReadonlyMap<string, string>): Iterable<Locked> {
  const names = [...new Set(wanted.flatMap((one) => /^(@?[^@]+)@/.exec(one)?.[1] ?? []))]
  const version = fields.get('version')
  const first = names[0]
  if (version === undefined || first === undefined) return
  const real = /^(@?[^@]+)@/.exec(fields.get('resolution') ?? '')?.[1] ?? /@npm:(@?[^@]+)@/.exec(wanted[0] ?? '')?.[1] ?? first
  const integrity = fields.get('integrity') ?? fields.get('checksum') ?? /#[0-9a-f]{40,64}$/.exec(fields.get('resolved') ?? '')?.[0] ?? null
  yield { names: [real, ...names], entry: [real, version, integrity] }
}
