import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { HAS_SSHD, type Serving, serveHttp, serveSsh } from '../servers.ts'
import { type Sharer, bareIn, refsIn, sharer } from '../sharing.ts'
import { type Stage, gitIn, stage } from '../stage.ts'

const CLONES = 20
const BOTH = aRemnant(['make everywhere'])

/** A bare repository that notes what each ref that is changed was before. */
function watched(base: string, name: string): { dir: string; before: () => string[] } {
  const dir = bareIn(base, name)
  const notes = join(dir, 'notes')
  writeFileSync(notes, '')
  writeFileSync(join(dir, 'hooks/pre-receive'), `#!/bin/sh\nwhile read -r before _; do echo "$before"; done >>'${notes}'\n`)
  chmodSync(join(dir, 'hooks/pre-receive'), 0o755)
  gitIn(dir, 'config', 'http.receivepack', 'true')
  return { dir, before: () => readFileSync(notes, 'utf8').split('\n').filter((line) => line !== '') }
}

/** Written by hand: for twenty clones that is quicker than git. */
function pointTo({ repository }: Sharer, url: string, settings: Serving['settings']): void {
  const path = join(repository.commonDir, 'config')
  const [own] = readFileSync(path, 'utf8').split('[remote')
  const more = settings.map(([name, value]) => `[${name.split('.')[0]}]\n\t${name.split('.')[1]} = ${JSON.stringify(value)}\n`)
  writeFileSync(path, `${own}[remote "origin"]\n\turl = ${url}\n${more.join('')}`)
}

describe('twenty clones that write and push at once to one remote', () => {
  let base: Stage
  let clones: Sharer[]
  beforeAll(() => {
    base = stage()
    const first = sharer('unset')
    clones = [first, ...Array.from({ length: CLONES - 1 }, () => sharer('unset', { copied: first }))]
  })
  afterAll(() => [base, ...clones].forEach((one) => one.dispose()))

  const transports: [string, boolean, ((root: string) => Promise<Serving>) | null][] = [
    ['a file path', true, null],
    ['smart HTTP', true, serveHttp],
    // A machine without an SSH server says so here.
    ['SSH', HAS_SSHD, serveSsh],
  ]
  for (const [how, can, serve] of transports)
    it.skipIf(!can)(`all end with the union, nothing lost and nothing forced, over ${how}`, { timeout: 120_000 }, async () => {
      const name = `${how.replaceAll(' ', '-')}.git`
      const { dir, before } = watched(base.base, name)
      const serving = await serve?.(base.base)
      try {
        for (const each of clones) pointTo(each, serving?.url(name) ?? dir, serving?.settings ?? [])
        const digests = [digestOfRemnant(BOTH)]
        const pushed = await Promise.all(
          clones.map(async (each, i) => {
            digests.push((await each.store.write(aRemnant([`make clone${i} ${how}`]))).digest)
            await each.store.write(BOTH)
            return each.push()
          }),
        )
        for (const answer of pushed) expect(answer).toMatchObject({ data: { refused: [] }, status: 0 })
        const union = refsIn(dir)
        expect(union).toEqual(expect.arrayContaining(digests.map((digest) => `refs/remnants/${digest}`)))
        expect(before().length).toBeGreaterThanOrEqual(union.length)
        expect(before().every((oid) => /^0+$/.test(oid))).toBe(true)
        const fetched = await Promise.all(clones.map((each) => each.fetch()))
        for (const answer of fetched) expect(answer.data).toMatchObject({ rejected: [] })
        for (const each of clones) expect(each.refs()).toEqual(union)
      } finally {
        await serving?.close()
      }
    })
})

