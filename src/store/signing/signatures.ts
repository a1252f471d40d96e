import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HEX_64, type ObjectFormat, sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Files } from '../../host/files.ts'
import type { Git, Repository } from '../../host/git.ts'
import { MAX_SIGNATURE_BYTES, type Signed, decodeSignature } from '../../model/signature.ts'
import { type Disk, elsewhere } from '../git/atomic-fs.ts'
import { readPlain } from '../copies.ts'
import { foldersIn, liesPlainly, namesIn } from '../folders.ts'
import { openObjects } from '../git/objects.ts'
import { type GitObject, REFS, commitOf, holding } from '../git/recipe.ts'
import { refsByGit } from '../git/refs.ts'

/** A signature by its name, and the remnant that it signs. */
export interface SignatureName {
  readonly digest: string
  readonly remnant: string
}

/** What a signature is, or why it can't be had. */
export type StoredSignature = (SignatureName & Signed) | (SignatureName & { readonly fault: string })

/** Where a signature lies in its commit's tree, and in the work tree. */
export const signaturePathOf = ({ digest, remnant }: SignatureName): string => `.remnants/sig/${remnant}/${digest}.json`
export const signatureRefOf = ({ digest, remnant }: SignatureName): string => `${REFS}sig/${remnant}/${digest}`

/** The git objects of a signature; the last is its commit. They follow from its bytes and the object format alone; git knows no earlier time than theirs. */
export const signatureObjects = (name: SignatureName, bytes: Uint8Array, format: ObjectFormat): GitObject[] =>
  holding(signaturePathOf(name), bytes, { seconds: 0, message: `Signature ${name.digest} of remnant ${name.remnant}\n`, format })

/** The signatures that a repository holds, under refs or as files in the work tree; sorted. Their content is not looked at. */
export function listSignatures({ commonDir, workTree, refStorage }: Repository): SignatureName[] {
  const found = new Map<string, SignatureName>()
  const add = (remnant: string, digest: string): void => {
    if (HEX_64.test(remnant) && HEX_64.test(digest)) found.set(`${remnant}/${digest}`, { digest, remnant })
  }
  const loose = join(commonDir, REFS, 'sig')
  for (const remnant of foldersIn(loose)) for (const digest of namesIn(join(loose, remnant))) add(remnant, digest)
  for (const [, remnant = '', digest = ''] of (refStorage === 'files' ? packedRefs(commonDir) : listedRefs(commonDir)).matchAll(/ refs\/remnants\/sig\/([0-9a-f]{64})\/([0-9a-f]{64})$/gm)) add(remnant, digest)
  for (const { remnant, digest } of listSignatureCopies(workTree)) add(remnant, digest)
  return [...found.keys()].sort().map((key) => found.get(key) as SignatureName)
}

/** Signatures that have a well-named copy in a work tree, whatever is in it; in no order. */
export const listSignatureCopies = (workTree: string | null): SignatureName[] =>
  copiesIn(workTree).flatMap((remnant) =>
    namesIn(join(workTree as string, '.remnants', 'sig', remnant)).flatMap((name) => (name.endsWith('.json') && HEX_64.test(name.slice(0, -5)) ? [{ remnant, digest: name.slice(0, -5) }] : [])),
  )

/** Reads signatures, each in its turn: the copy in the work tree where it hashes to its name, else what its ref holds. */
export async function readSignatures(names: readonly SignatureName[], { workTree }: Repository, git: () => Promise<Git>): Promise<StoredSignature[]> {
  const copies = new Set(copiesIn(workTree))
  const bytes = new Map<SignatureName, Uint8Array>()
  for (const name of names) {
    const copy = copies.has(name.remnant) ? readPlain(join(workTree as string, signaturePathOf(name))) : 'absent'
    if (typeof copy !== 'string' && sha256(copy) === name.digest) bytes.set(name, copy)
  }
  const open = names.filter((name) => !bytes.has(name))
  for (const [name, content] of open.length === 0 ? [] : await fromGit(await git(), open)) bytes.set(name, content)
  return names.map((name) => {
    const content = bytes.get(name)
    if (content === undefined) return { ...name, fault: `signature "${name.digest.slice(0, 12)}" has git objects that are missing or damaged, or are too large` }
    try {
      return { ...name, ...decodeSignature(content, name.digest, name.remnant) }
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      return { ...name, fault: thrown.message }
    }
  })
}

