import { RemnantError } from '../../base/errors.ts'
import type { Lockfile } from './entry.ts'
import { pythonName } from './python.ts'

export const cargo: Lockfile = {
  names: ['Cargo.lock'],
  *entries(bytes, decode) {
    for (const { fields } of packagesIn(decode(bytes))) {
      const name = fields.get('name')
      if (name === undefined) continue
      const integrity = fields.get('checksum') ?? /#[0-9a-f]{40,64}$/.exec(fields.get('source') ?? '')?.[0] ?? null
      yield { names: [name], entry: [name, fields.get('version') ?? '', integrity] }
    }
  },
}

/** Poetry, uv and PDM. Poetry before 1.5 lists the hashes of all packages at the end. */
export const tomlPython: Lockfile = {
  names: ['poetry.lock', 'uv.lock', 'pdm.lock'],
  *entries(bytes, decode) {
    const text = decode(bytes)
    const late = lateHashes(text)
    for (const { fields, hashes, inline } of packagesIn(text)) {
      const told = fields.get('name')
      if (told === undefined) continue
      const name = pythonName(told)
      const all = [...hashes, ...(late.get(name) ?? [])].sort()
      const rev = /[#"]([0-9a-f]{40,64})"?/.exec(inline)?.[1]
      yield { names: [name], entry: [name, fields.get('version') ?? '', all.length > 0 ? all.join(' ') : rev === undefined ? null : `#${rev}`] }
    }
  },
}

interface Package {
  readonly fields: Map<string, string>
  readonly hashes: string[]
  /** Where it comes from, as it stands there. */
  inline: string
}

/** The `[[package]]` tables of a file that a tool wrote: a field a line, in the tool's own order. */
function* packagesIn(text: string): Iterable<Package> {
  let open: Package | null = null
  let table = ''
  for (const line of text.split('\n')) {
    if (line.includes('"""') || line.includes("'''")) throw new RemnantError('malformed', 'a lockfile with texts over many lines was written by no tool')
    const head = /^\[\[?([\w.-]+)\]?\]\s*$/.exec(line)?.[1]
    if (head !== undefined) {
      table = head
      if (line.startsWith('[[package]]')) {
        if (open !== null) yield open
        open = { fields: new Map(), hashes: [], inline: '' }
      }
      if (!/^package\b/.test(table)) {
        if (open !== null) yield open
        open = null
      }
    } else if (open !== null) {
      const field = table === 'package' ? /^(name|version|checksum|source) = "([^"\\]*)"\s*$/.exec(line) : null
      if (field !== null) open.fields.set(field[1] as string, field[2] as string)
      if (/^(?:source = \{|(?:resolved_reference|reference|revision) = )/.test(line)) open.inline += line
      for (const [, hash] of line.matchAll(/\bhash ?= ?"([\w:+/=-]{1,200})"/g)) open.hashes.push(hash as string)
    }
  }
  if (open !== null) yield open
}

function lateHashes(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  const at = text.search(/^\[metadata\.files\]/m)
  if (at === -1) return found
  let open: string[] = []
  for (const line of text.slice(at).split('\n')) {
    const name = /^"?([\w.-]+)"? = \[/.exec(line)?.[1]
    if (name !== undefined) found.set(pythonName(name), (open = []))
    for (const [, hash] of line.matchAll(/\bhash ?= ?"([\w:+/=-]{1,200})"/g)) open.push(hash as string)
  }
  return found
}

