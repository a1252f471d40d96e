import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import type { Command } from '../../src/command.ts'
import allow from '../../src/commands/allow.ts'
import checkout from '../../src/commands/checkout.ts'
import list from '../../src/commands/list.ts'
import log from '../../src/commands/log.ts'
import show from '../../src/commands/show.ts'
import why from '../../src/commands/why.ts'
import { encodeRemnant } from '../../src/model/remnant.ts'
import { listSignatures, readSignatures } from '../../src/store/signing/signatures.ts'
import { pathOf } from '../../src/store/git/recipe.ts'
import { aRemnant } from '../remnants.ts'
import { gate, held, hostOf } from '../resolve/records.ts'
import { ENV, type Stage, given, gitIn, stage } from '../stage.ts'

const { digest: DIGEST, bytes: BYTES } = encodeRemnant(aRemnant())

/** A place outside the repository that nothing may reach. */
function elsewhere(made: Stage): string {
  const folder = mkdtempSync(join(made.base, 'elsewhere-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const put = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

describe('a work tree in which', () => {
  const LINKS: readonly (readonly [name: string, lay: (made: Stage, outside: string) => void])[] = [
    ['.remnants is a link', (made, outside) => (put(join(outside, pathOf(DIGEST).slice('.remnants/'.length)), BYTES), symlinkSync(outside, join(made.dir, '.remnants')))],
    [
      'a folder of digests is a link',
      (made, outside) => (put(join(outside, `${DIGEST}.json`), BYTES), mkdirSync(join(made.dir, '.remnants')), symlinkSync(outside, dirname(join(made.dir, pathOf(DIGEST))))),
    ],
    [
      'a remnant is a link',
      (made, outside) => (put(join(outside, 'x'), BYTES), mkdirSync(dirname(join(made.dir, pathOf(DIGEST))), { recursive: true }), symlinkSync(join(outside, 'x'), join(made.dir, pathOf(DIGEST)))),
    ],
  ]
  it.each(LINKS)('%s is not read through it, and not written through it', async (_, lay) => {
    const made = stage()
    const outside = elsewhere(made)
    lay(made, outside)
    const before = execFileSync('find', [outside, '-type', 'f', '-newermt', '2000-01-01'], { encoding: 'utf8' })
    const read = await made.store.read(DIGEST)
    expect(read === null || 'fault' in read).toBe(true)
    await expect(made.store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable' })
    expect(execFileSync('find', [outside, '-type', 'f', '-newermt', '2000-01-01'], { encoding: 'utf8' })).toBe(before)
  })

  it('.remnants is a file keeps the store whole', async () => {
    const made = stage()
    put(join(made.dir, '.remnants'), 'not a folder')
    expect((await list.run(given(), made.host)).text).toBe('no remnants here')
    await expect(made.store.write(aRemnant())).rejects.toMatchObject({ fault: 'unwritable' })
    expect(readFileSync(join(made.dir, '.remnants'), 'utf8')).toBe('not a folder')
  })

  it('a folder of signatures is a link holds no signature, and a file in one that is none is named', async () => {
    const made = stage()
    const outside = elsewhere(made)
    put(join(outside, DIGEST, `${sha256('x')}.json`), 'x')
    mkdirSync(join(made.dir, '.remnants'))
    symlinkSync(outside, join(made.dir, '.remnants/sig'))
    expect(listSignatures(made.repository)).toEqual([])
    rmSync(join(made.dir, '.remnants/sig'))
    const name = sha256('{"schema":"git-remnant/signature/1"}')
    put(join(made.dir, '.remnants/sig', DIGEST, `${name}.json`), '{"schema":"git-remnant/signature/1"}')
    expect(await readSignatures(listSignatures(made.repository), made.repository, () => made.host.git())).toMatchObject([{ fault: expect.stringMatching(/^signature "[0-9a-f]{12}" lacks/) as string }])
  })

  const FILES = ['README.md', `../${DIGEST}.json`, 'ab/-rf.json', 'ab/$(touch owned).json', `ab/${DIGEST.slice(2)}.json`, `zz/${DIGEST}.json`, 'ab/.json', `${DIGEST.slice(0, 2)}/${DIGEST.toUpperCase()}.json`, 'sig/x/y.json', 'tombstones/x.json']
  it.each(FILES)('.remnants/%s lies holds no remnant by that', async (path) => {
    const made = stage()
    put(join(made.dir, '.remnants', path), BYTES)
    expect((await list.run(given(), made.host)).data).toEqual({ remnants: [], broken: [] })
    expect(existsSync(join(made.dir, 'owned'))).toBe(false)
  })
})

describe('a ref under refs/remnants that', () => {
  const made = stage()
  const head = made.git('rev-parse', 'HEAD').trim()
  const NAMES = ['main', 'HEAD', '-rf', '--upload-pack=x', `${DIGEST.toUpperCase()}`, DIGEST.slice(0, 63), `${DIGEST}0`, `x/${DIGEST}`, `sig/${DIGEST}`, `sig/x/${DIGEST}`, `sig/${DIGEST}/x`, `tombstones/${DIGEST}`, '@', '$(reboot)', 'é', '\u202egnp.exe']
  it.each(NAMES)('is called %s is no remnant', async (name) => {
    gitIn(made.dir, 'update-ref', `refs/remnants/${name}`, head)
    onTestFinished(() => void gitIn(made.dir, 'update-ref', '-d', `refs/remnants/${name}`))
    expect((await list.run(given(), made.host)).data).toEqual({ remnants: [], broken: [] })
    expect(listSignatures(made.repository)).toEqual([])
  })

  it('names a branch of the user\'s is refused, and the branch stays as it is', async () => {
    const own = stage()
    gitIn(own.dir, 'update-ref', `refs/remnants/${DIGEST}`, 'HEAD')
    expect((await list.run(given(), own.host)).data).toMatchObject({ remnants: [], broken: [{ digest: DIGEST, fault: expect.stringMatching(/missing or damaged/) as string }] })
    await expect(own.store.write(aRemnant())).rejects.toMatchObject({ fault: 'corrupt' })
    expect((await checkout.run(given(), own.host)).data).toMatchObject({ restored: 0 })
  })

  it('names a tree with a path that leads out is read at its one place alone', async () => {
    const own = stage()
    const git = (input: string, ...args: string[]): string => execFileSync('git', args, { cwd: own.dir, env: ENV as NodeJS.ProcessEnv, input, encoding: 'utf8' }).trim()
    const blob = git('owned', 'hash-object', '-w', '--stdin')
    // mktree refuses "..", so the tree is written as it is.
    const tree = execFileSync('git', ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], {
      cwd: own.dir, env: ENV as NodeJS.ProcessEnv, encoding: 'utf8', input: Buffer.concat([Buffer.from('100644 ../../owned\0'), Buffer.from(blob, 'hex')]),
    }).trim()
    gitIn(own.dir, 'update-ref', `refs/remnants/${DIGEST}`, git('x', 'commit-tree', tree))
    expect((await checkout.run(given(), own.host)).data).toMatchObject({ restored: 0 })
    expect(existsSync(join(own.base, 'owned'))).toBe(false)
  })
})

describe('a name that is typed', () => {
  const made = stage()
  const VERBS: readonly (readonly [string, (name: string) => ReturnType<Command['run']>])[] = [
    ['show', (name) => show.run(given({ DIGEST: name }), made.host)],
    ['log', (name) => log.run(given({ DIGEST: name }), made.host)],
    ['why', (name) => why.run(given({ claim: name }), made.host)],
    ['allow', (name) => allow.run(given({ what: name, yes: true }), made.host)],
  ]
  const NAMES = ['--help', '-rf', '../../etc/passwd', '/etc/passwd', 'refs/heads/main', 'refs/remnants/../heads/main', 'HEAD', '$(touch owned)', 'zzzz', '\u001b]0;x\u0007', '\u202eabcd']
  it.each(VERBS.flatMap(([verb, run]) => NAMES.map((name) => [verb, name, run] as const)))('to %s as %j is refused, and shown as it is nowhere', async (_, name, run) => {
    const ended = await run(name).then((answer) => ({ fault: null, text: answer.text ?? '', status: answer.status }), (thrown: { fault: string; message: string }) => ({ fault: thrown.fault, text: thrown.message, status: 64 }))
    expect(ended.fault).toMatch(/^(?:misuse|malformed)$/)
    expect(ended.text).not.toMatch(/[\u0000-\u0009\u001b\u202e]/)
  })

  it('is never one of two remnants that are alike in their first 12 digits', async () => {
    const [one, two] = ['1', '2'].map((last) => `${'ab'.repeat(6)}${'0'.repeat(51)}${last}`)
    const twins = [held([gate(['npm', 'test'], ['tool:npm'])]), held([gate(['npm', 'test'], ['tool:npm'])], { session: 'other' })]
    const host = hostOf({ stored: twins.map((each, i) => ({ ...each, digest: [one, two][i] as string })) })
    for (const run of [show.run(given({ DIGEST: 'ab'.repeat(6) }), host), why.run(given({ claim: 'ab'.repeat(6) }), host), allow.run(given({ what: 'ab'.repeat(6), yes: true }), host)])
      await expect(run).rejects.toMatchObject({ fault: 'misuse', hint: expect.stringMatching(/more digits/) as string })
  })
})
