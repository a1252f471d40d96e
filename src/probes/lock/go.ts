import { type Lockfile, locked } from './entry.ts'

/** `MODULE VERSION h1:HASH`; of a module that is only looked at, `VERSION/go.mod`. */
export const go: Lockfile = {
  names: ['go.sum'],
  *entries(bytes, decode) {
    for (const line of decode(bytes).split('\n')) {
      const [name, version, hash] = line.trim().split(' ')
      if (name !== undefined && version !== undefined && hash !== undefined) yield locked(name, version, hash)
    }
  },
}
