import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import { encodeRemnant } from '../../src/model/remnant.ts'
import { signatureOf } from '../../src/model/signature.ts'
import { objectsOf, pathOf } from '../../src/store/git/recipe.ts'
import { signatureObjects } from '../../src/store/signing/signatures.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { type Sharer, bareIn, commitWith, gitWith, refsIn, sharer } from '../sharing.ts'
import { gitIn, stage } from '../stage.ts'

const HAS_SSH_KEYGEN = spawnSync('ssh-keygen', ['-Y', 'x'], { stdio: 'ignore' }).error === undefined

/** A signature by a new key; the same for the same name. */
function signature(digest: string, { base }: Sharer, name = 'first'): ReturnType<typeof signatureOf> {
  const [key, file] = [join(base, name), join(base, `${name}.bytes`)]
  if (!existsSync(`${file}.sig`)) {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    writeFileSync(file, encodeRemnant(aRemnant()).bytes)
    spawnSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', 'git-remnant', '-f', key, file], { stdio: 'ignore' })
  }
  return signatureOf(digest, readFileSync(`${file}.sig`, 'utf8'))
}

let remote: string
let there: Sharer
let here: Sharer
beforeEach(() => {
  remote = bareIn(stage().base)
  there = sharer(remote)
  here = sharer(remote)
})

const refOf = (digest: string): string => `refs/remnants/${digest}`
const reported = (one: Sharer): string => join(one.repository.commonDir, 'remnant/reported')
const claimOf = (gate: string): string => aRemnant([gate]).verified_invariants[0]?.claim_id as string

async function published(...gates: string[]): Promise<string[]> {
  for (const gate of gates) await there.store.write(aRemnant([gate]))
  await there.push()
  return gates.map((gate) => digestOfRemnant(aRemnant([gate])))
}

