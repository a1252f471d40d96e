import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import doctor from '../../src/commands/doctor.ts'
import { RemnantError } from '../../src/base/errors.ts'
import { handLineOf } from '../../src/host/hooks/text.ts'
import type { Answer } from '../../src/command.ts'
import { openSignerList } from '../../src/host/trust/signers.ts'
import { signerIn } from '../../src/model/signer.ts'
import { keepSignature } from '../../src/store/signing/signatures.ts'
import { aRemnant } from '../remnants.ts'
import { madeUpKey, madeUpSignature } from '../signing.ts'
import { QUICK, given, stage } from '../stage.ts'
import { hooked } from './hooked.ts'

const top = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** What doctor says of one check. */
const of = (answer: Answer, name: string) => (answer.data?.['checks'] as { name: string; ok: boolean; note: string; hint: string | null }[]).find((check) => check.name === name)

describe('doctor', () => {
  it('finds everything well after init, by running our part of each hook', async () => {
    const { init, doctor, put, dir, base } = hooked()
    const mark = join(base, 'ran')
    put('.git/hooks/pre-push', `#!/bin/sh\ntouch '${mark}'\n`, 0o755)
    await init()
    const answer = await doctor()
    expect(answer.status).toBe(0)
    expect(answer.text).toMatch(/^ok {2}node: Node \d+\.\d+\.\d+\nok {2}git: git version .+\nok {2}repository: .+: SHA-1 objects, refs as files\n/)
    expect(of(answer, 'pre-push')).toEqual({ name: 'pre-push', ok: true, note: `reachable: ${join(dir, '.git/hooks/pre-push')} comes to it`, hint: null })
    expect(existsSync(mark)).toBe(false)
  })

  it.each(['worktree', 'separate', 'submodule'] as const)('finds the hooks of the layout %s', async (layout) => {
    const { init, doctor } = hooked(layout)
    await init()
    expect((await doctor()).status).toBe(0)
  })

  it('says that there is no hook before init', async () => {
    const { doctor, dir } = hooked()
    const answer = await doctor()
    expect(answer.status).toBe(1)
    expect(of(answer, 'post-commit')).toEqual({ name: 'post-commit', ok: false, note: `not reachable: there is no ${join(dir, '.git/hooks/post-commit')}`, hint: 'git remnant init' })
    expect(answer.text).toContain('no  post-commit: not reachable: there is no ')
  })

  it('says that git-remnant is not on PATH', async () => {
    const { init, doctor, base } = hooked()
    await init()
    rmSync(join(base, 'bin/git-remnant'))
    expect(of(await doctor(), 'post-commit')).toMatchObject({ ok: false, note: 'not reachable: there is no git-remnant on PATH' })
  })

  it('says that the package of a block has gone, or is another', async () => {
    const { init, doctor, dir } = hooked()
    await init({}, { installation: '/nowhere' })
    expect(of(await doctor(), 'pre-push')).toMatchObject({ ok: false, note: `not reachable: ${join(dir, '.git/hooks/pre-push')} names a package that is gone`, hint: 'git remnant init' })
    await init()
    expect(of(await doctor({ installation: '/another' }), 'pre-push')).toMatchObject({ ok: true, note: `reachable: ${join(dir, '.git/hooks/pre-push')} comes to it in another package than this one` })
  })

  it.each([
    ['was switched off', (path: string) => chmodSync(path, 0o644), 'the hook is switched off: it is not executable'],
    ['lost its block', (path: string) => rmSync(path), 'there is no '],
  ])('says that a hook %s', async (_, spoil, note) => {
    const { init, doctor, dir } = hooked()
    await init()
    spoil(join(dir, '.git/hooks/post-commit'))
    expect(of(await doctor(), 'post-commit')).toMatchObject({ ok: false, note: expect.stringContaining(`not reachable: ${note}`) })
    expect(of(await doctor(), 'pre-push')).toMatchObject({ ok: true })
  })

  it('says that an agent\'s hooks that init installed are gone', async () => {
    const { init, doctor, put, dir } = hooked()
    expect(of(await doctor(), 'claude-code')).toBeUndefined()
    await init({ agent: 'claude' })
    expect(of(await doctor(), 'claude-code')).toMatchObject({ ok: true })
    put('.claude/settings.local.json', '{}\n')
    expect(of(await doctor(), 'claude-code')).toEqual({ name: 'claude-code', ok: false, note: 'not reachable: .claude/settings.local.json lost our entries since init', hint: 'git remnant init --agent claude' })
    rmSync(join(dir, '.claude'), { recursive: true })
    const answer = await doctor()
    expect(of(answer, 'claude-code')).toMatchObject({ ok: false, note: 'not reachable: .claude/settings.local.json is gone since init' })
    expect(answer.status).toBe(1)
    await init({ agent: 'claude' })
    expect(of(await doctor(), 'claude-code')).toMatchObject({ ok: true })
  })

  it('runs no line of an agent\'s configuration that only looks like ours', async () => {
    const { init, doctor, put, base } = hooked()
    await init()
    const mark = join(base, 'ran')
    const line = `command -v git-remnant >/dev/null 2>&1 && [ -x '/'; touch '${mark}'; '/hooks/guard' ] || exit 0; exec '/bin/echo' git-remnant guard`
    const entry = [{ hooks: [{ type: 'command', command: line }] }]
    put('.codex/hooks.json', JSON.stringify({ hooks: { SessionStart: entry, PreToolUse: entry, PostToolUse: entry } }))
    expect(of(await doctor(), 'codex')).toMatchObject({ ok: false, note: expect.stringContaining('.codex/hooks.json names ') })
    expect(existsSync(mark)).toBe(false)
  })

  it('says that something stands before the block', async () => {
    const { init, doctor, put, read } = hooked()
    await init()
    put('.git/hooks/post-commit', read('.git/hooks/post-commit').replace('#!/bin/sh\n', '#!/bin/sh\nexit 0\n'), 0o755)
    expect(of(await doctor(), 'post-commit')).toMatchObject({ ok: false, hint: 'move it right behind the first line' })
  })

  it('says that git reads its hooks elsewhere by now', async () => {
    const { init, doctor, git } = hooked()
    await init()
    git('config', 'core.hooksPath', '../shared')
    expect(of(await doctor(), 'post-commit')).toMatchObject({
      ok: false,
      note: 'not reachable: hooks are read from "../shared" (core.hooksPath), outside this repository',
      hint: expect.stringContaining(handLineOf('post-commit', top)),
    })
  })

  it.each([
    ['.husky/_', '.husky/_/post-commit', '.husky/post-commit'],
    ['.husky', '.husky/post-commit', '.husky/post-commit'],
    [null, '.git/hooks/post-commit', 'lefthook.yml'],
  ])('believes the line added by hand once it is there: %s', async (path, hook, file) => {
    const { doctor, git, put } = hooked()
    if (path !== null) git('config', 'core.hooksPath', path)
    put(hook, '#!/usr/bin/env sh\n# lefthook, husky\nexit 0\n', 0o755)
    expect(of(await doctor(), 'post-commit')).toMatchObject({ ok: false, hint: expect.stringContaining(handLineOf('post-commit', top)) })
    put(file, `${file === hook ? '#!/usr/bin/env sh\n' : ''}run: ${handLineOf('post-commit', top)}\n`, 0o755)
    expect(of(await doctor(), 'post-commit')).toMatchObject({ ok: true, note: expect.stringMatching(/^reachable: its line stands in .+; what comes before it there was not run$/) })
  })

  it.each([
    ['.git/remnant/config.json', '{"guard":7}', '"remnant/config.json in the git directory"', /^its fields are: schema, repository_root, .*guard, .*gate\.timeout_s/],
    ['.remnants/config.json', '{"guards":"off"}', '".remnants/config.json"', /^its fields are: /],
    ['.remnants/config.json', '{', '".remnants/config.json"', /^it is one JSON object$/],
  ])('says that %s can not be read as it is: %s', async (path, text, name, hint) => {
    const { init, doctor, put } = hooked()
    await init()
    expect(of(await doctor(), 'configuration')).toBeUndefined()
    put(path, text)
    const answer = await doctor()
    expect(answer.status).toBe(1)
    expect(of(answer, 'configuration')).toEqual({ name: 'configuration', ok: false, note: expect.stringContaining(name) as string, hint: expect.stringMatching(hint) as string })
    expect(of(answer, 'post-commit')).toMatchObject({ ok: true })
  })

  it('counts signatures, and says which are left to check', async () => {
    const { doctor, store, repository, host, files } = hooked()
    const { digest } = await store.write(aRemnant())
    const made = [1, 2].map((n) => madeUpSignature(digest, n))
    for (const one of made) await keepSignature(one, one.bytes, { repository, git: () => host.git(), files, disk: QUICK })
    expect(of(await doctor(), 'signers')).toMatchObject({ ok: true, note: '0 accepted; 2 signatures: none by an accepted key is left to check' })
    const { type, blob } = madeUpKey(1)
    openSignerList(repository, files).allow(signerIn(`a@example.org ${type} ${blob}`) as NonNullable<ReturnType<typeof signerIn>>)
    expect(of(await doctor(), 'signers')).toMatchObject({ ok: false, note: '1 accepted; 2 signatures: 1 by an accepted key is left to check', hint: 'git remnant verify' })
  })

  it('says what is wrong with the repository, and stops there', async () => {
    const { host } = stage()
    const collect = async () => ({ status: 127, signal: null, timedOut: false, output: '', stdout: '', cut: false })
    const refused = async () => {
      throw new RemnantError('missing', 'repository "x" has objects that are not named by SHA-1', { hint: 'no' })
    }
    const answer = await doctor.run(given(), { ...host, processes: { collect, through: collect }, repository: refused })
    expect(answer.status).toBe(1)
    expect(answer.text).toMatch(/^ok {2}node: .+\nno {2}git: no program "git" on PATH\n {6}install git\nno {2}repository: repository "x" has objects that are not named by SHA-1\n {6}no$/)
    const bare = hooked('bare')
    expect(of(await bare.doctor(), 'repository')).toMatchObject({ ok: false, note: expect.stringContaining('is bare') })
  })
})
