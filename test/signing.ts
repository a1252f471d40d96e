import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openProcesses } from '../src/host/processes.ts'
import { type Remnant, encodeRemnant } from '../src/model/remnant.ts'
import { signatureOf } from '../src/model/signature.ts'
import { type PublicKey, fingerprintOfKey, publicKeyIn } from '../src/model/signer.ts'
import { type SignatureName, keepSignature } from '../src/store/signing/signatures.ts'
import { type Clone } from './clone.ts'
import { QUICK, type Stage, type StageOptions, stage } from './stage.ts'

/** Signing needs OpenSSH. */
export const CAN_SIGN = spawnSync('ssh-keygen', ['-?']).error === undefined

/** A key pair in a folder of its own. */
export interface KeyPair {
  readonly path: string
  readonly publicPath: string
  /** `TYPE BASE64 COMMENT` */
  readonly text: string
  readonly key: PublicKey
  readonly fingerprint: string
}

export function keyPair(type = 'ed25519', comment = 'a@example.com'): KeyPair {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', type, ...(type === 'rsa' ? ['-b', '2048'] : []), '-N', '', '-C', comment, '-f', path])
  const text = readFileSync(`${path}.pub`, 'utf8').trim()
  const key = publicKeyIn(text) as PublicKey
  return { path, publicPath: `${path}.pub`, text, key, fingerprint: fingerprintOfKey(key) }
}

/** A well-formed public key that nobody has, for what never asks `ssh-keygen`. */
export const madeUpKey = (n: number): PublicKey => {
  const blob = sshStrings('ssh-ed25519', Buffer.alloc(32, n)).toString('base64')
  return { type: 'ssh-ed25519', blob }
}

/** A well-formed signature of a remnant, by a key and with a content that nobody made. */
export function madeUpSignature(remnant: string, n: number): SignatureName & { readonly bytes: Uint8Array } {
  const blob = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), sshStrings(Buffer.from(madeUpKey(n).blob, 'base64'), 'git-remnant', '', 'sha512', Buffer.alloc(64, n))])
  const { digest, bytes } = signatureOf(remnant, `-----BEGIN SSH SIGNATURE-----\n${blob.toString('base64').replace(/.{1,70}/g, '$&\n')}-----END SSH SIGNATURE-----\n`)
  return { digest, remnant, bytes }
}

const sshStrings = (...parts: readonly (string | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.flatMap((part) => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, Buffer.from(part as string)]
    }),
  )

/** What `ssh-keygen` makes of these bytes with this key. */
export function armored(bytes: Uint8Array, { path }: KeyPair, namespace = 'git-remnant'): string {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-armor-'))
  try {
    writeFileSync(join(folder, 'bytes'), bytes)
    execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-n', namespace, '-f', path, join(folder, 'bytes')], { stdio: 'ignore' })
    return readFileSync(join(folder, 'bytes.sig'), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A repository whose verbs may start programs. */
export const signingStage = (options: StageOptions = {}): Stage => {
  const made = stage(options)
  return { ...made, host: { ...made.host, processes: openProcesses(), ...options.host } }
}

/** As if somebody else had sealed it, and it had been fetched. */
export async function fetched({ store, files, repository }: Stage, remnant: Remnant): Promise<string> {
  const { digest } = await store.write(remnant)
  disown({ files, repository }, digest)
  return digest
}

export function disown({ files, repository }: Pick<Stage, 'files' | 'repository'>, digest: string): void {
  const path = join(repository.commonDir, 'remnant', 'own')
  const lines = Buffer.from(files.read(path) ?? []).toString('latin1').split('\n').filter((line) => line !== '' && line.replace('?', '') !== digest)
  files.write(path, lines.map((line) => `${line}\n`).join(''))
}

/** A signature of a remnant, brought in as a fetch would. */
export async function signedBy(made: Stage, remnant: Remnant, pair: KeyPair): Promise<string> {
  const { digest: of, bytes: text } = encodeRemnant(remnant)
  const { digest, bytes } = signatureOf(of, armored(text, pair))
  const git = () => made.host.git()
  await keepSignature({ digest, remnant: of }, bytes, { repository: made.repository, git, files: made.files, disk: QUICK })
  return digest
}

export const signsWith = ({ git }: Pick<Clone, 'git'>, { publicPath }: KeyPair): void => {
  git('config', 'user.signingKey', publicPath)
  git('config', 'gpg.format', 'ssh')
}
