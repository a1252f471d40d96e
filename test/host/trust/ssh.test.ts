import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Collected, Processes } from '../../../src/host/processes.ts'
import { openProcesses } from '../../../src/host/processes.ts'
import { type SshSettings, openSsh, sshSettings } from '../../../src/host/trust/ssh.ts'
import type { PublicKey, Signer } from '../../../src/model/signer.ts'
import { CAN_SIGN, armored, keyPair, madeUpKey } from '../../signing.ts'
import { ENV, stage } from '../../stage.ts'

const NONE: SshSettings = { program: 'ssh-keygen', signingKey: null, defaultKeyCommand: null, allowedSignersFile: null, revocationFile: null, signsByItself: false }
const KEY = madeUpKey(1)
const LITERAL = `${KEY.type} ${KEY.blob}`

describe("git's settings about SSH signatures", () => {
  it.each<[string, [string, string][], Partial<SshSettings>]>([
    ['are those of git where nothing is set', [], {}],
    ['name a program', [['gpg.ssh.program', '/opt/sign']], { program: '/opt/sign' }],
    ['name a file from the home folder', [['user.signingKey', '~/.ssh/id.pub']], { signingKey: join(ENV.HOME ?? homedir(), '.ssh/id.pub') }],
    ['name a file as it is', [['user.signingKey', '/keys/id']], { signingKey: '/keys/id' }],
    ['hold a key itself', [['user.signingKey', `key::${LITERAL}`]], { signingKey: `key::${LITERAL}` }],
    ['hold a key itself, as of old', [['user.signingKey', LITERAL]], { signingKey: LITERAL }],
    ['have the last of several', [['gpg.ssh.program', 'one'], ['gpg.ssh.program', 'two']], { program: 'two' }],
    ['take what is empty for unset', [['gpg.ssh.program', ''], ['user.signingKey', '']], {}],
    ['name files of signers and of revoked keys', [['gpg.ssh.allowedSignersFile', '/a/signers'], ['gpg.ssh.revocationFile', '/a/revoked']], { allowedSignersFile: '/a/signers', revocationFile: '/a/revoked' }],
    ['name a command that tells the key', [['gpg.ssh.defaultKeyCommand', 'ssh-add -L']], { defaultKeyCommand: 'ssh-add -L' }],
    ['sign by themselves', [['gpg.format', 'ssh'], ['commit.gpgSign', 'yes']], { signsByItself: true }],
    ['sign not by themselves with another format', [['gpg.format', 'openpgp'], ['commit.gpgSign', 'true']], {}],
    ['sign not by themselves unless git was told so', [['gpg.format', 'ssh'], ['commit.gpgSign', 'false']], {}],
  ])('%s', async (_, settings, expected) => {
    const made = stage()
    for (const [name, value] of settings) made.git('config', '--add', name, value)
    expect(await sshSettings(await made.host.git())).toEqual({ ...NONE, ...expected })
  })
})

const ENDED: Collected = { status: 0, signal: null, timedOut: false, output: '', stdout: '', cut: false }

/** Programs that answer what a test says, and what they were started with. */
function faked(answer: (argv: readonly string[]) => Partial<Collected> = () => ({})) {
  const started: { argv: readonly string[]; env: Readonly<Record<string, string | undefined>>; input: Uint8Array | undefined; files: Record<string, string> }[] = []
  const note = (argv: readonly string[], env: Readonly<Record<string, string | undefined>>, input?: Uint8Array): Collected => {
    const files = Object.fromEntries(argv.filter((word) => word.startsWith(join(tmpdir(), 'remnant-sign-'))).filter((path) => existsSync(path)).map((path) => [basename(path), readFileSync(path, 'utf8')]))
    started.push({ argv, env, input, files })
    return { ...ENDED, ...answer(argv) }
  }
  const processes: Processes = { collect: async (argv, { env, input }) => note(argv, env, input), through: async (argv, { env }) => note(argv, env) }
  return { started, processes }
}

const outside = (processes: Processes, more: { interactive?: boolean; env?: Record<string, string> } = {}) => ({ env: { ...ENV, ...more.env }, files: stage().files, processes, interactive: more.interactive ?? false })

