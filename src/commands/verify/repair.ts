import { join, relative } from 'node:path'
import { canonical } from '../../base/canonical.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { rebuildGuardIndex } from '../../host/guarding/indexing.ts'
import type { StoreFault } from '../../model/store.ts'
import { mendMissing, mendRef } from '../../store/verify/mending.ts'
import { pathOf, refOf } from '../../store/git/recipe.ts'
import { listSignatures, readSignatures, signaturePathOf } from '../../store/signing/signatures.ts'

/** What was found that may be put right. */
export interface Repairable {
  readonly faults: readonly StoreFault[]
  /** Absolute paths. */
  readonly leftovers: readonly string[]
  readonly derived: readonly string[]
  /** Digests of which a ref should be here, and a copy is. */
  readonly unnamed: readonly string[]
  readonly digests: readonly string[]
}

/** One thing that was done, in words. */
export interface Done {
  readonly subject: string
  readonly did: string
}

/**
 * Does what loses nothing: copies are rewritten from their refs, refs made from valid copies, what is derived dropped and made anew,
 * what a killed process left beside its work removed. The only copy of anything stays, whatever it looks like. What can't be written is said.
 */
export async function repair({ faults, leftovers, derived, unnamed, digests }: Repairable, host: Host): Promise<{ readonly done: readonly Done[]; readonly failed: readonly Done[] }> {
  const [repository, git, store] = [await host.repository(), await host.git(), await host.store()]
  const done: Done[] = []
  const failed: Done[] = []
  const attempt = async (subject: string, act: () => Promise<string | null> | string | null): Promise<void> => {
    try {
      const did = await act()
      if (did !== null) done.push({ subject, did })
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      failed.push({ subject, did: thrown.message })
    }
  }
  const gone = (path: string, did: string) => (): string => {
    host.files.remove(path)
    return did
  }
  const shown = (path: string): string => (path.startsWith(`${repository.commonDir}/`) ? relative(repository.commonDir, path) : relative(repository.workTree ?? '', path))

  for (const path of leftovers) await attempt(shown(path), gone(path, 'removed what a killed process had left'))
  for (const path of derived) await attempt(shown(path), gone(path, 'dropped: it is made anew when it is needed'))
  const about = (subject: string): string | null => digests.find((digest) => subject === refOf(digest) || subject === digest) ?? null
  const refs = [...new Set([...unnamed, ...faults.flatMap(({ subject }) => about(subject) ?? [])])]
  const many = new Set<string>()
  await attempt('refs/remnants', async () => {
    for (const digest of await mendMissing(refs, { repository, git, files: host.files, store })) many.add(digest)
    return null
  })
  done.push(...[...many].map((digest) => ({ subject: refOf(digest), did: 'made its ref from the copy' })))
  for (const digest of refs.filter((one) => !many.has(one)))
    await attempt(refOf(digest), async () => {
      const mended = await mendRef(digest, { repository, git, files: host.files, store })
      return mended !== null && 'done' in mended ? mended.done : null
    })
  for (const digest of digests)
    if (faults.some(({ subject, fault }) => subject === pathOf(digest) && fault === 'differs from its ref'))
      // Reading puts a copy right where its ref is whole.
      await attempt(pathOf(digest), async () => {
        const read = await store.read(digest)
        return read !== null && 'remnant' in read ? 'rewritten from its ref' : null
      })
  for (const name of listSignatures(repository).filter((one) => faults.some(({ subject, fault }) => subject === signaturePathOf(one) && fault === 'does not hash to its name')))
    await attempt(signaturePathOf(name), async () => {
      const [found] = await readSignatures([name], repository, host.git)
      if (found === undefined || 'fault' in found || repository.workTree === null) return null
      host.files.write(join(repository.workTree, signaturePathOf(name)), canonical(found.signature), 0o644)
      return 'rewritten from its ref'
    })
  if (done.length > 0 && (derived.some((path) => /\/guard-(?:index|claims)$/.test(path)) || refs.length > 0))
    await attempt('remnant/guard-index', async () => {
      await rebuildGuardIndex(host)
      return derived.some((path) => /\/guard-(?:index|claims)$/.test(path)) ? 'made anew' : null
    })
  return { done, failed }
}
