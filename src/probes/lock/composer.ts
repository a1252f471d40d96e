import { parseJson } from '../../base/canonical.ts'
import { listOf, objectOf, wordOf } from '../../base/json.ts'
import { type Lockfile, locked } from './entry.ts'

export const composer: Lockfile = {
  names: ['composer.lock'],
  *entries(bytes, decode) {
    const lock = objectOf(parseJson(decode(bytes)))
    for (const value of [...listOf(lock.packages), ...listOf(lock['packages-dev'])]) {
      const entry = objectOf(value)
      const [dist, source] = [objectOf(entry.dist), objectOf(entry.source)]
      const reference = wordOf(dist.reference) ?? wordOf(source.reference)
      const name = wordOf(entry.name)
      if (name !== null) yield locked(name.toLowerCase(), wordOf(entry.version) ?? '', wordOf(dist.shasum) ?? (reference === null ? null : `#${reference}`))
    }
  },
}
