import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'
import { CAN_SIGN, keyPair, signsWith } from '../signing.ts'

const data = <T = Record<string, unknown>>(text: string): T => JSON.parse(text) as T
const ranks = ({ remnant }: Clone): string[] => data<{ remnants: { rank: string }[] }>(remnant('list', '--json').stdout).remnants.map(({ rank }) => rank)

/** Two people and one bare remote, each with a clone of it. */
function team(): { ann: Clone; ben: Clone; remote: string } {
  const ann = clone()
  const remote = join(ann.base, 'remote.git')
  ann.git('clone', '-q', '--bare', ann.dir, remote)
  ann.git('remote', 'add', 'origin', remote)
  const ben = clone()
  ben.git('remote', 'add', 'origin', remote)
  ben.git('fetch', '-q', 'origin')
  ben.git('reset', '-q', '--hard', 'origin/main')
  for (const each of [ann, ben]) expect(each.remnant('init', '--share', 'origin').status).toBe(0)
  return { ann, ben, remote }
}

// Needs OpenSSH's ssh-keygen.
describe.skipIf(!CAN_SIGN)('what a colleague signed', () => {
  it('is reported, then a fact once her key is accepted, and reported again once it is denied', () => {
    const { ann, ben } = team()
    const pair = keyPair('ed25519', 'ann@example.com')
    work(ann)
    expect(ann.remnant('teardown').status).toBe(0)
    const [digest = ''] = remnantsOf(ann)

    expect(ann.remnant('sign')).toMatchObject({ status: 69, stderr: expect.stringContaining('git has no signing key') as string })
    signsWith(ann, pair)
    expect(ann.remnant('sign')).toMatchObject({ status: 0, stdout: `signed  ${digest.slice(0, 12)}\n` })
    expect(ann.remnant('sign').stdout).toBe('1 signed by this key before\n')
    expect(ann.remnant('push').status).toBe(0)

    const fetched = ben.remnant('fetch')
    expect([fetched.status, fetched.stdout]).toEqual([0, expect.stringMatching(/^fetched 1 remnant from origin; 1 signature\n1 signed by (SHA256:[\w+/]+), which is not accepted here: git remnant allow \1, once you know whose it is\n$/)])
    expect(ranks(ben)).toEqual(['reported'])
    expect(ben.remnant('brief').stdout).toContain('Reported, unsigned: ')

    expect(ben.remnant('allow', pair.fingerprint)).toMatchObject({ status: 77 })
    expect(ranks(ben)).toEqual(['reported'])
    const allowed = ben.remnant('allow', '--yes', pair.fingerprint)
    expect([allowed.status, allowed.stdout]).toEqual([0, expect.stringContaining('accepted this signer; 1 remnant here is signed by an accepted key')])
    expect(ranks(ben)).toEqual(['signed'])
    expect(ben.remnant('brief').stdout).toContain('Signed: ')
    expect(ben.remnant('show', digest).stdout).toContain(`signed by  unnamed ${pair.fingerprint}`)
    expect(ben.remnant('doctor').stdout).toMatch(/ok {2}ranks: 1 signed\nok {2}signers: 1 accepted; 1 signature: none by an accepted key is left to check/)
    expect(ben.remnant('verify').status).toBe(0)

    expect(ben.remnant('deny', pair.fingerprint).status).toBe(0)
    expect(ranks(ben)).toEqual(['reported'])
  })

  it('is signed by the push itself where git signs commits so', () => {
    const { ann, ben } = team()
    const pair = keyPair()
    signsWith(ann, pair)
    ann.git('config', 'commit.gpgSign', 'true')
    work(ann)
    ann.remnant('teardown')
    expect(ann.remnant('push').status).toBe(0)
    ben.git('config', 'gpg.ssh.allowedSignersFile', '~/signers')
    writeFileSync(join(ben.base, 'home/signers'), `ann@example.com,a@b ${pair.key.type} ${pair.key.blob}\nbob namespaces="git" ${pair.key.type} ${pair.key.blob}\n`)
    expect(ben.remnant('fetch').status).toBe(0)
    expect(ranks(ben)).toEqual(['reported'])
    expect(ben.remnant('allow', '--yes', 'bob')).toMatchObject({ status: 77 })
    expect(ben.remnant('allow', '--yes', 'nobody@example.com')).toMatchObject({ status: 64 })
    expect(ben.remnant('allow', '--yes', 'ann@example.com').status).toBe(0)
    expect(ranks(ben)).toEqual(['signed'])
  })

  it('is a gate that a pipeline runs by the base branch\'s file of signers, and not without', () => {
    const { ann, ben } = team()
    const pair = keyPair()
    signsWith(ann, pair)
    ann.write('check.test.mjs', 'import { test } from "node:test"\ntest("holds", () => {})\n')
    ann.write('package.json', '{ "name": "p", "version": "1.0.0", "scripts": { "test": "node --test" } }\n')
    ann.git('add', '.')
    ann.git('commit', '-qm', 'a test')
    expect(ann.remnant('run', '--', 'npm', 'test').status).toBe(0)
    ann.remnant('teardown')
    ann.remnant('sign')
    ann.remnant('push')
    ann.git('push', '-q', 'origin', 'main')
    ben.git('pull', '-q', 'origin', 'main')
    ben.remnant('fetch')
    expect(ben.remnant('gate', '--ci').status).toBe(77)
    const file = ben.write('../signers', `ann@example.com ${pair.key.type} ${pair.key.blob}\n`)
    const stranger = ben.write('../strangers', `x@example.com ${keyPair().text}\n`)
    expect(ben.remnant('gate', '--ci', '--accept-signers', stranger).status).toBe(77)
    const ran = ben.remnant('gate', '--ci', '--accept-signers', file, '--json')
    expect([ran.status, data<{ counts: { green: number } }>(ran.stdout).counts.green]).toEqual([0, 1])
    expect(ranks(ben)).toEqual(['reported'])
    expect(ben.remnant('gate', '--accept-signers', '--upload-pack=x:y').status).toBe(64)
  })
})

