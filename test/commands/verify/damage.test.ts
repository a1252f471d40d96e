import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, linkSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import verify from '../../../src/commands/verify.ts'
import { canonical } from '../../../src/base/canonical.ts'
import { sha256 } from '../../../src/base/digest.ts'
import { RemnantError } from '../../../src/base/errors.ts'
import type { StoreFault } from '../../../src/model/store.ts'
import { rebuildGuardIndex } from '../../../src/host/guarding/indexing.ts'
import { openStore } from '../../../src/store.ts'
import { openSignerList } from '../../../src/host/trust/signers.ts'
import { signerIn } from '../../../src/model/signer.ts'
import { pathOf, refOf } from '../../../src/store/git/recipe.ts'
import { signaturePathOf, signatureRefOf } from '../../../src/store/signing/signatures.ts'
import { openTombstones } from '../../../src/store/sync/tombstones.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../../remnants.ts'
import { CAN_SIGN, keyPair, signedBy, signingStage } from '../../signing.ts'
import { ENV, QUICK, type Stage, given } from '../../stage.ts'

/** One remnant with its ref and copy, one that answers it, and an index of the guard. */
interface Kept extends Stage {
  readonly older: string
  readonly newer: string
  readonly local: (path: string) => string
}

const OLDER = aRemnant()
const NEWER = aRemnant(['npm run lint'], { supersedes: [[digestOfRemnant(OLDER), [anInvariant('npm test').claim_id]]] })

let staged: Stage
let whole: string
beforeAll(async () => {
  staged = signingStage()
  await staged.store.write(OLDER)
  await staged.store.write(NEWER)
  await rebuildGuardIndex(staged.host)
  whole = join(staged.base, 'whole')
  cpSync(staged.dir, whole, { recursive: true, preserveTimestamps: true })
})
afterAll(() => staged.dispose())

/** It is one clone for all tests, put back as it was. */
async function kept(): Promise<Kept> {
  rmSync(staged.dir, { recursive: true })
  cpSync(whole, staged.dir, { recursive: true, preserveTimestamps: true })
  return { ...staged, older: digestOfRemnant(OLDER), newer: digestOfRemnant(NEWER), local: (path) => join(staged.repository.commonDir, 'remnant', path) }
}

/** As a process that has just been started sees it. */
async function verified(at: Stage, repair = false): Promise<{ status: number; faults: readonly StoreFault[]; notes: readonly StoreFault[]; repaired: readonly string[]; text: string }> {
  const store = openStore({ repository: at.repository, git: () => at.host.git(), files: at.files, disk: QUICK })
  const { data, status, text } = await verify.run(given({ repair }), { ...at.host, store: async () => store })
  const { faults, notes = [], repaired = [] } = data as unknown as { faults: StoreFault[]; notes?: StoreFault[]; repaired?: { subject: string; did: string }[] }
  return { status: status as number, faults, notes, repaired: repaired.map(({ subject, did }) => `${subject}: ${did}`), text: text ?? '' }
}

const git = (at: Stage, input: string | Uint8Array, ...args: string[]): string => execFileSync('git', args, { cwd: at.dir, env: ENV as NodeJS.ProcessEnv, input, encoding: 'utf8' }).trim()

/** A commit with these bytes at a remnant's place. */
function planted(at: Stage, digest: string, bytes: string): string {
  let entry = `100644 blob ${git(at, bytes, 'hash-object', '-w', '--stdin')}`
  for (const name of pathOf(digest).split('/').reverse()) entry = `040000 tree ${git(at, `${entry}\t${name}\n`, 'mktree')}`
  return git(at, 'planted\n', 'commit-tree', entry.slice('040000 tree '.length))
}

/** A commit that nothing names. */
const only = (at: Stage): string => at.git('commit-tree', '-m', 'only', at.git('write-tree').trim()).trim()

/** A remnant of whatever form, whose ref and content agree with its name. */
function forged(at: Stage, text: string): string {
  const digest = sha256(text)
  at.git('update-ref', refOf(digest), planted(at, digest, text))
  return digest
}

const put = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true, recursive: true })
  writeFileSync(path, text)
}

