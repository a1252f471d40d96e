import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { decodeRemnant, encodeRemnant } from '../../src/model/remnant.ts'
import { aRemnant } from '../remnants.ts'
import { type Sharer, bareIn, commitWith, refsIn, sharer } from '../sharing.ts'
import { gitIn, stage } from '../stage.ts'

let remote: string
let here: Sharer
beforeEach(() => {
  remote = bareIn(stage().base)
  here = sharer(remote)
})

const sealed = async (...gates: string[]): Promise<string> => (await here.store.write(aRemnant(gates.length === 0 ? undefined : gates))).digest
const refOf = (digest: string): string => `refs/remnants/${digest}`

describe('push', () => {
  it('sends what this clone sealed, once', async () => {
    const digests = [await sealed('npm test'), await sealed('npm run lint')].sort()
    const answer = await here.push()
    expect(answer).toMatchObject({ text: 'sent 2 remnants to origin', data: { sent: digests, refused: [], first: true }, status: 0 })
    expect(refsIn(remote)).toEqual(digests.map(refOf))
    for (const digest of digests) expect(gitIn(remote, 'rev-parse', refOf(digest))).toBe(here.git('rev-parse', refOf(digest)))
    expect(await here.push()).toMatchObject({ text: 'nothing to send to origin: it has 2 of 2', data: { sent: [], there: digests, first: false }, status: 0 })
  })

  it('sends nothing before a remote was named, and nothing to another', async () => {
    const alone = sharer(remote, { alone: true })
    await alone.store.write(aRemnant())
    await expect(alone.push()).rejects.toMatchObject({ fault: 'refused', message: 'no remote was named that may have remnants' })
    await expect(alone.push({ remote: 'origin' })).rejects.toMatchObject({ fault: 'refused' })
    const other = bareIn(here.base, 'other.git')
    here.git('remote', 'add', 'other', other)
    await sealed()
    await expect(here.push({ remote: 'other' })).rejects.toMatchObject({ fault: 'refused', message: 'remote "other" is not the one that may have remnants, "origin"' })
    await expect(here.push({ remote: remote })).rejects.toMatchObject({ fault: 'refused' })
    expect([...refsIn(remote), ...refsIn(other)]).toEqual([])
  })

  it('believes a tracked file that names a remote once it was approved', async () => {
    const alone = sharer(remote, { alone: true })
    await alone.store.write(aRemnant())
    alone.write('.remnants/config.json', '{"share":"origin"}')
    await expect(alone.push()).rejects.toMatchObject({ fault: 'refused' })
    const { openApprovals } = await import('../../src/host/trust/approvals.ts')
    const { sha256 } = await import('../../src/base/digest.ts')
    openApprovals(alone.repository, alone.files, '').approveConfig(sha256('{"share":"origin"}'))
    expect(await alone.push()).toMatchObject({ text: 'sent 1 remnant to origin' })
    alone.write('.remnants/config.json', '{"share":"origin" }')
    await expect(alone.push()).rejects.toMatchObject({ fault: 'refused' })
  })

  it('lists with --dry-run all that would leave, with what it says, and sends nothing', async () => {
    const digest = await sealed('npm test', 'npm run lint')
    const answer = await here.push({ 'dry-run': true })
    expect(answer.text?.split('\n')).toEqual([
      '1 remnant would go to origin:',
      `  ${digest.slice(0, 12)}  2026-06-01  claude-code  verified invariant ×2`,
      expect.stringMatching(/^ {4}- `npm (?:test|run lint)` is a gate of `\.`$/),
      expect.stringMatching(/^ {4}- `npm (?:test|run lint)` is a gate of `\.`$/),
    ])
    expect(answer.data).toMatchObject({ dry_run: true, would_send: [digest], sent: [] })
    expect(refsIn(remote)).toEqual([])
    expect(here.warned).toEqual([])
  })

  it('lists at the first time what leaves, before it does, and not again', async () => {
    const digest = await sealed()
    await here.push()
    expect(here.warned).toEqual([`for the first time 1 remnant will go to origin:\n  ${digest.slice(0, 12)}  2026-06-01  claude-code  verified invariant ×1\n    - \`npm test\` is a gate of \`.\``])
    await sealed('npm run lint')
    await here.push()
    expect(here.warned).toHaveLength(1)
  })

  it('sends nobody else\'s remnants, and none that was forgotten', async () => {
    const other = sharer(remote)
    const { digest } = await other.store.write(aRemnant(['make check']))
    await other.push()
    await here.fetch()
    const second = bareIn(here.base, 'second.git')
    here.git('remote', 'set-url', 'origin', second)
    const forgotten = await sealed('make lint')
    await here.forget(forgotten)
    const mine = await sealed()
    expect(await here.push()).toMatchObject({ data: { sent: [mine] } })
    expect(refsIn(second)).toEqual([refOf(mine)])
    expect(here.refs()).toEqual([mine, digest].sort().map(refOf))
  })

  it.each([
    ['unrelated', () => gitIn(remote, 'commit-tree', '-m', 'x', gitIn(remote, 'hash-object', '-t', 'tree', '-w', '/dev/null').trim()).trim()],
    ['an ancestor of ours, which a plain push would move forward', () => here.git('rev-parse', `${refOf(newer)}^`).trim()],
  ])("reports a stranger's different commit under the same name and changes nothing: %s", async (_, theirs) => {
    const older = await sealed()
    newer = (await here.store.write(aRemnant(['npm run lint'], { supersedes: [[older, [aRemnant().verified_invariants[0]?.claim_id as string]]] }))).digest
    gitIn(here.dir, 'push', '-q', 'origin', `${refOf(older)}:refs/heads/objects`)
    const oid = theirs()
    gitIn(remote, 'update-ref', refOf(newer), oid)
    const answer = await here.push()
    expect(answer).toMatchObject({ data: { sent: [older], refused: [{ ref: refOf(newer), reason: 'the remote has another object under this name; nothing was changed' }] }, status: 1 })
    expect(gitIn(remote, 'rev-parse', refOf(newer)).trim()).toBe(oid)
    expect((await here.push()).status).toBe(1)
  })
  let newer: string

  it('makes no ref that appeared there after it had looked, and says so', async () => {
    const digest = await sealed()
    const theirs = commitWith(remote, 'x', 'x')
    gitIn(remote, 'update-ref', 'refs/heads/x', theirs)
    const { openTransport } = await import('../../src/store/sync/transport.ts')
    const transport = openTransport(await here.host.git(), 'origin')
    expect((await transport.list()).size).toBe(0)
    gitIn(remote, 'update-ref', refOf(digest), theirs)
    expect(await transport.send([refOf(digest)])).toEqual([{ ref: refOf(digest), state: 'taken' }])
    expect(gitIn(remote, 'rev-parse', refOf(digest)).trim()).toBe(theirs)
  })

  it('names what the remote refuses, in its words, and sends the rest', async () => {
    const [refused, taken] = [await sealed(), await sealed('npm run lint')]
    writeFileSync(join(remote, 'hooks/update'), `#!/bin/sh\ncase $1 in *${refused}) exit 1 ;; esac\n`)
    chmodSync(join(remote, 'hooks/update'), 0o755)
    expect(await here.push()).toMatchObject({ text: expect.stringContaining(`not sent: ${refOf(refused)}: hook declined`), data: { sent: [taken] }, status: 1 })
    expect(refsIn(remote)).toEqual([refOf(taken)])
    rmSync(join(remote, 'hooks/update'))
    expect(await here.push()).toMatchObject({ data: { sent: [refused] }, status: 0 })
  })

  it('does not send again what was removed there, but with --again', async () => {
    const digest = await sealed()
    await here.push()
    gitIn(remote, 'update-ref', '-d', refOf(digest))
    expect(await here.push()).toMatchObject({ text: expect.stringContaining('not sent again: 1 remnant that origin had and somebody removed there'), data: { gone: [digest], sent: [] }, status: 0 })
    expect(refsIn(remote)).toEqual([])
    expect(await here.push({ again: true })).toMatchObject({ data: { sent: [digest] } })
    expect(refsIn(remote)).toEqual([refOf(digest)])
  })

  it('loses nothing where a crash came between the sending and the note of it', async () => {
    const digest = await sealed()
    await here.push()
    const folder = join(here.repository.commonDir, 'remnant/sent')
    const [name = ''] = readdirSync(folder)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(`${refOf(digest)}\n`)
    writeFileSync(join(folder, name), 'refs/remn')
    expect(await here.push()).toMatchObject({ data: { sent: [], there: [digest] } })
    expect(readFileSync(join(folder, name), 'utf8')).toContain(`\n${refOf(digest)}\n`)
  })

  it('sends the signatures of what it sends', async () => {
    const digest = await sealed()
    const [own, foreign] = [`refs/remnants/sig/${digest}/${'a'.repeat(64)}`, `refs/remnants/sig/${'b'.repeat(64)}/${'a'.repeat(64)}`]
    for (const ref of [own, foreign]) here.git('update-ref', ref, 'HEAD')
    expect((await here.push()).text).toBe('sent 1 remnant and 1 signature to origin')
    expect(refsIn(remote)).toEqual([refOf(digest), own].sort())
  })

  it("heeds none of the user's settings that would send more, and starts nobody's hook", async () => {
    await sealed()
    here.git('tag', '-m', 'release', 'v1', gitIn(here.dir, 'rev-parse', 'HEAD').trim())
    for (const [name, value] of [['push.followTags', 'true'], ['push.pushOption', 'ci.skip'], ['push.gpgSign', 'true'], ['remote.origin.mirror', 'true'], ['push.recurseSubmodules', 'only']] as const) here.git('config', name, value)
    writeFileSync(join(here.repository.commonDir, 'hooks/pre-push'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    expect(await here.push()).toMatchObject({ text: 'sent 1 remnant to origin' })
    expect(gitIn(remote, 'for-each-ref', '--format=%(refname)').trim().split('\n')).toEqual(here.refs())
  })

  it('says of a remote that is not there what git says, without passwords', async () => {
    await sealed()
    here.git('remote', 'set-url', 'origin', join(here.base, 'nowhere.git'))
    await expect(here.push()).rejects.toMatchObject({ fault: 'missing', message: expect.stringContaining('remote "origin" did not answer: fatal: ') })
    here.git('remote', 'set-url', 'origin', 'http://user:secret@127.0.0.1:1/x.git')
    const thrown = await here.push().catch((each: Error) => each)
    expect(String((thrown as Error).message)).not.toContain('secret')
  })

  it('takes no address and no option for a remote', async () => {
    const { remoteNamed } = await import('../../src/store/sync/transport.ts')
    const git = await here.host.git()
    for (const name of ['--upload-pack=touch x', remote, 'nobody', '']) await expect(remoteNamed(git, name)).rejects.toMatchObject({ fault: 'misuse' })
    expect(await remoteNamed(git, 'origin')).toBe('origin')
  })

  it('keeps what it sends exactly as it lies here', async () => {
    const digest = await sealed()
    await here.push()
    const bytes = Buffer.from(gitIn(remote, 'cat-file', 'blob', `${refOf(digest)}:.remnants/${digest.slice(0, 2)}/${digest}.json`))
    expect(encodeRemnant(decodeRemnant(bytes, digest)).digest).toBe(digest)
  })
})
