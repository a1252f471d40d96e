import { parseJson } from '../../base/canonical.ts'
import { listOf, objectOf, wordOf } from '../../base/json.ts'
import { type Locked, type Lockfile, locked } from './entry.ts'

/** One name for all of its spellings (PEP 503). */
export const pythonName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-')

export const pipfile: Lockfile = {
  names: ['Pipfile.lock'],
  *entries(bytes, decode) {
    const lock = objectOf(parseJson(decode(bytes)))
    for (const [section, packages] of Object.entries(lock)) {
      if (section === '_meta') continue
      for (const [told, value] of Object.entries(objectOf(packages))) {
        const entry = objectOf(value)
        const hashes = listOf(entry.hashes).flatMap((hash) => wordOf(hash) ?? []).sort()
        yield locked(pythonName(told), (wordOf(entry.version) ?? wordOf(entry.ref) ?? '').replace(/^==/, ''), hashes.length > 0 ? hashes.join(' ') : null)
      }
    }
  },
}

/** What `pip` is told to install: a pin with its hashes is resolved; of what is left open, what is asked for stands for the version. */
export const requirements: Lockfile = {
  names: ['requirements.txt'],
  isOne: (path) => /(?:^|\/)(?:requirements|constraints)[\w.-]*\.txt$|(?:^|\/)requirements\/[\w.-]+\.txt$/.test(path),
  *entries(bytes, decode) {
    let whole = ''
    for (const line of decode(bytes).split('\n')) {
      const plain = line.replace(/(?:^|\s)#.*$/, '').trimEnd()
      whole += plain.endsWith('\\') ? `${plain.slice(0, -1)} ` : plain
      if (plain.endsWith('\\')) continue
      const one = requirementIn(whole)
      if (one !== null) yield one
      whole = ''
    }
    const last = requirementIn(whole)
    if (last !== null) yield last
  },
}

function requirementIn(line: string): Locked | null {
  const [, told, rest] = /^\s*([A-Za-z0-9][\w.-]*)\s*(.*)$/.exec(line) ?? []
  if (told === undefined || rest === undefined) return null
  const name = pythonName(told)
  const hashes = [...rest.matchAll(/--hash[= ](\S{1,200})/g)].map(([, hash]) => hash as string).sort()
  const asked = rest.replace(/^\[[^\]]*\]/, '').split(/\s--|;/, 1)[0] ?? ''
  const version = asked.replaceAll(/\s+/g, '').replace(/^={2,3}(?=[^,]+$)/, '')
  return locked(name, version, hashes.length > 0 ? hashes.join(' ') : null)
}
