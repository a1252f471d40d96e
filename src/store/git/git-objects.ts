import { RemnantError } from '../../base/errors.ts'
import type { Git } from '../../host/git.ts'
import { plainText } from '../../model/plain.ts'
import { elsewhere } from './atomic-fs.ts'
import { byGit } from './cat-file.ts'
import { packOf } from './pack.ts'
import type { Objects } from './port.ts'
import { type GitObject, REFS, refOf } from './recipe.ts'
import { readRef } from './refs.ts'

/** Objects and refs by the user's own git alone: for repositories with SHA-256 names, or with refs in a table. */
export function openGitObjects(git: () => Promise<Git>): Objects {
  return {
    put: async (objects) => {
      const user = await git()
      const { status, stderr } = await user.try([...DURABLY, 'unpack-objects', '-q'], { input: packOf(objects, user.repository.objectFormat) })
      if (status !== 0) throw unwritable('objects', stderr)
      // An object that is there already is left alone by git, whatever has become of it.
      const { stdout } = await user.try(['--no-replace-objects', 'cat-file', '--batch'], { input: objects.map(({ oid }) => `${oid}\n`).join(''), env: { GIT_NO_LAZY_FETCH: '1' } })
      if (!answerFor(objects).equals(stdout)) throw new RemnantError('corrupt', 'git does not give back the objects of a remnant as they were written', { hint: 'git fsck' })
    },
    makeRef: async (digest, oid) => {
      const user = await git()
      const { status, stderr } = await user.try([...DURABLY, 'update-ref', '--no-deref', '--stdin'], { input: `create ${refOf(digest)} ${oid}\n` })
      if (status === 0) return true
      const ref = readRef(user.repository, digest)
      if (ref === null) throw /lock/i.test(stderr) ? locked(digest) : unwritable(refOf(digest), stderr)
      if ('oid' in ref && ref.oid === oid) return false
      throw elsewhere(digest)
    },
    contents: async (commits) => (commits.size === 0 ? new Map() : byGit(await git(), commits)),
  }
}

/** Nobody's hooks, nothing in a reflog, all of it on the disk before git ends; patience with whoever holds a lock (ms). */
export const DURABLY = ['core.hooksPath=/dev/null', 'core.logAllRefUpdates=false', 'core.fsync=all', 'core.filesRefLockTimeout=1000', 'reftable.lockTimeout=1000'].flatMap((setting) => ['-c', setting])

/** What `git cat-file --batch` says where all of them are whole. */
const answerFor = (objects: readonly GitObject[]): Buffer =>
  Buffer.concat(objects.flatMap(({ oid, type, content }) => [Buffer.from(`${oid} ${type} ${content.byteLength}\n`, 'latin1'), content, Buffer.from('\n')]))

const locked = (digest: string): RemnantError =>
  new RemnantError('unwritable', `ref "${REFS}${digest}" is locked by another process`, { hint: 'try again in some seconds; a lock that stays was left by a process that died' })

/** What git said why it wrote nothing. */
export function unwritable(what: string, stderr: string): RemnantError {
  const line = stderr.split('\n').find((line) => /^(?:fatal|error): /.test(line)) ?? 'git did not say why'
  const hint = /no space left|quota/i.test(stderr) ? 'make room on the disk' : 'look at who may write in the git directory'
  return new RemnantError('unwritable', `"${what}" can't be written in the git directory: ${plainText(line.replace(/^(?:fatal|error): /, ''), 160)}`, { hint })
}