describe('what a stranger sealed', () => {
  const STRACE = spawnSync('strace', ['-V']).error === undefined

  /** Ann's claims name programs that tell where they were started. Ben has them all on his PATH. */
  function trap(): { ben: Clone; told: () => string } {
    const { ann, ben } = team()
    const log = join(ben.base, 'told')
    const tell = `#!/bin/sh\necho "$0 $*" >> '${log}'\necho 1.2.3\n`
    for (const name of ['evil-tool', 'evil-gate', 'evil-interface']) {
      writeFileSync(join(ben.base, 'bin', name), tell)
      chmodSync(join(ben.base, 'bin', name), 0o755)
      writeFileSync(join(ann.base, 'bin', name), '#!/bin/sh\necho 1.2.3\n')
      chmodSync(join(ann.base, 'bin', name), 0o755)
    }
    ann.write('evil.sh', `${tell}`, 0o755)
    ann.write('.remnants/config.json', JSON.stringify({ schema: 'git-remnant/config/1', interfaces: { db: { command: ['evil-interface'] } }, gate: { setup: [['evil-gate']] }, guard: 'off' }))
    ann.git('add', '-f', '.')
    ann.git('commit', '-qm', 'a trap')
    ann.git('push', '-q', 'origin', 'main')
    for (const argv of [['evil-tool', 'test'], ['sh', 'evil.sh'], ['evil-gate', '--check']]) ann.remnant('run', '--', ...argv)
    expect(ann.remnant('teardown').status).toBe(0)
    expect(ann.remnant('push').status).toBe(0)
    ben.git('fetch', '-q', 'origin')
    return { ben, told: () => (existsSync(log) ? readFileSync(log, 'utf8') : '') }
  }

  // Strace sees every program that is started; without it those that are named tell by themselves.
  it('starts none of the programs that it names, by whatever verb; nor do git checkout and git merge', () => {
    const { ben, told } = trap()
    const started = new Set<string>()
    const watched = (argv: readonly string[]): void => {
      const out = join(ben.base, 'trace')
      ben.run(STRACE ? ['strace', '-f', '-qq', '-s', '300', '-e', 'trace=execve', '-o', out, ...argv] : argv)
      if (STRACE) for (const [, path = ''] of readFileSync(out, 'utf8').matchAll(/execve\("([^"]+)".*\) = 0$/gm)) started.add(path.split('/').at(-1) as string)
    }
    watched(['git-remnant', 'fetch'])
    const [digest = ''] = remnantsOf(ben)
    expect([digest.length, ranks(ben)]).toEqual([64, ['reported']])
    watched(['git', 'merge', '-q', '--ff-only', 'origin/main'])
    watched(['git', 'checkout', '-q', '-b', 'other'])
    for (const verb of [['resolve'], ['brief'], ['show', digest], ['why', digest], ['checkout'], ['reprobe'], ['gate']]) watched(['git-remnant', ...verb])
    expect(told()).toBe('')
    const known = /^(?:node|env|git|git-remnant|git-[a-z-]+|ssh-keygen|sh|dash|getconf|ldd|uname|sed|cat|pre-push|post-commit|post-merge)$/
    expect([...started].filter((name) => !known.test(name))).toEqual([])
    expect(started.has('git')).toBe(STRACE)
  })
})
