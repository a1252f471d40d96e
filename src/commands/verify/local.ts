import { basename, join } from 'node:path'
import { HEX_64, sha256 } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { table } from '../../base/table.ts'
import { INDEX_LINE, readHead } from '../../guard/form.ts'
import { localConfig, trackedConfig } from '../../host/config.ts'
import type { Files } from '../../host/files.ts'
import type { Repository } from '../../host/git.ts'
import type { StoreFault } from '../../model/store.ts'
import { openTombstones } from '../../store/sync/tombstones.ts'
import { isJsonObject, lists } from './lists.ts'
import { MEND } from './words.ts'

/** What is wrong with this clone's own files under `remnant/` in the common git directory. */
export interface LocalFaults {
  readonly faults: readonly StoreFault[]
  /** Lines that a crash cut short: they say nothing, and the next line stands on its own. */
  readonly notes: readonly StoreFault[]
  /** Paths of what is derived and odd: nothing is lost with it but time. */
  readonly derived: readonly string[]
}

/** Looks at each file's form. What a newer version wrote is not of our form, and no fault. Changes nothing. */
export function localFaults(repository: Repository, files: Files): LocalFaults {
  const top = join(repository.commonDir, 'remnant')
  const faults: StoreFault[] = []
  const notes: StoreFault[] = []
  const derived: string[] = []
  const named = (path: string): string => `remnant/${path}`
  const bytesOf = (path: string, repair: string): Uint8Array | null => {
    try {
      return files.read(join(top, path))
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      faults.push({ subject: named(path), fault: 'can\'t be read as a file', repair })
      return null
    }
  }

  for (const { path, isLine, isCut } of lists(top, files)) {
    const bytes = bytesOf(path, `move it away; ${lost(path)}`)
    if (bytes === null) continue
    const odd = Buffer.from(bytes).toString('utf8').split('\n').flatMap((line, i) => (line === '' || isLine(line) ? [] : [{ line, number: i + 1 }]))
    const strange = odd.filter(({ line }) => !isCut(line))
    if (strange.length > 0) faults.push({ subject: named(path), fault: `has ${strange.length === 1 ? 'a line' : `${strange.length} lines`} that can't be read (line ${strange[0]?.number})`, repair: `take ${strange.length === 1 ? 'that line' : 'those lines'} out by hand: ${strange.length === 1 ? 'it is' : 'they are'} not read; ${lost(path)}` })
    else if (odd.length > 0) notes.push({ subject: named(path), fault: `has a line that a crash cut short (line ${odd[0]?.number})`, repair: 'none is needed: it says nothing' })
  }
  for (const { path, oddity } of derivedFiles(top, files)) {
    let fault: string | null
    try {
      const bytes = files.read(join(top, path))
      fault = bytes === null ? null : oddity(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      faults.push({ subject: named(path), fault: 'can\'t be read as a file', repair: BY_HAND })
      continue
    }
    if (fault === null) continue
    faults.push({ subject: named(path), fault: `${fault}, so it is not used`, repair: MEND })
    derived.push(join(top, path))
  }
  for (const path of ['agents.json', 'exclude-before']) {
    const bytes = bytesOf(path, BY_HAND)
    if (bytes !== null && !isJsonObject(Buffer.from(bytes).toString('utf8'))) faults.push({ subject: named(path), fault: 'is not JSON', repair: 'git remnant init; deinit may then leave a line behind that it would have taken back' })
  }
  for (const look of [() => localConfig(repository, files), () => trackedConfig(repository, files)])
    try {
      look()
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      faults.push({ subject: 'configuration', fault: thrown.message.replace(/^configuration /, ''), repair: thrown.hint ?? BY_HAND })
    }
  faults.push(...tombstoneFaults(repository.commonDir, files))
  return { faults, notes, derived }
}

/** What can't be read keeps its remnant away all the same. */
function tombstoneFaults(commonDir: string, files: Files): StoreFault[] {
  const tombstones = openTombstones(commonDir, files)
  const top = join(commonDir, 'remnant', 'tombstones')
  const again = (digest: string): string => `git remnant forget ${digest.slice(0, 12)} writes it again; with --undo it goes`
  return [
    ...tombstones.audit().map(({ path, fault }) => ({ subject: path.slice(commonDir.length + 1), fault, repair: again(basename(join(path, '..'))) })),
    ...[...tombstones.all()].sort().flatMap((digest) =>
      files.list(join(top, digest)).some(({ name }) => name.endsWith('.json')) ? [] : [{ subject: `remnant/tombstones/${digest}`, fault: 'holds no tombstone, and keeps the remnant away all the same', repair: again(digest) }],
    ),
  ]
}

interface Derived {
  readonly path: string
  /** What is odd about it; null: nothing, or it is another version's. */
  oddity(bytes: Buffer): string | null
}

function derivedFiles(top: string, files: Files): Derived[] {
  const cached = files.list(join(top, 'cache')).filter(({ name }) => !name.startsWith('.'))
  return [
    { path: 'known', oddity: (bytes) => linesUnder(bytes, /^git-remnant-known \d+$/, (line) => HEX_64.test(line)) },
    { path: 'verified', oddity: (bytes) => linesUnder(bytes, /^git-remnant-verified \d+$/, (line) => /^[0-9a-f]{64} [0-9a-f]{64} (?:good|bad) [0-9a-f]{64} \d{1,15} \S+ \S+$/.test(line)) },
    { path: 'guard-index', oddity: (bytes) => (bytes.toString('latin1').split('\n', 1)[0] === INDEX_LINE || /^git-remnant-index \d+\n/.test(bytes.toString('latin1', 0, 40)) ? null : 'does not begin as an index does') },
    { path: 'guard-claims', oddity: claimsOddity },
    ...cached.map(({ name }): Derived => ({
      path: `cache/${name}`,
      oddity: name.endsWith('.json') ? (bytes) => (isJson(bytes) ? null : 'is not JSON') : name === 'outlines' || name.startsWith('verdicts-') ? sealedOddity : () => null,
    })),
  ]
}

function linesUnder(bytes: Buffer, header: RegExp, isLine: (line: string) => boolean): string | null {
  const [first = '', ...lines] = bytes.toString('latin1').split('\n')
  if (!header.test(first)) return 'does not begin as it should'
  return lines.every((line) => line === '' || isLine(line)) ? null : 'has a line that can\'t be read'
}

/** A header whose last word is the SHA-256 of what follows. */
function sealedOddity(bytes: Buffer): string | null {
  const end = bytes.indexOf(10)
  const [, digest] = /^git-remnant-[a-z]+ .*?([0-9a-f]{64})$/.exec(end === -1 ? '' : bytes.toString('latin1', 0, end)) ?? []
  return digest === undefined ? 'does not begin as it should' : sha256(bytes.subarray(end + 1)) === digest ? null : 'does not hash to what its first line says'
}

function claimsOddity(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  if (/^git-remnant-claims (?!1\n)\d+\n/.test(text)) return null
  try {
    const head = readHead(text)
    if (head === null) return 'does not begin as it should'
    const { offsets, mutations } = head
    if (!Array.isArray(mutations) || offsets.length !== 257 || offsets.some((offset, i) => !(offset >= (offsets[i - 1] ?? 0))) || offsets.at(-1) !== bytes.byteLength) return 'has shards that are not where it says'
    for (const line of text.slice(text.indexOf('\n', text.indexOf('\n') + 1) + 1).split('\n')) if (line !== '' && !(/^[0-9a-f]{16} /.test(line) && isJsonObject(line.slice(17)))) return 'has a line that can\'t be read'
    return null
  } catch {
    return 'has a head that is not JSON'
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString('utf8'))
    return true
  } catch {
    return false
  }
}

/** What becomes of what a list no longer says, and how it is said again. */
const lost = (name: string): string => LOST[name] ?? 'what it said is lost'

const LOST: Readonly<Record<string, string>> = table({
  own: 'where it named a remnant, that counts as a stranger\'s ("git remnant list" shows its rank) until its session is torn down here again',
  approvals: 'what it allowed is asked for again, and what it denied is to be denied again ("git remnant deny")',
  reported: 'what it named counts as a stranger\'s until the next "git remnant fetch"',
  signers: 'say it again with "git remnant allow" or "git remnant deny"',
})
const BY_HAND = 'move it away; what it said is said anew'