describe('the programs around SSH signatures', () => {
  it.each<[string, Partial<SshSettings>, RegExp]>([
    ['no key', {}, /^git has no signing key$/],
    ['a file that is not there', { signingKey: '/nowhere/id.pub' }, /^"user.signingKey" names a file that is not there$/],
    ['a folder', { signingKey: '/' }, /^"user.signingKey" names a file that is not there$/],
    ['what is no key', { signingKey: 'key::nonsense' }, /^"user.signingKey" holds no public key$/],
    ['a command that needs a shell', { defaultKeyCommand: 'ssh-add -L | head -1' }, /^"gpg.ssh.defaultKeyCommand" is more than a program and plain words$/],
    ['a command that names no key', { defaultKeyCommand: 'ssh-add -L' }, /^"gpg.ssh.defaultKeyCommand" named no public key$/],
  ])('do not sign with %s', async (_, settings, message) => {
    const { processes } = faked()
    const ssh = openSsh({ ...NONE, ...settings }, '/', outside(processes))
    await expect(ssh.sign(Buffer.from('x'))).rejects.toMatchObject({ fault: 'missing', message: expect.stringMatching(message) })
    expect(await ssh.publicKey()).toBeNull()
  })

  it.each<[string, Partial<SshSettings>]>([
    ['a literal', { signingKey: `key::${LITERAL} comment` }],
    ["git's command", { defaultKeyCommand: 'ssh-add -L' }],
  ])('sign by an agent with the key of %s', async (_, settings) => {
    const { started, processes } = faked((argv) => ({ stdout: argv[0] === 'ssh-add' ? `${LITERAL} comment\nssh-rsa other\n` : '', status: argv.includes('-Y') ? 255 : 0, output: 'first\nno agent\u001b[2J\n' }))
    const ssh = openSsh({ ...NONE, ...settings }, '/', outside(processes))
    await expect(ssh.sign(Buffer.from('some bytes'))).rejects.toMatchObject({ fault: 'missing', message: expect.stringMatching(/^"ssh-keygen" did not sign: no agent[^\u001b]*$/) })
    const { argv, files } = started.at(-1)!
    expect(argv.slice(0, 6)).toEqual(['ssh-keygen', '-Y', 'sign', '-n', 'git-remnant', '-f'])
    expect(argv.slice(7)).toEqual(['-U', join(dirname(argv[6] as string), 'remnant.json')])
    expect(files).toEqual({ 'key.pub': `${LITERAL}\n`, 'remnant.json': 'some bytes' })
    expect(existsSync(dirname(argv[6] as string))).toBe(false)
    expect(await ssh.publicKey()).toEqual(KEY)
  })

  it.each([126, 127])('say that the program is not there where it ends with %i', async (status) => {
    const { processes } = faked(() => ({ status }))
    const ssh = openSsh({ ...NONE, program: 'no-such' }, '/', outside(processes))
    const gone = { fault: 'missing', message: 'no program "no-such" to be started' }
    await expect(ssh.fits(Buffer.from('x'), '')).rejects.toMatchObject(gone)
    await expect(ssh.verify(Buffer.from('x'), '', [])).rejects.toMatchObject(gone)
  })

  it('are told of the lines under one name, of revoked keys, and of no GIT_ variable', async () => {
    const { started, processes } = faked()
    const signer: Signer = { principals: 'a@example.com', options: 'cert-authority', key: KEY }
    const ssh = openSsh({ ...NONE, revocationFile: '/a/revoked' }, '/', outside(processes, { env: { GIT_DIR: '/elsewhere', LC_ALL: 'de_DE' } }))
    expect(await ssh.verify(Buffer.from('some bytes'), 'armored', [signer])).toBe(true)
    const [{ argv, env, input, files }] = started as [(typeof started)[0]]
    expect(argv.filter((word) => !word.startsWith(tmpdir()))).toEqual(['ssh-keygen', '-Y', 'verify', '-f', '-I', 'signer', '-n', 'git-remnant', '-s', '-r', '/a/revoked'])
    expect(files).toEqual({ signers: `signer cert-authority ${LITERAL}\n`, signature: 'armored' })
    expect(Buffer.from(input as Uint8Array).toString()).toBe('some bytes')
    expect([env['GIT_DIR'], env['LC_ALL'], env['SSH_ASKPASS_REQUIRE']]).toEqual([undefined, 'C', 'never'])
  })

  it.each([[0, true], [1, false], [255, false], [124, false]])('ended with %i: %s', async (status, good) => {
    const ssh = openSsh(NONE, '/', outside(faked(() => ({ status })).processes))
    expect([await ssh.fits(Buffer.from('x'), 'a'), await ssh.verify(Buffer.from('x'), 'a', [])]).toEqual([good, good])
  })
})

// Needs OpenSSH's ssh-keygen.
describe.skipIf(!CAN_SIGN)('ssh-keygen itself', () => {
  const bytes = Buffer.from('what is signed')
  const line = (key: PublicKey, options = ''): Signer => ({ principals: 'a', options, key })

  it.each(['path', 'publicPath'] as const)('signs with a key by its %s, and what it signed fits those bytes and that key alone', async (which) => {
    const [pair, other] = [keyPair(), keyPair()]
    const ssh = openSsh({ ...NONE, signingKey: pair[which] }, '/', outside(openProcesses()))
    expect(await ssh.publicKey()).toEqual(pair.key)
    const signature = await ssh.sign(bytes)
    expect(signature).toMatch(/^-----BEGIN SSH SIGNATURE-----\n/)
    expect([await ssh.fits(bytes, signature), await ssh.fits(Buffer.from('other'), signature), await ssh.fits(bytes, 'nonsense')]).toEqual([true, false, false])
    const by = async (content: Uint8Array, lines: readonly Signer[]) => ssh.verify(content, signature, lines)
    expect([await by(bytes, [line(other.key), line(pair.key)]), await by(bytes, [line(other.key)]), await by(bytes, []), await by(Buffer.from('other'), [line(pair.key)]), await by(bytes, [line(pair.key, 'namespaces="git"')])]).toEqual([true, false, false, false, false])
  })

  it('takes no signature that was made for something else', async () => {
    const pair = keyPair()
    const ssh = openSsh(NONE, '/', outside(openProcesses()))
    const signature = armored(bytes, pair, 'git')
    expect([await ssh.fits(bytes, signature), await ssh.verify(bytes, signature, [line(pair.key)])]).toEqual([false, false])
  })
})