describe('fetch', () => {
  it('brings what is whole, and nothing else changes', async () => {
    there.git('tag', 'v1')
    there.git('push', '-q', 'origin', 'HEAD:refs/heads/main', 'v1')
    const digests = (await published('npm test', 'npm run lint')).sort()
    const [config, refs] = [readFileSync(join(here.repository.commonDir, 'config'), 'utf8'), here.git('for-each-ref')]
    const answer = await here.fetch()
    expect(answer).toMatchObject({ text: 'fetched 2 remnants from origin', data: { fetched: digests, rejected: [] } })
    expect(here.refs()).toEqual(digests.map(refOf))
    expect(await here.store.read(digests[0] as string)).toMatchObject({ digest: digests[0], remnant: { schema: 'git-remnant/1' } })
    expect(readFileSync(join(here.repository.commonDir, 'config'), 'utf8')).toBe(config)
    expect(here.git('for-each-ref').replace(/^.*refs\/remnants.*\n/gm, '')).toBe(refs)
    for (const name of ['FETCH_HEAD', 'logs/refs/remnants']) expect(existsSync(join(here.repository.commonDir, name))).toBe(false)
    expect(await here.fetch()).toMatchObject({ text: 'fetched 0 remnants from origin; 2 were here' })
    here.git('fsck', '--strict')
  })

  it('notes what the accepted remote has, and only that, in a file of its owner', async () => {
    const [digest] = await published('npm test')
    await here.store.write(aRemnant(['make mine']))
    await here.push()
    await here.fetch()
    expect(readFileSync(reported(here), 'utf8')).toBe(`${digest}\n`)
    expect(statSync(reported(here)).mode & 0o777).toBe(0o600)
    const stranger = sharer(remote, { alone: true })
    await expect(stranger.fetch()).rejects.toMatchObject({ fault: 'refused' })
    expect(await stranger.fetch({ remote: 'origin' })).toMatchObject({ data: { fetched: [digest, digestOfRemnant(aRemnant(['make mine']))].sort() } })
    expect(existsSync(reported(stranger))).toBe(false)
  })

  it('notes also what was here already, once the remote is accepted', async () => {
    const [digest] = await published('npm test')
    here.git('fetch', '-q', 'origin', 'refs/remnants/*:refs/remnants/*')
    await here.fetch()
    await here.fetch()
    expect(readFileSync(reported(here), 'utf8')).toBe(`${digest}\n`)
  })

  /** Makes a ref under the name of a valid remnant that nobody has; the fault that is said of it. */
  const forgeries: [string, (digest: string, bytes: string, git: string) => string, RegExp][] = [
    ['other bytes under its name', (digest, bytes, git) => commitWith(git, pathOf(digest), `${bytes}\n`), /does not hash to its name$/],
    ['its bytes in a commit by somebody', (digest, bytes, git) => commitWith(git, pathOf(digest), bytes), /names a commit that does not follow from its remnant$/],
    ['its bytes at another path', (digest, bytes, git) => commitWith(git, `.remnants/x/${digest}.json`, bytes), /names a commit that holds no such remnant$/],
    ['a commit of the project', (_d, _b, git) => commitWith(git, 'README.md', 'A project.\n'), /names a commit that holds no such remnant$/],
    ['a blob in the place of a commit', (_d, bytes, git) => gitWith(git, bytes, 'hash-object', '-w', '--stdin'), /names a commit that holds no such remnant$/],
    ['over 1 MiB', (digest, _b, git) => commitWith(git, pathOf(digest), 'x'.repeat(1024 * 1024 + 1)), /is over 1 MiB$/],
  ]

  it.each(forgeries)('rejects %s, says so, leaves nothing visible, and takes the others', async (_, forge, fault) => {
    const [whole] = await published('npm run lint')
    const { digest, bytes } = encodeRemnant(aRemnant())
    gitIn(remote, 'update-ref', refOf(digest), forge(digest, Buffer.from(bytes).toString('utf8'), remote))
    const answer = await here.fetch()
    expect(answer).toMatchObject({ data: { fetched: [whole], rejected: [{ ref: refOf(digest), fault: expect.stringMatching(fault) }] } })
    expect(answer.text).toContain(`\nrejected: ${refOf(digest)} `)
    expect(answer.status ?? 0).toBe(0)
    expect(here.refs()).toEqual([refOf(whole as string)])
    expect(readFileSync(reported(here), 'utf8')).not.toContain(digest)
    expect(await here.store.digests()).toEqual([whole])
  })

  it.each([
    ['no JSON', 'x'],
    ['another schema', '{"schema":"git-remnant/9"}'],
    ['a field that nobody knows', JSON.stringify({ ...aRemnant(), zzz: 1 })],
    ['a key twice', '{"schema":"git-remnant/1","schema":"git-remnant/1"}'],
  ])('rejects a well named object that is %s', async (_, text) => {
    const digest = sha256(text)
    gitIn(remote, 'update-ref', refOf(digest), commitWith(remote, pathOf(digest), text))
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [{ ref: refOf(digest) }] } })
    expect(here.refs()).toEqual([])
  })

  it('rejects refs that are no name of a remnant', async () => {
    const commit = commitWith(remote, 'x', 'x')
    for (const name of ['notes', 'a'.repeat(63), 'A'.repeat(64), 'deep/er', `sig/${'a'.repeat(64)}`]) gitIn(remote, 'update-ref', `refs/remnants/${name}`, commit)
    const answer = await here.fetch()
    expect((answer.data?.rejected as { fault: string }[]).map(({ fault }) => fault)).toEqual(Array(5).fill('is no name of a remnant'))
    expect(here.git('for-each-ref', 'refs/remnants')).toBe('')
  })

  it('knows nothing of refs whose names end as ours do', async () => {
    const commit = commitWith(remote, 'x', 'x')
    for (const name of ['forks/1', 'heads', 'pull/1/head']) gitIn(remote, 'update-ref', `refs/${name}/refs/remnants/${'a'.repeat(64)}`, commit)
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [] } })
  })

  it("leaves this clone's own ref as it is where the remote has another commit under its name", async () => {
    const { digest } = await here.store.write(aRemnant())
    const before = here.git('rev-parse', refOf(digest))
    gitIn(remote, 'update-ref', refOf(digest), commitWith(remote, pathOf(digest), encodeRemnant(aRemnant()).bytes))
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [{ ref: refOf(digest), fault: expect.stringContaining('is another commit there than here') }] } })
    expect(here.git('rev-parse', refOf(digest))).toBe(before)
  })

  it('brings a lineage that the remote has no refs for, and refuses one that is broken', async () => {
    const [older] = await published('npm test')
    const newer = aRemnant(['npm run lint'], { supersedes: [[older as string, [claimOf('npm test')]]] })
    const { digest } = await there.store.write(newer)
    await there.push()
    gitIn(remote, 'update-ref', '-d', refOf(older as string))
    expect(await here.fetch()).toMatchObject({ data: { fetched: [digest, older].sort(), rejected: [] } })
    for await (const { faults } of here.store.audit(await here.store.digests())) expect(faults).toEqual([])

    const orphan = aRemnant(['npm run build'], { supersedes: [['c'.repeat(64), [claimOf('npm test')]]] })
    const { digest: lone, bytes } = encodeRemnant(orphan)
    const objects = objectsOf(lone, bytes, orphan, [gitIn(remote, 'rev-parse', refOf(digest)).trim()], 'sha1')
    let commit = ''
    for (const { type, content } of objects) commit = gitWith(remote, content, 'hash-object', '-w', '--literally', '-t', type, '--stdin')
    gitIn(remote, 'update-ref', refOf(lone), commit)
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [{ ref: refOf(lone), fault: 'supersedes remnant "cccccccccccc", which names a commit that holds no such remnant' }] } })
  })

  it('brings a long lineage, each behind what it supersedes', async () => {
    let supersedes: [string, string[]][] = []
    for (let i = 0; i < 12; i++) {
      const { digest } = await there.store.write(aRemnant([`npm run step${i}`], { supersedes }))
      supersedes = [[digest, [claimOf(`npm run step${i}`)]]]
    }
    await there.push()
    expect((await here.fetch()).data).toMatchObject({ rejected: [] })
    expect(here.refs()).toEqual(there.refs())
  })

  it('keeps away what was forgotten here, also as something to be superseded', async () => {
    const [older = ''] = await published('npm test')
    await here.fetch()
    await here.forget(older)
    expect(await here.fetch()).toMatchObject({ text: 'fetched 0 remnants from origin; 1 forgotten here was kept away', data: { kept_away: [older] } })
    const { digest } = await there.store.write(aRemnant(['npm run lint'], { supersedes: [[older, [claimOf('npm test')]]] }))
    await there.push()
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [{ ref: refOf(digest), fault: `supersedes remnant "${older.slice(0, 12)}", which was forgotten in this clone` }] } })
    expect(here.refs()).toEqual([])
    await here.forget(older, { undo: true })
    expect(await here.fetch()).toMatchObject({ data: { fetched: [digest, older].sort() } })
  })

  it("prunes nothing and overwrites nothing, whatever the user's settings say", async () => {
    const { digest } = await here.store.write(aRemnant(['make mine']))
    const [theirs] = await published('npm test')
    for (const [name, value] of [['fetch.prune', 'true'], ['fetch.pruneTags', 'true'], ['remote.origin.prune', 'true'], ['remote.origin.tagOpt', '--tags'], ['fetch.recurseSubmodules', 'true']] as const) here.git('config', name, value)
    here.git('config', '--replace-all', 'remote.origin.fetch', '+refs/*:refs/*')
    gitIn(remote, 'update-ref', refOf('d'.repeat(64)), commitWith(remote, 'x', 'x'))
    await here.fetch()
    expect(here.refs()).toEqual([digest, theirs].sort().map((each) => refOf(each as string)))
  })

  it("takes no tombstone from a remote: a stranger's for mine, wherever it lies, is rejected and changes nothing", async () => {
    const { digest } = await here.store.write(aRemnant(['make mine']))
    await here.push()
    const stone = canonical({ schema: 'git-remnant/tombstone/1', remnant: digest, forgotten_at: '2026-06-01T10:00:00Z', replaced_by: null })
    const name = sha256(stone)
    const refs = [`refs/remnants/tombstones/${digest}/${name}`, `refs/remnants/sig/${digest}/${name}`, refOf(name)]
    for (const [i, path] of [`.remnants/tombstones/${digest}/${name}.json`, `.remnants/sig/${digest}/${name}.json`, pathOf(name)].entries()) gitIn(remote, 'update-ref', refs[i] as string, commitWith(remote, path, stone))
    for (const one of [here, there]) {
      const answer = await one.fetch()
      expect((answer.data?.rejected as { ref: string }[]).map(({ ref }) => ref).sort()).toEqual([...refs].sort())
      expect(one.refs()).toEqual([refOf(digest)])
      expect(existsSync(join(one.repository.commonDir, 'remnant/tombstones'))).toBe(false)
    }
    expect(await here.store.read(digest)).toMatchObject({ rank: 'own' })
  })

  it.skipIf(!HAS_SSH_KEYGEN)('takes signatures of what is here, if they are what their names say', async () => {
    const [digest = ''] = await published('npm test')
    const good = signature(digest, there)
    const put = (name: string, commit: (path: string) => string): string => {
      const ref = `refs/remnants/sig/${digest}/${name}`
      gitIn(remote, 'update-ref', ref, commit(`.remnants/sig/${digest}/${name}.json`))
      return ref
    }
    const made = signatureObjects({ digest: good.digest, remnant: digest }, good.bytes, 'sha1')
    for (const { type, content } of made) gitWith(remote, content, 'hash-object', '-w', '-t', type, '--stdin')
    const ref = put(good.digest, () => made.at(-1)?.oid as string)
    const bad = [
      put('e'.repeat(64), (path) => commitWith(remote, path, good.bytes)),
      put(signature(digest, there, 'second').digest, (path) => commitWith(remote, path, signature(digest, there, 'second').bytes)),
    ].sort()
    const answer = await here.fetch()
    expect(answer.text).toMatch(/^fetched 1 remnant from origin; 1 signature\n1 signed by (SHA256:\S+), which is not accepted here: git remnant allow \1, once you know whose it is\n/)
    expect(answer.data?.not_accepted).toEqual([{ signer: expect.stringMatching(/^SHA256:/), remnants: [digest] }])
    expect((answer.data?.rejected as { ref: string }[]).map((each) => each.ref).sort()).toEqual(bad)
    expect(here.refs()).toEqual([refOf(digest), ref].sort())
    expect((await there.fetch()).text).toMatch(/^fetched 0 remnants from origin; 1 signature; 1 was here\nrejected: /)
  })

  it('brings whole objects into a partial clone', async () => {
    const [digest = ''] = await published('npm test')
    there.git('push', '-q', 'origin', 'HEAD:refs/heads/main')
    gitIn(remote, 'config', 'uploadpack.allowFilter', 'true')
    gitIn(here.base, 'clone', '-q', '--filter=blob:none', `file://${remote}`, 'partial')
    const partial = join(here.base, 'partial')
    const { default: fetch } = await import('../../src/commands/fetch.ts')
    const { openGit, openRepository } = await import('../../src/host/git.ts')
    const { given } = await import('../stage.ts')
    const repository = openRepository(partial, here.env)
    const host = { ...here.host, repository: async () => repository, git: async () => openGit(repository, here.env), config: async () => ({ share: 'origin' }) }
    expect(await fetch.run(given(), host)).toMatchObject({ data: { fetched: [digest] } })
    expect(gitIn(partial, 'rev-list', '--objects', '--missing=print', refOf(digest))).not.toContain('?')
  })

  it('ends one attempt in the time that it has, with all that it started', async () => {
    const { openTransport } = await import('../../src/store/sync/transport.ts')
    here.git('remote', 'set-url', 'origin', 'ssh://host.invalid/x.git')
    here.git('config', 'core.sshCommand', 'sleep 30; :')
    const end = Date.now() + 300
    await expect(openTransport(await here.host.git(), 'origin', { timeLeft: () => end - Date.now() }).list()).rejects.toMatchObject({ fault: 'timeout' })
    expect(Date.now() - end).toBeLessThan(3000)
  })

  it('brings many at once, and packs their refs', { timeout: 60_000 }, async () => {
    const lines: string[] = []
    const seconds = Date.parse(aRemnant().provenance.observed_until) / 1000
    for (let i = 0; i < 1200; i++) {
      const remnant = aRemnant([`npm run job${i}`])
      const { digest, bytes } = encodeRemnant(remnant)
      const blob = Buffer.from(bytes).toString('utf8')
      lines.push(`blob\nmark :${i + 1}\ndata ${bytes.byteLength}\n${blob}\n`)
      lines.push(
        `commit ${refOf(digest)}\nauthor git-remnant <git-remnant@remnant.invalid> ${seconds} +0000\ncommitter git-remnant <git-remnant@remnant.invalid> ${seconds} +0000\ndata 73\nRemnant ${digest}\n\nM 100644 :${i + 1} ${pathOf(digest)}\n\n`,
      )
    }
    gitWith(remote, lines.join(''), 'fast-import', '--quiet')
    const answer = await here.fetch()
    expect(answer.data).toMatchObject({ rejected: [] })
    expect(here.refs()).toEqual(refsIn(remote))
    expect(here.refs()).toHaveLength(1200)
    expect(readFileSync(join(here.repository.commonDir, 'packed-refs'), 'utf8').match(/refs\/remnants/g)).toHaveLength(1200)
  })
})