const objectPath = (at: Stage, oid: string): string => join(at.repository.commonDir, 'objects', oid.slice(0, 2), oid.slice(2))
const objectIn = (at: Stage, digest: string): string => git(at, '', 'rev-parse', `${refOf(digest)}:${pathOf(digest)}`)

/** `cured`: what --repair says that it did; null: it is left, and named again. */
type Damage = readonly [title: string, harm: (at: Kept) => unknown, subject: RegExp, fault: RegExp, cured: RegExp | null]

const A = 'a'.repeat(64)

const DAMAGES: readonly Damage[] = [
  // Digest, form, schema, seal, map: what no clone can put right by itself.
  ['content that does not hash to its name', (at) => at.git('update-ref', refOf(A), planted(at, A, '{}')), /^refs\/remnants\/a{64}$/, /does not hash to its name/, null],
  ['a form that is not canonical', (at) => forged(at, JSON.stringify(aRemnant(['x']), null, 1)), /^[0-9a-f]{64}$/, /is not in canonical form/, null],
  ['a schema of another version', (at) => forged(at, canonical({ ...aRemnant(['x']), schema: 'git-remnant/2' })), /^[0-9a-f]{64}$/, /schema that this version does not know/, null],
  ['an unknown field', (at) => forged(at, canonical({ ...aRemnant(['x']), more: 1 })), /^[0-9a-f]{64}$/, /unknown field/, null],
  ['a fingerprint that contradicts its hashes', (at) => at.store.write(aRemnant(['x'], { environment_fingerprint: A })), /^[0-9a-f]{64}$/, /seal that contradicts/, null],
  ['a map that does not fit its claims', (at) => forged(at, canonical({ ...aRemnant(['x']), claim_dependency_map: [[A, ['platform']]] })), /^[0-9a-f]{64}$/, /dependency map that does not fit/, null],
  ['a claim whose id does not follow', (at) => forged(at, canonical({ ...aRemnant(['x']), verified_invariants: [{ ...anInvariant('x'), statement: 'Else.' }] })), /^[0-9a-f]{64}$/, /id does not follow/, null],
  ['an answer to a claim that nobody made', (at) => at.store.write(aRemnant(['x'], { supersedes: [[at.older, [A]]] })), /^[0-9a-f]{64}$/, /answers a claim/, null],
  ['lineage that is not here', (at) => forged(at, canonical(aRemnant(['x'], { supersedes: [[A, [A]]] }))), /^[0-9a-f]{64}$/, /supersedes remnant "a{12}", which is not here/, null],
  ['a commit that does not follow from its remnant', (at) => at.git('update-ref', refOf(at.newer), planted(at, at.newer, canonical(NEWER))), /^refs\/remnants\//, /does not follow/, null],
  ['a name that is no digest', (at) => at.git('update-ref', 'refs/remnants/mine', 'HEAD'), /^refs\/remnants\/mine$/, /is no name of a remnant/, null],
  // Refs and objects, with a valid copy beside them.
  ['an empty ref', (at) => put(join(at.repository.commonDir, refOf(at.newer)), ''), /^refs\/remnants\//, /is empty/, /made its ref, which was empty, from the copy/],
  ['a ref that is lost', (at) => at.git('update-ref', '-d', refOf(at.newer)), /^refs\/remnants\//, /is not here, and this clone sealed it/, /made its ref from the copy/],
  ['refs that are lost, of a remnant and what it answers', (at) => [at.older, at.newer].forEach((digest) => at.git('update-ref', '-d', refOf(digest))), /^refs\/remnants\//, /is not here, and this clone sealed it/, /made its ref from the copy/],
  ['a ref to what is nowhere', (at) => put(join(at.repository.commonDir, refOf(at.newer)), `${'1'.repeat(40)}\n`), /^refs\/remnants\//, /missing or damaged/, /set its ref/],
  ['a ref that was moved onto a commit of the user\'s', (at) => { put(join(at.dir, 'x'), 'x'); at.git('add', 'x'); at.git('commit', '-qm', 'x'); at.git('update-ref', refOf(at.newer), 'HEAD') }, /^refs\/remnants\//, /^leads to another commit/, /set its ref, which led to another commit, on its own/],
  ['a ref that was moved onto a commit that only it names', (at) => at.git('update-ref', refOf(at.newer), only(at)), /^refs\/remnants\//, /^leads to another commit/, null],
  ['a ref of no remnant here that leads to a commit of the user\'s', (at) => { put(join(at.dir, 'x'), 'x'); at.git('add', 'x'); at.git('commit', '-qm', 'x'); at.git('update-ref', refOf(A), 'HEAD') }, /^refs\/remnants\/a{64}$/, /^leads to what holds no remnant of that name$/, /removed its ref, .* by its other names/],
  ['a ref of no remnant here that leads to a commit that only it names', (at) => at.git('update-ref', refOf(A), only(at)), /^refs\/remnants\/a{64}$/, /^leads to what holds no remnant of that name$/, null],
  ['a ref of no remnant here that leads to a blob', (at) => at.git('update-ref', refOf(A), git(at, 'x', 'hash-object', '-w', '--stdin')), /^refs\/remnants\/a{64}$/, /^leads to what holds no remnant of that name$/, null],
  ['a ref that names a branch', (at) => put(join(at.repository.commonDir, refOf(at.newer)), 'ref: refs/heads/main\n'), /^refs\/remnants\//, /names no commit/, null],
  ['a blob that is lost', (at) => rmSync(objectPath(at, objectIn(at, at.newer))), /^refs\/remnants\//, /missing or damaged/, /made its objects again/],
  ['a blob that was cut short', (at) => { const path = objectPath(at, objectIn(at, at.newer)); const bytes = readFileSync(path); put(path, bytes.subarray(0, bytes.byteLength >> 1)) }, /^refs\/remnants\//, /missing or damaged/, /made its objects again/],
  ['a blob with a flipped bit', (at) => { const path = objectPath(at, objectIn(at, at.newer)); const bytes = readFileSync(path); bytes[bytes.byteLength >> 1] = (bytes[bytes.byteLength >> 1] as number) ^ 16; put(path, bytes) }, /^refs\/remnants\//, /missing or damaged/, /made its objects again/],
  // Copies.
  ['a copy that a formatter changed', (at) => put(join(at.dir, pathOf(at.newer)), '{}'), /^\.remnants\//, /differs from its ref/, /rewritten from its ref/],
  ['a copy behind a link', (at) => { const path = join(at.dir, pathOf(at.newer)); put(join(at.base, 'elsewhere'), readFileSync(path)); rmSync(path); symlinkSync(join(at.base, 'elsewhere'), path) }, /^\.remnants\//, /symbolic link/, null],
  ['a copy in the wrong folder', (at) => put(join(at.dir, '.remnants/zz', `${at.newer}.json`), canonical(NEWER)), /^\.remnants\/zz\//, /nobody reads it/, null],
  // Tombstones.
  ['a tombstone that can not be read', (at) => put(at.local(`tombstones/${A}/${A}.json`), '{}'), /^remnant\/tombstones\/a{64}\//, /does not hash to its name/, null],
  ['a tombstone that was never written', (at) => mkdirSync(at.local(`tombstones/${A}`), { recursive: true }), /^remnant\/tombstones\/a{64}$/, /holds no tombstone/, null],
  ['a remnant that was forgotten and is here', (at) => openTombstones(at.repository.commonDir, at.files).add({ remnant: at.newer, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null }), /^refs\/remnants\//, /is here, and was forgotten/, null],
  // What is derived.
  ['an index of the guard that is none', (at) => put(at.local('guard-index'), 'x\n'), /^remnant\/guard-index$/, /does not begin/, /dropped/],
  ['claims of the guard that were cut short', (at) => { const bytes = readFileSync(at.local('guard-claims')); put(at.local('guard-claims'), bytes.subarray(0, bytes.byteLength - 3)) }, /^remnant\/guard-claims$/, /shards|head/, /dropped/],
  ['a list of the known with garbage', (at) => put(at.local('known'), 'git-remnant-known 1\nx\n'), /^remnant\/known$/, /line that can't be read/, /dropped/],
  ['outlines with a flipped bit', (at) => put(at.local('cache/outlines'), `git-remnant-outlines 1 ${A}\n{}`), /^remnant\/cache\/outlines$/, /does not hash/, /dropped/],
  ['verdicts with garbage', (at) => put(at.local('cache/verdicts-0'), 'x'), /^remnant\/cache\/verdicts-0$/, /does not begin/, /dropped/],
  ['a cache that is no JSON', (at) => put(at.local('cache/tools.json'), '[['), /^remnant\/cache\/tools\.json$/, /is not JSON/, /dropped/],
  // What a person or a session said: never touched.
  ['a list of our own with garbage', (at) => writeFileSync(at.local('own'), `${at.older}\n${at.newer}\n\u0001${A}\n`), /^remnant\/own$/, /a line that can't be read \(line 3\)/, null],
  ['approvals with garbage', (at) => put(at.local('approvals'), `allow everything ${A}\n`), /^remnant\/approvals$/, /can't be read \(line 1\)/, null],
  ['signers with garbage', (at) => put(at.local('signers'), `allow ${'%'.repeat(80)}\n`), /^remnant\/signers$/, /can't be read/, null],
  ['a journal with garbage', (at) => put(at.local('journals/x.jsonl'), '{"kind":"else"}\n'), /^remnant\/journals\/x\.jsonl$/, /can't be read \(line 1\)/, null],
  ['a local configuration that is none', (at) => put(at.local('config.json'), '{"guard":7}'), /^configuration$/, /guard/, null],
  ['a folder where a list should be', (at) => { rmSync(at.local('own')); mkdirSync(at.local('own')) }, /^remnant\/own$/, /can't be read as a file/, null],
  ['a record of what init did that is none', (at) => put(at.local('agents.json'), '{'), /^remnant\/agents\.json$/, /is not JSON/, null],
]

describe('git remnant verify', () => {
  it('finds nothing in a clone that is whole, and repairs nothing', async () => {
    const at = await kept()
    expect(await verified(at, true)).toMatchObject({ status: 0, faults: [], notes: [], repaired: [], text: '2 checked, no fault' })
  })

  it.each(DAMAGES)('names %s, with a way to put it right', async (_, harm, subject, fault, cured) => {
    const at = await kept()
    await harm(at)
    const found = await verified(at)
    expect(found.status).toBe(74)
    const named = found.faults.filter((one) => subject.test(one.subject) && fault.test(one.fault))
    expect(named, found.text).not.toEqual([])
    for (const { repair } of found.faults) expect(repair).toMatch(/\S/)
    expect((await verified(at)).text).toBe(found.text)

    const before = filesIn(at)
    const repaired = await verified(at, true)
    if (cured === null) {
      expect(repaired.faults).toEqual(found.faults)
      expect(repaired.repaired).toEqual([])
      expect(filesIn(at)).toEqual(before)
    } else {
      expect(repaired.repaired.join('\n')).toMatch(cured)
      expect(repaired).toMatchObject({ status: 0, faults: [] })
      expect(await verified(at, true)).toMatchObject({ status: 0, faults: [], repaired: [] })
      expect((await at.store.read(at.newer)) as object).toMatchObject({ remnant: NEWER, rank: 'own' })
      expect(at.git('fsck', '--strict', '--no-dangling')).toBe('')
    }
  })

  it.each<[string, (at: Kept) => unknown, (at: Kept) => string, RegExp]>([
    ['leads to what holds no remnant', (at) => at.git('update-ref', refOf(A), only(at)), () => refOf(A), /removed its ref/],
    ['leads to what hashes to another name', (at) => at.git('update-ref', refOf(A), planted(at, A, '{}')), () => refOf(A), /removed its ref/],
    ['was moved', (at) => at.git('update-ref', refOf(at.newer), only(at)), (at) => refOf(at.newer), /set its ref/],
    ['was moved to what hashes to another name', (at) => at.git('update-ref', refOf(at.newer), planted(at, at.newer, '{}')), (at) => refOf(at.newer), /set its ref/],
    ['names a commit that does not follow', (at) => at.git('update-ref', refOf(at.newer), planted(at, at.newer, canonical(NEWER))), (at) => refOf(at.newer), /set its ref/],
  ])('does what it says of a ref that %s: keeps the commit by a tag, then puts the ref right', async (_, harm, ref, cured) => {
    const at = await kept()
    await harm(at)
    const commit = at.git('rev-parse', ref(at)).trim()
    const { faults } = await verified(at)
    expect(faults).toMatchObject([{ subject: ref(at) }])
    expect(faults[0]?.repair).toMatch(/^git remnant verify --repair.*"git tag NAME COMMIT" keeps/)
    at.git('tag', 'kept', commit)
    expect((await verified(at, true)).repaired.join('\n')).toMatch(cured)
    expect(await verified(at)).toMatchObject({ status: 0, faults: [] })
    expect(at.git('rev-parse', 'kept').trim()).toBe(commit)
  })

  it('does what it says of a ref that is no plain one: moved out of the way, it is made again from the copy', async () => {
    const at = await kept()
    const path = join(at.repository.commonDir, refOf(at.newer))
    put(path, 'ref: refs/heads/main\n')
    expect((await verified(at)).faults).toMatchObject([{ fault: 'names no commit', repair: 'move the file of that ref out of the git directory, then git remnant verify --repair, which makes it again from the copy' }])
    rmSync(path)
    expect((await verified(at, true)).status).toBe(0)
  })

  it('names a line of packed-refs with a flipped bit, leaves it, and makes the ref that is missing by it', async () => {
    const at = await kept()
    at.git('pack-refs', '--all')
    const path = join(at.repository.commonDir, 'packed-refs')
    const spoilt = readFileSync(path, 'latin1').replace(` ${refOf(at.newer)}`, `!${refOf(at.newer)}`)
    put(path, spoilt)
    const { faults } = await verified(at)
    expect(faults.map(({ subject, fault }) => `${subject} ${fault}`)).toEqual([expect.stringMatching(/^packed-refs is not in git's form \(line \d\)$/), `${refOf(at.newer)} is not here, and this clone sealed it`])
    expect((await verified(at, true)).repaired).toEqual([`${refOf(at.newer)}: made its ref from the copy`])
    expect(readFileSync(path, 'latin1')).toBe(spoilt)
  })

  it('names a lock of packed-refs that was left, once it is too old for a git at work, and leaves it', async () => {
    const at = await kept()
    const path = join(at.repository.commonDir, 'packed-refs.lock')
    put(path, '')
    expect((await verified(at)).faults).toEqual([])
    const later = { ...at, host: { ...at.host, now: () => new Date(Date.now() + 61_000) } }
    expect((await verified(later)).faults).toMatchObject([{ subject: 'packed-refs.lock', repair: 'see that no git is at work in this repository, then move it away' }])
    expect((await verified(later, true)).repaired).toEqual([])
    expect(readFileSync(path, 'latin1')).toBe('')
  })

  it('takes away a lock of packed-refs that a killed process of ours has left, and tells it from another', async () => {
    const at = await kept()
    const path = join(at.repository.commonDir, 'packed-refs.lock')
    const mark = at.local(`.packed-refs.${2 ** 22 + 1}.0.new`)
    put(mark, 'half')
    linkSync(mark, path)
    const later = { ...at, host: { ...at.host, now: () => new Date(Date.now() + 61_000) } }
    const { status, notes, faults } = await verified(later)
    expect([status, notes.map(({ subject }) => subject), faults]).toEqual([0, ['packed-refs.lock', `remnant/.packed-refs.${2 ** 22 + 1}.0.new`], []])
    expect((await verified(later, true)).repaired).toHaveLength(2)
    expect([existsSync(path), existsSync(mark)]).toEqual([false, false])
    put(mark, 'half')
    put(path, 'half')
    expect((await verified(later, true)).faults).toMatchObject([{ subject: 'packed-refs.lock' }])
    expect(existsSync(path)).toBe(true)
  })

  it('never removes the only copy of a remnant, whatever it looks like', async () => {
    const at = await kept()
    at.git('update-ref', '-d', refOf(at.newer))
    const path = join(at.dir, pathOf(at.newer))
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`)
    const { status, repaired } = await verified(at, true)
    expect([status, repaired]).toEqual([74, []])
    expect(readFileSync(path, 'utf8')).toBe(`${canonical(NEWER)}\n`)
  })

  it('removes what a killed process left, but not what a living one writes, and says so without calling it a fault', async () => {
    const at = await kept()
    const left = [at.local(`.own.${2 ** 22 + 1}.0.new`), join(at.dir, '.remnants', at.newer.slice(0, 2), `.x.${2 ** 22 + 1}.3.new`), join(at.repository.commonDir, `${refOf(A)}.lock`)]
    const living = at.local(`.own.${process.pid}.0.new`)
    for (const path of [...left, living]) put(path, 'half')
    const found = await verified(at)
    expect([found.status, found.notes.length]).toEqual([0, 3])
    const { status, repaired, notes } = await verified(at, true)
    expect([status, repaired.length, notes]).toEqual([0, 3, []])
    expect(left.filter((path) => existsSync(path))).toEqual([])
    expect(readFileSync(living, 'utf8')).toBe('half')
  })

  it('says of a line that a crash cut short that it says nothing', async () => {
    const at = await kept()
    writeFileSync(at.local('own'), `${at.older}\n${at.newer}\n${A.slice(5)}`)
    put(at.local('journals/x.jsonl'), '{"schema":"git-remnant/obs')
    const { status, notes } = await verified(at)
    expect([status, notes.map(({ subject }) => subject)]).toEqual([0, ['remnant/own', 'remnant/journals/x.jsonl']])
  })

  it('says what it could not put right', async () => {
    const at = await kept()
    put(at.local('cache/tools.json'), '[[')
    const refuse = (): never => {
      throw new RemnantError('unwritable', '"cache/tools.json" can\'t be written: permission denied')
    }
    const { data, status } = await verify.run(given({ repair: true }), { ...at.host, files: { ...at.files, remove: refuse } })
    expect(status).toBe(74)
    expect(data).toMatchObject({ repaired: [], not_repaired: [{ subject: 'remnant/cache/tools.json' }], faults: [{ subject: 'remnant/cache/tools.json' }] })
  })
})

// Needs OpenSSH's ssh-keygen.
describe.skipIf(!CAN_SIGN)('git remnant verify, of signatures', () => {
  const signed = async () => {
    const at = await kept()
    const pair = keyPair()
    const name = { digest: await signedBy(at, NEWER, pair), remnant: at.newer }
    openSignerList(at.repository, at.files).allow(signerIn(`a@example.com namespaces="git-remnant" ${pair.key.type} ${pair.key.blob}`) as NonNullable<ReturnType<typeof signerIn>>)
    return { at, name, pair }
  }

  it('finds nothing where they are whole', async () => {
    const { at } = await signed()
    expect(await verified(at)).toMatchObject({ status: 0, faults: [] })
  })

  it('names a copy that was changed, and rewrites it from its ref', async () => {
    const { at, name } = await signed()
    put(join(at.dir, signaturePathOf(name)), '{}')
    expect((await verified(at)).faults).toMatchObject([{ subject: signaturePathOf(name), fault: 'does not hash to its name' }])
    expect((await verified(at, true)).repaired).toEqual([`${signaturePathOf(name)}: rewritten from its ref`])
    expect(await verified(at)).toMatchObject({ status: 0, faults: [] })
  })

  it('names a commit that does not follow from its signature', async () => {
    const { at, name } = await signed()
    const tree = git(at, '', 'rev-parse', `${signatureRefOf(name)}^{tree}`)
    at.git('update-ref', signatureRefOf(name), git(at, 'else\n', 'commit-tree', tree))
    expect((await verified(at)).faults).toMatchObject([{ subject: signatureRefOf(name), fault: 'names a commit that does not follow from its signature' }])
  })

  it('names one that is lost, and one of a remnant that is not here', async () => {
    const { at, name } = await signed()
    rmSync(join(at.dir, '.remnants'), { recursive: true })
    rmSync(objectPath(at, git(at, '', 'rev-parse', `${signatureRefOf(name)}:${signaturePathOf(name)}`)))
    expect((await verified(at)).faults).toMatchObject([{ subject: signatureRefOf(name), fault: expect.stringContaining('missing or damaged') as string }])
  })
})

/** All files of the clone but those in which a look remembers what it saw. */
function filesIn(at: Kept): Record<string, string> {
  const found: Record<string, string> = {}
  const look = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) look(path)
      else if (entry.isFile() && !/remnant\/(?:verified|known)$|\/index$/.test(path)) found[path] = readFileSync(path, 'latin1')
    }
  }
  look(at.dir)
  return found
}