describe('two clones and the hooks', () => {
  /** Two clones of one remote, the second with a sealed remnant less. */
  function two(): { first: Clone; second: Clone; remote: string } {
    const [first, second] = [clone(), clone()]
    const remote = join(first.base, 'remote.git')
    first.git('init', '-q', '--bare', remote)
    for (const each of [first, second]) {
      each.git('remote', 'add', 'origin', remote)
      expect(each.remnant('init', '--share', 'origin').status).toBe(0)
    }
    first.git('push', '-q', 'origin', 'main')
    second.git('fetch', '-q', 'origin')
    second.git('reset', '-q', '--hard', 'origin/main')
    return { first, second, remote }
  }

  const arrived = async (one: Clone, remote: string, count: number): Promise<string[]> => {
    for (let tries = 0; tries < 200; tries++) {
      const refs = one.run(['git', 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/remnants'], { cwd: remote }).stdout.split('\n').filter((name) => name !== '')
      if (refs.length >= count) return refs
      await wait(50)
    }
    return []
  }

  const committed = ({ git, write }: Clone, text: string): void => {
    write('notes.txt', text)
    git('add', '.')
    git('commit', '-qm', text)
  }

  it('send what is due behind a push of git, name it the first time, and bring it to the other clone', async () => {
    const { first, second, remote } = two()
    work(first)
    committed(first, 'one')
    const [digest = ''] = remnantsOf(first)
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    const pushed = first.run(['git', 'push', '-q', 'origin', 'main'])
    expect(pushed).toEqual({ status: 0, stdout: '', stderr: `git-remnant: for the first time 1 remnant will go to origin, once this push has succeeded: ${digest.slice(0, 12)}\n` })
    expect(await arrived(first, remote, 1)).toEqual([digest])
    expect(second.remnant('fetch').stdout).toBe('fetched 1 remnant from origin\n')
    expect(second.remnant('list').stdout).toMatch(new RegExp(`^${digest.slice(0, 12)} .*reported`))

    work(second, '1+1')
    second.git('pull', '-q', '--rebase', 'origin', 'main')
    committed(second, 'two')
    expect(second.run(['git', 'push', '-q', 'origin', 'main']).status).toBe(0)
    expect(await arrived(first, remote, 2)).toHaveLength(2)
    expect(first.remnant('fetch').stdout).toBe('fetched 1 remnant from origin; 1 was here\n')
    expect(remnantsOf(first)).toEqual(remnantsOf(second))
    committed(second, 'three')
    expect(second.run(['git', 'push', '-q', 'origin', 'main'])).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('send nothing behind a push that only pretends, is refused, goes elsewhere, or is told not to', async () => {
    const { first, remote } = two()
    const elsewhere = join(first.base, 'elsewhere.git')
    first.git('init', '-q', '--bare', elsewhere)
    first.git('remote', 'add', 'elsewhere', elsewhere)
    work(first)
    committed(first, 'one')
    expect(remnantsOf(first)).toHaveLength(1)
    writeFileSync(join(remote, 'hooks/update'), '#!/bin/sh\ncase $1 in refs/heads/closed) exit 1 ;; esac\n', { mode: 0o755 })
    expect(first.run(['git', 'push', '--dry-run', '-q', 'origin', 'main']).status).toBe(0)
    expect(first.run(['git', 'push', '-q', 'origin', 'main:closed']).status).toBe(1)
    expect(first.run(['git', 'push', '-q', 'elsewhere', 'main']).status).toBe(0)
    expect(first.run(['git', 'push', '-q', '--no-verify', 'origin', 'main:a']).status).toBe(0)
    expect(first.run(['git', 'push', '-q', 'origin', 'main:b'], { env: { REMNANT: '0' } }).status).toBe(0)
    await wait(2500)
    expect(first.run(['git', 'for-each-ref', 'refs/remnants'], { cwd: remote }).stdout).toBe('')
    expect(first.run(['git', 'for-each-ref', 'refs/remnants'], { cwd: elsewhere }).stdout).toBe('')
    expect(first.remnant('push').stdout).toContain('sent 1 remnant to origin')
  })

  it('tell at the next time what a remote refused in the background', async () => {
    const { first, remote } = two()
    work(first)
    committed(first, 'one')
    const [digest = ''] = remnantsOf(first)
    const theirs = first.run(['git', 'commit-tree', '-m', 'x', first.git('rev-parse', 'HEAD^{tree}')]).stdout.trim()
    first.git('push', '-q', '--no-verify', 'origin', `${theirs}:refs/remnants/${digest}`)
    first.git('push', '-q', 'origin', 'main')
    const unread = join(first.dir, '.git/remnant/sharing/unread')
    for (let tries = 0; tries < 200 && first.read('.git/remnant/sharing/unread') === null; tries++) await wait(50)
    expect(readFileSync(unread, 'utf8')).toBe(`origin has another object as refs/remnants/${digest}; it was not changed\n`)
    committed(first, 'two')
    expect(first.run(['git', 'push', '-q', 'origin', 'main']).stderr).toContain(`git-remnant: origin has another object as refs/remnants/${digest}; it was not changed\n`)
    expect(first.run(['git', 'rev-parse', `refs/remnants/${digest}`], { cwd: remote }).stdout.trim()).toBe(theirs)
  })
})
