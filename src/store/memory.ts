import { RemnantError } from '../base/errors.ts'
import { outlined } from '../model/outline.ts'
import { decodeRemnant, encodeRemnant, fingerprintOf } from '../model/remnant.ts'
import type { Store, Stored } from '../model/store.ts'
import { refOf, supersededBy } from './git/recipe.ts'

/** A store that ends with the process: for tests, and for a run that must leave nothing behind. */
export function memoryStore(): Store {
  const kept = new Map<string, Uint8Array>()
  const read = (digest: string): Stored | null => {
    const bytes = kept.get(digest)
    return bytes === undefined ? null : { digest, remnant: decodeRemnant(bytes, digest), rank: 'own' }
  }
  const digests = (): string[] => [...kept.keys()].sort()
  return {
    write: async (remnant) => {
      const { digest, bytes } = encodeRemnant(remnant)
      decodeRemnant(bytes, digest)
      const lost = supersededBy(remnant).find((older) => !kept.has(older))
      if (lost !== undefined)
        throw new RemnantError('unwritable', `remnant "${digest.slice(0, 12)}" supersedes "${lost.slice(0, 12)}", which is not here`, { hint: 'git remnant fetch' })
      const written = !kept.has(digest)
      kept.set(digest, bytes)
      return { digest, ref: refOf(digest), written }
    },
    digests: async () => digests(),
    read: async (digest) => read(digest),
    readAll: async function* () {
      for (const digest of digests()) yield read(digest) as Stored
    },
    outlook: async () => ({ mark: null, outlines: async () => digests().map((digest) => outlined(read(digest) as Stored)) }),
    audit: async function* (wanted) {
      for (const digest of wanted) {
        const found = read(digest)
        if (found === null) yield { digest, faults: [{ subject: digest, fault: 'is not here', repair: 'git remnant fetch' }] }
        else {
          const broken = 'remnant' in found && fingerprintOf(found.remnant.baseline_key_hashes) !== found.remnant.environment_fingerprint
          yield { digest, faults: broken ? [{ subject: digest, fault: 'has a seal that contradicts its baselines', repair: 'none: it was written so' }] : [] }
        }
      }
    },
    checkout: async () => ({ restored: [], faults: [] }),
  }
}
