import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import { plainText } from '../../model/plain.ts'
import { NAMESPACE } from '../../model/signature.ts'
import { ANYONE, type PublicKey, type Signer, lineFor, publicKeyIn } from '../../model/signer.ts'
import type { Files } from '../files.ts'
import { type Env, type Git, withoutGit } from '../git.ts'
import type { Processes } from '../processes.ts'

/** What the user's git is told about SSH signatures (git-config, `gpg.ssh.*` and `user.signingKey`). */
export interface SshSettings {
  readonly program: string
  /** A file, or `key::` and the key itself; null: none is named. */
  readonly signingKey: string | null
  readonly defaultKeyCommand: string | null
  readonly allowedSignersFile: string | null
  readonly revocationFile: string | null
  /** Git signs what it makes with SSH, without being asked each time. */
  readonly signsByItself: boolean
}

export async function sshSettings(git: Git): Promise<SshSettings> {
  const { stdout } = await git.try(['config', '-z', '--get-regexp', '^(gpg\\.format|gpg\\.ssh\\.(program|defaultkeycommand)|user\\.signingkey|commit\\.gpgsign)$'])
  const paths = await git.try(['config', '-z', '--type=path', '--get-regexp', '^(gpg\\.ssh\\.(allowedsignersfile|revocationfile)|user\\.signingkey)$'])
  const set = valuesIn(stdout)
  const files = valuesIn(paths.stdout)
  const typed = set.get('user.signingkey') ?? ''
  const literal = typed.startsWith('key::') || typed.startsWith('ssh-')
  return {
    program: set.get('gpg.ssh.program') || 'ssh-keygen',
    signingKey: (literal ? typed : files.get('user.signingkey')) || null,
    defaultKeyCommand: set.get('gpg.ssh.defaultkeycommand') || null,
    allowedSignersFile: files.get('gpg.ssh.allowedsignersfile') || null,
    revocationFile: files.get('gpg.ssh.revocationfile') || null,
    signsByItself: set.get('gpg.format') === 'ssh' && /^(?:true|yes|on|1)$/i.test(set.get('commit.gpgsign') ?? ''),
  }
}

/** The programs around SSH signatures. */
export interface Ssh {
  /** The armored signature of these bytes. Throws `missing` where the program or the key is not there, or would not sign. */
  sign(bytes: Uint8Array): Promise<string>
  /** The key that would sign, as far as that can be told without signing; null: it can't. */
  publicKey(): Promise<PublicKey | null>
  /** Whether this is a signature of these bytes at all, by whomever. Throws `missing` without the program. */
  fits(bytes: Uint8Array, armored: string): Promise<boolean>
  /** Whether this signature of these bytes is good by one of these lines, now. Throws `missing` without the program. */
  verify(bytes: Uint8Array, armored: string, lines: readonly Signer[]): Promise<boolean>
}

interface Outside {
  readonly env: Env
  readonly files: Files
  readonly processes: Processes
  readonly interactive: boolean
}

