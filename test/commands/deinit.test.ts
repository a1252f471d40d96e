import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { openSignerList } from '../../src/host/trust/signers.ts'
import { commandOf } from '../../src/model/command.ts'
import { type PublicKey, signerIn } from '../../src/model/signer.ts'
import { pathOf, refOf } from '../../src/store/git/recipe.ts'
import { keepSignature, signaturePathOf, signatureRefOf } from '../../src/store/signing/signatures.ts'
import { aRemnant } from '../remnants.ts'
import { madeUpSignature } from '../signing.ts'
import { QUICK } from '../stage.ts'
import { hooked } from './hooked.ts'

describe('deinit', () => {
  const hook = fc.oneof(
    fc.constant(null),
    fc.constantFrom('#!/bin/sh', '#!/bin/sh\n', '#!/bin/sh\nmake', '#!/bin/bash -e\r\n\n\n', '#!/usr/bin/env python3\n1\n', 'no first line', '#!/bin/sh\n\u0000\u00ff\n').map((text) => ({ text, mode: 0o755 })),
    fc.constant({ text: '#!/bin/sh\noff\n', mode: 0o600 }),
  )
  const exclude = fc.constantFrom(null, '', '*.log\n', '*.log', '.remnants\n', 'a\n/.remnants/\nb\n', '\u00ff\r\n')
  const folder = fc.constantFrom('hooks', 'no hooks')

  it('leaves hooks, configuration and info/exclude byte for byte as they were before init', async () => {
    await fc.assert(
      fc.asyncProperty(hook, hook, exclude, folder, fc.boolean(), fc.boolean(), async (postCommit, prePush, excluded, hooks, twice, track) => {
        const { put, init, deinit, picture, repository, dispose } = hooked()
        if (hooks === 'no hooks') rmSync(join(repository.commonDir, 'hooks'), { recursive: true })
        if (postCommit !== null) put('.git/hooks/post-commit', postCommit.text, postCommit.mode)
        if (postCommit !== null) put('.git/hooks/post-merge', postCommit.text, postCommit.mode)
        if (prePush !== null) put('.git/hooks/pre-push', prePush.text, prePush.mode)
        rmSync(join(repository.commonDir, 'info'), { recursive: true, force: true })
        if (excluded !== null) put('.git/info/exclude', excluded)
        const before = picture()
        await init({ track })
        if (twice) await init({}, { installation: '/moved/elsewhere' })
        await deinit()
        expect(picture()).toEqual(before)
        dispose()
      }),
      { numRuns: 25 },
    )
  })

  it('takes back the exclude line that a first write made, and the copies, and keeps the remnants', async () => {
    const { store, deinit, picture, repository, git, dir } = hooked()
    const before = picture()
    const { ref, digest } = await store.write(aRemnant())
    expect(existsSync(join(dir, '.remnants'))).toBe(true)
    const answer = await deinit()
    const after = picture()
    expect(git('for-each-ref', '--format=%(refname)', 'refs/remnants').trim()).toBe(ref)
    const own = Object.keys(after).filter((name) => !Object.hasOwn(before, name) && !name.includes('refs'))
    expect(own.map((name) => name.split('.git/')[1])).toEqual(['remnant', 'remnant/own'])
    expect(Object.keys(before).filter((name) => before[name] !== after[name])).toEqual([])
    expect(answer.data).toEqual({ hooks: [], copies: [join(dir, `.remnants/${digest.slice(0, 2)}/${digest}.json`)], refs: 0, purged: false })
    expect(repository.workTree).toBe(dir)
  })

  it('removes copies of signatures too, and the folders that they leave empty', async () => {
    const { store, deinit, picture, host, repository, files, git, dir } = hooked()
    const before = picture()
    const { digest } = await store.write(aRemnant())
    const signature = madeUpSignature(digest, 1)
    await keepSignature(signature, signature.bytes, { repository, git: () => host.git(), files, disk: QUICK })
    mkdirSync(join(dir, '.remnants/sig', 'e'.repeat(64)))
    const answer = await deinit()
    expect(answer.text).toContain('copies: 2 removed\nremnants: kept')
    expect(answer.data).toMatchObject({ copies: [pathOf(digest), signaturePathOf(signature)].map((path) => join(dir, path)) })
    expect(Object.keys(picture()).filter((name) => name.includes('/.remnants') && before[name] === undefined)).toEqual([])
    expect(git('status', '--porcelain')).toBe('')
    expect(git('for-each-ref', '--format=%(refname)', 'refs/remnants').trim().split('\n')).toEqual([refOf(digest), signatureRefOf(signature)])
  })

  it('names what stays, and keeps a copy that no ref holds, for it may be the only one', async () => {
    const { store, deinit, put, git, dir, read } = hooked()
    const [held, alone, emptied, tracked] = [await store.write(aRemnant()), await store.write(aRemnant(['npm run lint'])), await store.write(aRemnant(['npm run build'])), await store.write(aRemnant(['make']))]
    const signature = madeUpSignature(held.digest, 1)
    git('update-ref', '-d', alone.ref)
    put(`.git/${emptied.ref}`, '')
    put('.remnants/sig/notes.txt', 'mine')
    put(signaturePathOf(signature), Buffer.from(signature.bytes).toString('latin1'))
    git('add', '-f', pathOf(tracked.digest))
    const answer = await deinit()
    const unheld = [pathOf(alone.digest), pathOf(emptied.digest), signaturePathOf(signature)].sort()
    expect(answer.data).toMatchObject({ copies: [join(dir, pathOf(held.digest))] })
    expect((answer.data as { stays: readonly { path: string; why: string }[] }).stays.map(({ path, why }) => `${path.slice(dir.length + 1)} ${why}`).sort()).toEqual(
      [...unheld.map((path) => `${path} no ref here holds it, so it may be the only copy`), `${pathOf(tracked.digest)} tracked by git`, '.remnants/sig/notes.txt not ours, or changed by somebody'].sort(),
    )
    expect(answer.text).toContain(`stays: ${unheld.join(', ')}: no ref here holds it, so it may be the only copy`)
    expect(answer.text).toContain('stays: .remnants/sig/notes.txt: not ours, or changed by somebody')
    for (const path of [...unheld, pathOf(tracked.digest)]) expect(read(path).length).toBeGreaterThan(0)
  })

  it('takes back what --share named, and keeps what was reported and forgotten', async () => {
    const { init, deinit, picture, git, put, repository } = hooked()
    git('remote', 'add', 'origin', '/nowhere')
    const before = picture()
    const answer = await init({ share: 'origin' })
    expect(answer.text).toContain('remnants go to origin: with "git remnant push"')
    expect(answer.data).toMatchObject({ share: 'origin' })
    expect(picture()[`${repository.commonDir.split('/').slice(-2).join('/')}/remnant/config.json`]).toMatch(/^600 [^]*"share": "origin"/)
    await init({ share: 'origin' })
    await deinit()
    expect(picture()).toEqual(before)
    put('.git/remnant/reported', `${'a'.repeat(64)}\n`, 0o600)
    put(`.git/remnant/tombstones/${'a'.repeat(64)}/x.json`, '{}')
    const kept = picture()
    await deinit()
    expect(picture()).toEqual(kept)
  })

  it('does nothing where --share names no remote', async () => {
    const { init, picture } = hooked()
    const before = picture()
    for (const share of ['origin', 'https://example.org/x.git', '--all']) await expect(init({ share })).rejects.toMatchObject({ fault: 'misuse' })
    expect(picture()).toEqual(before)
  })

  it('--purge removes the remnants and all local state too', async () => {
    const { store, init, deinit, picture, put, repository, host, files } = hooked()
    const before = picture()
    await init()
    await store.write(aRemnant())
    await store.write(aRemnant(['npm run lint']))
    put('.git/remnant/approvals', 'x\n')
    const { digest } = await store.write(aRemnant(['make check']))
    const made = madeUpSignature(digest, 1)
    await keepSignature(made, made.bytes, { repository, git: () => host.git(), files, disk: QUICK })
    const answer = await deinit({ purge: true })
    expect(answer.data).toMatchObject({ hooks: ['post-commit', 'post-merge', 'pre-push'], refs: 4, purged: true })
    expect(answer.text).toContain('\nremnants: 3 removed, and 1 signature\n')
    expect(withoutRefs(picture())).toEqual(withoutRefs(before))
  })

  it("keeps tracked copies, approvals, the user's own files, and removes copies in every work tree", async () => {
    const { store, init, deinit, git, put, dir, repository, base } = hooked('worktree')
    await init({ track: true })
    const { digest } = await store.write(aRemnant())
    const copy = `.remnants/${digest.slice(0, 2)}/${digest}.json`
    put('.git/remnant/approvals', 'x\n')
    put('.git/remnant/journals/a.jsonl', '{}\n')
    const main = join(base, 'main')
    mkdirSync(join(main, '.remnants', digest.slice(0, 2)), { recursive: true })
    writeFileSync(join(main, copy), 'other bytes')
    writeFileSync(join(main, '.remnants/notes.txt'), 'mine')
    git('add', '.remnants')
    expect((await deinit()).data).toMatchObject({ copies: [join(main, copy)] })
    expect(existsSync(join(dir, copy)) && existsSync(join(dir, '.remnants/README.md'))).toBe(true)
    expect(existsSync(join(main, '.remnants/notes.txt'))).toBe(true)
    expect(existsSync(join(repository.commonDir, 'remnant/approvals'))).toBe(true)
    expect(existsSync(join(repository.commonDir, 'remnant/journals'))).toBe(false)
  })

  it('keeps what was denied, so that a later init allows none of it, and --purge says that it goes', async () => {
    const { init, deinit, repository, host } = hooked()
    const key = signerIn(`someone@example.org ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'B'.repeat(43)}`)?.key as PublicKey
    const command = commandOf(['make', 'deploy'])
    await init()
    openSignerList(repository, host.files).deny(key)
    openApprovals(repository, host.files, 'root').approve(command)
    openApprovals(repository, host.files, 'root').revoke(command)
    expect((await deinit()).text).toContain('but for what was allowed and denied')
    await init()
    expect(openSignerList(repository, host.files).denied).toEqual([key])
    expect(openApprovals(repository, host.files, 'root').isRevoked(command)).toBe(true)
    expect((await deinit({ purge: true })).text).toContain('local state: removed, with all that was allowed and denied here')
    expect(openSignerList(repository, host.files).denied).toEqual([])
    expect(openApprovals(repository, host.files, 'root').isRevoked(command)).toBe(false)
  })

  it('removes the pages of init --track only while nobody changed them', async () => {
    const { init, deinit, put, read, dir } = hooked()
    await init({ track: true })
    put('.remnants/config.json', '{"schema":"git-remnant/config/1","guard":"off"}')
    await deinit()
    expect(existsSync(join(dir, '.remnants/README.md'))).toBe(false)
    expect(read('.remnants/config.json')).toContain('off')
  })

  it('keeps what was added to a hook that init made', async () => {
    const { init, deinit, put, read } = hooked()
    await init()
    put('.git/hooks/pre-push', `${read('.git/hooks/pre-push')}make\n`, 0o755)
    await deinit()
    expect(read('.git/hooks/pre-push')).toBe('#!/bin/sh\nmake\n')
  })

  it('does nothing twice', async () => {
    const { init, deinit, picture } = hooked()
    const before = picture()
    await init()
    await deinit()
    expect((await deinit()).text).toBe('hooks: none of ours\ncopies: 0 removed\nremnants: kept, under refs/remnants\nlocal state: removed, but for what was allowed and denied, and what this clone sealed, was told and forgot')
    expect(picture()).toEqual(before)
  })
})

const withoutRefs = (picture: Record<string, string>): Record<string, string> => Object.fromEntries(Object.entries(picture).filter(([name]) => !name.includes('/refs')))