/** Makes commit, ref and copy of a signature. false: it was there. Throws `unwritable`, or `corrupt` where the ref says something else. */
export async function keepSignature(
  name: SignatureName,
  bytes: Uint8Array,
  { repository, git, files, disk }: { readonly repository: Repository; readonly git: () => Promise<Git>; readonly files: Files; readonly disk: Disk },
): Promise<boolean> {
  const ref = signatureRefOf(name)
  const objects = signatureObjects(name, bytes, repository.objectFormat)
  const there = await (await git()).try(['rev-parse', '--verify', '--quiet', '--end-of-options', ref])
  if (there.status === 0) {
    if (Buffer.from(there.stdout).toString('latin1').trim() === commitOf(objects)) return false
    throw elsewhere(name.digest)
  }
  await openObjects(repository, git, disk).put(objects)
  const made = await (await git()).try(['update-ref', '--stdin'], { input: `create ${ref} ${commitOf(objects)}\n` })
  if (made.status !== 0) throw new RemnantError('unwritable', `"${ref}" can't be made`, { hint: 'git fsck' })
  const { workTree } = repository
  // A copy is for readers: where a link or a file is in its way, git has it all the same.
  if (workTree !== null && liesPlainly(workTree, signaturePathOf(name))) files.write(join(workTree, signaturePathOf(name)), bytes, 0o644)
  return true
}

/** What the refs hold at the places of their signatures. */
async function fromGit(git: Git, names: readonly SignatureName[]): Promise<Map<SignatureName, Uint8Array>> {
  const found = new Map<SignatureName, Uint8Array>()
  const place = (name: SignatureName): string => `${signatureRefOf(name)}:${signaturePathOf(name)}\n`
  const checked = await git.try(['--no-replace-objects', 'cat-file', '--batch-check'], { input: names.map(place).join('') })
  const sizes = Buffer.from(checked.stdout).toString('latin1').split('\n')
  const small = names.filter((_, i) => Number(/^[0-9a-f]+ blob (\d+)$/.exec(sizes[i] ?? '')?.[1] ?? Infinity) <= MAX_SIGNATURE_BYTES)
  if (small.length === 0) return found
  const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch'], { input: small.map(place).join('') })
  let at = 0
  for (const name of small) {
    const end = stdout.indexOf(10, at)
    const size = end === -1 ? undefined : /^[0-9a-f]+ blob (\d+)$/.exec(Buffer.from(stdout.subarray(at, end)).toString('latin1'))?.[1]
    // It ends at a damaged object; what comes behind is asked for again at the next look.
    if (size === undefined) break
    found.set(name, stdout.subarray(end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return found
}

/** Remnants that have a plain folder of signature files in the work tree. A link is never followed. */
function copiesIn(workTree: string | null): string[] {
  if (workTree === null || !isFolder(join(workTree, '.remnants')) || !isFolder(join(workTree, '.remnants', 'sig'))) return []
  return foldersIn(join(workTree, '.remnants', 'sig')).filter((name) => HEX_64.test(name))
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** As `packedRefs`, where no file tells. */
const listedRefs = (commonDir: string): string => [...refsByGit(commonDir, `${REFS}sig/`).keys()].map((ref) => ` ${ref}\n`).join('')

function packedRefs(commonDir: string): string {
  try {
    const text = readFileSync(join(commonDir, 'packed-refs'), 'latin1')
    return text.includes(` ${REFS}sig/`) ? text : ''
  } catch {
    return ''
  }
}
