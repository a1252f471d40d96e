import { join } from 'node:path'
import { HEX_OID } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { objectOf } from '../../base/json.ts'
import type { Files } from '../files.ts'
import type { Git, Repository } from '../git.ts'
import { readCache, writeCache } from './cache.ts'

/** Commits whose root is remembered: HEAD moves with every commit and branch. */
const MAX_KNOWN = 64

/**
 * The commit in which HEAD's first-parent line begins, or `unborn`; `configured` stands in where a shallow clone can't know it.
 * Throws `missing` where nothing says it.
 */
export async function rootCommit(repository: Repository, git: Git, files: Files, configured: string | undefined): Promise<string> {
  const head = await git.try(['rev-parse', '--verify', '-q', 'HEAD'])
  if (head.status === 1) return 'unborn'
  if (head.status !== 0) throw new RemnantError('missing', 'git can\'t tell what HEAD is')
  if (repository.shallow) {
    if (configured !== undefined) return configured
    throw new RemnantError('missing', 'the first commit is not in this shallow clone', {
      hint: 'run "git fetch --unshallow", or write "repository_root" into .remnants/config.json',
    })
  }
  const id = textOf(head.stdout)
  const cache = join(repository.commonDir, 'remnant', 'cache', 'roots.json')
  const known = objectOf(readCache(cache, files))
  const cached = known[id]
  if (typeof cached === 'string' && HEX_OID.test(cached)) return cached
  const root = textOf(await git.run(['--no-replace-objects', 'rev-list', '--first-parent', '--max-parents=0', id]))
  if (!HEX_OID.test(root)) throw new RemnantError('missing', 'git names no first commit of HEAD')
  writeCache(cache, Object.fromEntries([...Object.entries(known).slice(1 - MAX_KNOWN), [id, root]]), files)
  return root
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1').trim()
