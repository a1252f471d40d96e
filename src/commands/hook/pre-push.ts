import { decodeUtf8, parseJson } from '../../base/canonical.ts'
import { HEX_64, sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Answer, Host } from '../../command.ts'
import type { Git } from '../../host/git.ts'
import { journalFolder } from '../../host/journals/append.ts'
import { REMNANT_SCHEMA, decodeRemnant } from '../../model/remnant.ts'
import { SIGNATURE_SCHEMA, decodeSignature } from '../../model/signature.ts'
import { REFS, pathOf } from '../../store/git/recipe.ts'
import { signaturePathOf } from '../../store/signing/signatures.ts'
import { plainText } from '../../model/plain.ts'

/** One line that git writes to a pre-push hook. */
interface Pushed {
  readonly local: string
  readonly remoteRef: string
  readonly remote: string
}

interface Broken {
  readonly subject: string
  readonly fault: string
}

/** Names what is broken among what git says that it will push to `remote`, else the gates that are red in it; 1 if anything is. */
export async function prePush(host: Host, remote: string | undefined): Promise<Answer> {
  const lines = linesIn(decodeUtf8(await bytesOf(host.stdin)))
  await sealBefore(host)
  const pushed = lines.filter(({ local }) => !isNothing(local))
  const git = await host.git()
  const remnants = pushed.filter(({ remoteRef }) => remoteRef.startsWith(REFS))
  const commits = pushed.filter(({ remoteRef }) => !remoteRef.startsWith(REFS))
  const broken = [...(await brokenRefs(git, remnants)), ...(await brokenFiles(git, commits, remote))]
  if (broken.length > 0)
    return { text: [...broken.map(({ subject, fault }) => `git-remnant: push stopped: "${subject}" ${fault}`), HINT].join('\n'), data: { broken }, status: 1 }
  const pushes = commits.filter(({ remoteRef }) => !remoteRef.startsWith('refs/notes/')).map(({ local, remote: there }) => ({ local, there: isNothing(there) ? null : there }))
  const { stopped, gates } = pushes.length === 0 ? { stopped: [], gates: [] } : await (await import('./push-gates.ts')).gatesOfPush(pushes, remote, git, host)
  if (stopped.length === 0) await (await import('./due.ts')).sendWhatIsDue(host, remote, lines.map(({ local, remoteRef }) => ({ ref: remoteRef, oid: local })))
  return { text: stopped.join('\n'), data: { broken, gates }, status: stopped.length === 0 ? 0 : 1 }
}

/** What is sealed by now can go along; a push never fails by it. */
async function sealBefore(host: Host): Promise<void> {
  const repository = await host.repository()
  if (repository.workTree === null || !host.files.list(journalFolder(repository)).some(({ name }) => name.endsWith('.jsonl'))) return
  try {
    await (await import('../teardown.ts')).sealJournals(host)
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    host.warn(`git-remnant: not sealed: ${plainText(thrown.message)}`)
  }
}

const HINT = 'hint: git remnant verify says what is damaged, git remnant checkout brings copies back'

/** The local ref may hold blanks (`HEAD^{/a b}`), the rest can't. */
const linesIn = (text: string): Pushed[] =>
  text.split('\n').flatMap((line) => {
    const [remote, remoteRef, local] = line.split(' ').reverse()
    return remote === undefined || remoteRef === undefined || local === undefined ? [] : [{ local, remoteRef, remote }]
  })

/** Git writes a ref that is not there as zeros. */
const isNothing = (oid: string): boolean => /^0+$/.test(oid)

/** A pushed ref must be named by the digest of the remnant, or of the signature of one, that its commit holds. */
async function brokenRefs(git: Git, pushed: readonly Pushed[]): Promise<Broken[]> {
  const broken: Broken[] = []
  const named = pushed.map(({ local, remoteRef }) => {
    const name = remoteRef.slice(REFS.length)
    const [, remnant, signature] = SIGNATURE.exec(name) ?? []
    const path = remnant === undefined || signature === undefined ? pathOf(name) : signaturePathOf({ remnant, digest: signature })
    return { local, remoteRef, path, digest: signature ?? name, remnant: remnant ?? null }
  })
  const contents = await blobs(git, named.map(({ local, path }) => `${local}:${path}`))
  for (const [i, { remoteRef, path, digest, remnant }] of named.entries()) {
    const fault = HEX_64.test(digest) ? faultOf(contents[i] ?? null, path, digest, remnant) : 'is no digest of a remnant'
    if (fault !== null) broken.push({ subject: remoteRef, fault })
  }
  return broken
}