/** `home`: a folder to start programs in. Keys stay where they are: only their paths and public halves are handed on. */
export function openSsh(settings: SshSettings, home: string, outside: Outside): Ssh {
  const { program } = settings
  const quiet = { ...withoutGit(outside.env), LC_ALL: 'C', SSH_ASKPASS_REQUIRE: 'never' }
  const collect = async (argv: readonly string[], input?: Uint8Array) => {
    const ended = await outside.processes.collect(argv, { cwd: home, env: quiet, timeout: LIMIT_MS, limit: 64 * 1024, ...(input !== undefined && { input }) })
    if (ended.status === 127 || ended.status === 126) throw new RemnantError('missing', `no program "${plainText(argv[0] ?? '', 80)}" to be started`, { hint: 'install OpenSSH 8.2 or newer' })
    return ended
  }
  return {
    sign: (bytes) =>
      inFolder(async (folder) => {
        const key = await keyFile(settings, folder, outside.files, async (argv) => (await collect(argv)).stdout)
        const file = join(folder, 'remnant.json')
        outside.files.write(file, bytes)
        const argv = [program, '-Y', 'sign', '-n', NAMESPACE, '-f', key.path, ...(key.literal ? ['-U'] : []), file]
        // A person may have to touch a key, or to type a passphrase on the terminal that only our own session has.
        const ended = outside.interactive ? await outside.processes.through(argv, { cwd: home, env: withoutGit(outside.env), limit: 4096, aside: true }) : await collect(argv)
        const signature = ended.status === 0 ? outside.files.read(`${file}.sig`) : null
        if (signature === null)
          throw new RemnantError('missing', `"${plainText(program, 80)}" did not sign: ${plainText(lastLine(ended.output), 200)}`, { hint: 'git commit -S with gpg.format=ssh shows whether git can sign' })
        return Buffer.from(signature).toString('latin1')
      }),
    publicKey: () =>
      inFolder(async (folder) => {
        try {
          const { path } = await keyFile(settings, folder, outside.files, async (argv) => (await collect(argv)).stdout)
          const text = outside.files.read(path.endsWith('.pub') ? path : `${path}.pub`) ?? outside.files.read(path)
          return publicKeyIn(Buffer.from(text ?? []).toString('utf8'))
        } catch (thrown) {
          if (thrown instanceof RemnantError) return null
          throw thrown
        }
      }),
    fits: (bytes, armored) =>
      inFolder(async (folder) => {
        const signature = join(folder, 'signature')
        outside.files.write(signature, armored)
        return (await collect([program, '-Y', 'check-novalidate', '-n', NAMESPACE, '-s', signature], bytes)).status === 0
      }),
    verify: (bytes, armored, lines) =>
      inFolder(async (folder) => {
        const [signers, signature] = [join(folder, 'signers'), join(folder, 'signature')]
        outside.files.write(signers, lines.map((line) => `${lineFor(line)}\n`).join(''))
        outside.files.write(signature, armored)
        const revoked = settings.revocationFile === null ? [] : ['-r', settings.revocationFile]
        return (await collect([program, '-Y', 'verify', '-f', signers, '-I', ANYONE, '-n', NAMESPACE, '-s', signature, ...revoked], bytes)).status === 0
      }),
  }
}

const LIMIT_MS = 20_000

/** The file to sign with: git's own setting, else the first key that its command names. */
async function keyFile(settings: SshSettings, folder: string, files: Files, ask: (argv: readonly string[]) => Promise<string>): Promise<{ path: string; literal: boolean }> {
  const { signingKey, defaultKeyCommand } = settings
  if (signingKey !== null && publicKeyIn(signingKey) === null) {
    if (/^(?:key::|ssh-)/.test(signingKey)) throw noKey('"user.signingKey" holds no public key')
    if (files.stat(signingKey)?.kind !== 'file') throw noKey('"user.signingKey" names a file that is not there')
    return { path: signingKey, literal: false }
  }
  const argv = defaultKeyCommand === null ? null : wordsOf(defaultKeyCommand)
  if (signingKey === null && argv === null) throw noKey(defaultKeyCommand === null ? 'git has no signing key' : '"gpg.ssh.defaultKeyCommand" is more than a program and plain words')
  const text = signingKey ?? (await ask(argv as readonly string[])).split('\n')[0] ?? ''
  const key = publicKeyIn(text)
  if (key === null) throw noKey('"gpg.ssh.defaultKeyCommand" named no public key')
  const path = join(folder, 'key.pub')
  files.write(path, `${key.type} ${key.blob}\n`)
  return { path, literal: true }
}

const noKey = (message: string): RemnantError => new RemnantError('missing', message, { hint: 'git config user.signingKey ~/.ssh/id_ed25519.pub' })

/** A program and plain words; what would need a shell is not guessed at. */
const wordsOf = (command: string): readonly string[] | null => (/^[\w./~@:=+,-]+(?: +[\w./~@:=+,-]+)*$/.test(command) ? command.split(/ +/) : null)

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-sign-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `name\nvalue\0`: the last of each name counts. */
function valuesIn(bytes: Uint8Array): Map<string, string> {
  const found = new Map<string, string>()
  for (const entry of Buffer.from(bytes).toString('utf8').split('\0')) {
    const at = entry.indexOf('\n')
    if (at > 0) found.set(entry.slice(0, at).toLowerCase(), entry.slice(at + 1))
  }
  return found
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1) || 'it did not say why'
