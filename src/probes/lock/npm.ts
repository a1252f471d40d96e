import { parse } from 'jsonc-parser'
import { parseJson } from '../../base/canonical.ts'
import { RemnantError } from '../../base/errors.ts'
import { type JsonObject, listOf, objectOf, wordOf } from '../../base/json.ts'
import type { Locked, Lockfile } from './entry.ts'

export const npm: Lockfile = {
  names: ['npm-shrinkwrap.json', 'package-lock.json'],
  entries(bytes, decode) {
    const lock = objectOf(parseJson(decode(bytes)))
    return lock.packages === undefined ? nested(objectOf(lock.dependencies)) : placed(objectOf(lock.packages))
  },
}

/** Versions 2 and 3 list `packages` by place. */
function* placed(packages: JsonObject): Iterable<Locked> {
  for (const [place, value] of Object.entries(packages)) {
    const at = place.lastIndexOf('node_modules/')
    if (at === -1) continue
    const entry = objectOf(value)
    const installed = place.slice(at + 'node_modules/'.length)
    const name = wordOf(entry.name) ?? installed
    const linked = entry.link === true ? objectOf(packages[wordOf(entry.resolved) ?? '']) : entry
    yield { names: [name, installed], entry: [name, wordOf(linked.version) ?? '', integrityOf(entry)] }
  }
}

/** Version 1 nests `dependencies`. */
function* nested(dependencies: JsonObject): Iterable<Locked> {
  const open = [dependencies]
  for (let level = open.pop(); level !== undefined; level = open.pop())
    for (const [installed, value] of Object.entries(level)) {
      const entry = objectOf(value)
      const version = wordOf(entry.version) ?? ''
      const alias = /^npm:(@?[^@]+)@(.+)$/.exec(version)
      const name = alias?.[1] ?? installed
      yield { names: [name, installed], entry: [name, alias?.[2] ?? version, integrityOf(entry)] }
      open.push(objectOf(entry.dependencies))
    }
}

/** What a package from a repository has instead of an integrity is the commit in its address. */
const integrityOf = (entry: JsonObject): string | null => wordOf(entry.integrity) ?? /#[0-9a-f]{40,64}$/.exec(wordOf(entry.resolved) ?? '')?.[0] ?? null

export const bun: Lockfile = {
  names: ['bun.lock', 'bun.lockb'],
  *entries(bytes, decode) {
    if (bytes[0] === 35) throw new RemnantError('malformed', 'a binary bun.lockb can not be read', { hint: 'let Bun write bun.lock instead' })
    const faults: unknown[] = []
    const lock = objectOf(parse(decode(bytes), faults as never[], { allowTrailingComma: true }))
    if (faults.length > 0) throw new RemnantError('malformed', 'bun.lock is not what Bun writes')
    for (const [place, value] of Object.entries(objectOf(lock.packages))) {
      const list = listOf(value)
      const resolved = wordOf(list[0]) ?? ''
      const cut = resolved.indexOf('@', 1)
      if (cut === -1) continue
      const name = resolved.slice(0, cut)
      const installed = /(?:^|\/)(@[^/]+\/[^/]+|[^/@]+)$/.exec(place)?.[1] ?? name
      const last = wordOf(list.at(-1))
      yield { names: [name, installed], entry: [name, resolved.slice(cut + 1), list.length > 1 ? last : null] }
    }
  },
}