const SIGNATURE = /^sig\/([0-9a-f]{64})\/([0-9a-f]{64})$/

/** `signed`: the remnant of which it is a signature. */
function faultOf(bytes: Uint8Array | null, path: string, digest: string, signed: string | null): string | null {
  if (bytes === null) return `holds no ${path}`
  try {
    if (signed === null) decodeRemnant(bytes, digest)
    else decodeSignature(bytes, digest, signed)
    return null
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return isNewer(bytes, digest, signed === null ? REMNANT_SCHEMA : SIGNATURE_SCHEMA) ? null : `is broken: ${thrown.message}`
  }
}

/** A whole object of a schema that this version does not know is somebody else's to judge. */
function isNewer(bytes: Uint8Array, digest: string, known: string): boolean {
  if (sha256(bytes) !== digest) return false
  try {
    const value = parseJson(decodeUtf8(bytes))
    const schema = typeof value === 'object' && value !== null && 'schema' in value ? value.schema : null
    return typeof schema === 'string' && schema.startsWith('git-remnant/') && schema !== known
  } catch {
    return false
  }
}

/** A tracked copy that the pushed commits add or change must hash to its name. */
async function brokenFiles(git: Git, pushed: readonly Pushed[], remote: string | undefined): Promise<Broken[]> {
  const changed = new Map<string, { path: string; blob: string }>()
  for (const { local, remote: there } of pushed) for (const one of await changedCopies(git, local, there, remote)) changed.set(`${one.path} ${one.blob}`, one)
  const copies = [...changed.values()]
  const contents = await blobs(git, copies.map(({ blob }) => blob))
  return copies.flatMap(({ path, blob }, i) => {
    const bytes = contents[i] ?? null
    const whole = bytes === null || sha256(bytes) === (COPY.exec(path)?.[1] as string)
    return whole ? [] : [{ subject: path, fault: `does not hash to its name (blob ${blob.slice(0, 12)})` }]
  })
}

const COPY = /^\.remnants\/[0-9a-f]{2}\/([0-9a-f]{64})\.json$/

/** Copies of remnants as the commits that the other side lacks left them: each change in each of them. */
async function changedCopies(git: Git, local: string, there: string, remote: string | undefined): Promise<{ path: string; blob: string }[]> {
  const log = ['log', '--format=', '--raw', '-z', '-m', '--no-abbrev', '--no-renames', '--diff-filter=AMT', local]
  const known = isNothing(there) ? null : await git.try([...log, `^${there}`, '--', '.remnants'])
  const { status, stdout } = known?.status === 0 ? known : await git.try([...log, '--not', `--remotes=${remote ?? '*'}`, '--', '.remnants'])
  if (status !== 0) return []
  const fields = Buffer.from(stdout).toString('utf8').split('\0')
  return fields.flatMap((field, i) => {
    const blob = /^\n?:\d{6} 1\d{5} [0-9a-f]+ ([0-9a-f]+) [AMT]$/.exec(field)?.[1]
    const path = fields[i + 1]
    return blob === undefined || path === undefined || !COPY.test(path) ? [] : [{ path, blob }]
  })
}

const AT_ONCE = 200

/** What `git cat-file` finds under names, in their order; null where there is no such blob, or it can't be read. */
async function blobs(git: Git, names: readonly string[]): Promise<(Uint8Array | null)[]> {
  const found: (Uint8Array | null)[] = []
  for (let at = 0; at < names.length; at += AT_ONCE) {
    const some = names.slice(at, at + AT_ONCE)
    const { stdout } = await git.try(['--no-replace-objects', 'cat-file', '--batch'], { input: some.map((name) => `${name}\n`).join('') })
    let from = 0
    for (const _ of some) {
      const end = stdout.indexOf(10, from)
      const header = end === -1 ? '' : Buffer.from(stdout.subarray(from, end)).toString('latin1')
      const [, type, digits] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(header) ?? []
      if (end !== -1) from = end + 1
      found.push(type === 'blob' ? stdout.subarray(from, from + Number(digits)) : null)
      if (digits !== undefined) from += Number(digits) + 1
    }
  }
  return found
}

async function bytesOf(stream: AsyncIterable<Uint8Array | string>): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks)
}
