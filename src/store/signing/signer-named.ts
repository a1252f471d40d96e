import { resolve } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import type { Files } from '../../host/files.ts'
import type { Git, Repository } from '../../host/git.ts'
import { configuredSigners, openSignerList } from '../../host/trust/signers.ts'
import { sshSettings } from '../../host/trust/ssh.ts'
import { plainText } from '../../model/plain.ts'
import { NAMESPACE } from '../../model/signature.ts'
import { type Signer, fingerprintOfKey, isForUs, publicKeyIn, signersIn } from '../../model/signer.ts'
import { listSignatures, readSignatures } from './signatures.ts'

/** What may be opened of a verb's outside. */
interface Place {
  readonly cwd: string
  readonly files: Files
  repository(): Promise<Repository>
  git(): Promise<Git>
}

/** Whether a name can only be a signer's: neither a digest nor the configuration. */
export const isSignerName = (name: string): boolean => name !== 'config' && !/^[0-9a-f]+$/.test(name)

/**
 * The signers that a name stands for: a public key itself or a file of one, `SHA256:…`, or a name in the user's own file of allowed
 * signers (`gpg.ssh.allowedSignersFile`), in the one that the configuration names, or in this clone's list. Each with the bounds
 * that the file gives it. Throws `misuse` where there is none, `refused` where its file lets it sign no remnants.
 */
export async function signersNamed(name: string, place: Place): Promise<readonly Signer[]> {
  const literal = publicKeyIn(name)
  if (literal !== null) return [forUs({ principals: commentOf(name), options: '', key: literal })]
  const found = name.startsWith('SHA256:')
    ? (await known(place)).filter(({ key }) => fingerprintOfKey(key) === name)
    : (await known(place)).filter(({ principals }) => principals.replaceAll('"', '').split(',').includes(name))
  const fromFile = found.length === 0 ? keyFile(name, place) : []
  const signers = unique([...found, ...fromFile])
  const shown = plainText(name, 80)
  if (signers.length === 0)
    throw new RemnantError('misuse', `"${shown}" is no claim and no remnant here, and no signer that is known`, {
      hint: 'a signer is a public key, a file of one, SHA256:…, or a name in git\'s gpg.ssh.allowedSignersFile; "git remnant list" shows ids',
    })
  const open = signers.filter((signer) => isForUs(signer, NAMESPACE))
  if (open.length === 0) throw new RemnantError('refused', `the file that names "${shown}" lets it sign other things alone`, { hint: `add namespaces="${NAMESPACE}" to its line, or name the key itself` })
  return open.map(forUs)
}

async function known(place: Place): Promise<Signer[]> {
  const repository = await place.repository()
  const settings = await sshSettings(await place.git())
  const file = settings.allowedSignersFile === null ? null : place.files.read(resolve(repository.workTree ?? repository.commonDir, settings.allowedSignersFile))
  const strangers = await readSignatures(listSignatures(repository), repository, place.git)
  return [
    ...openSignerList(repository, place.files).allowed,
    ...signersIn(Buffer.from(file ?? []).toString('utf8')).signers,
    ...(configuredSigners(repository, place.files)?.signers ?? []),
    ...strangers.flatMap((one) => ('fault' in one ? [] : [{ principals: UNNAMED, options: '', key: one.key }])),
  ]
}

/** A file that holds one public key in its first line. Anything else in it is never shown. */
function keyFile(name: string, place: Place): Signer[] {
  const path = resolve(place.cwd, name)
  if (place.files.stat(path)?.kind !== 'file' || (place.files.stat(path)?.size ?? 0) > MAX_KEY_FILE) return []
  const text = Buffer.from(place.files.read(path) ?? []).toString('utf8')
  const key = publicKeyIn(text)
  if (key === null) throw new RemnantError('malformed', `"${plainText(name, 80)}" holds no public key`, { hint: 'name the .pub file beside it' })
  return [{ principals: commentOf(text), options: '', key }]
}

const MAX_KEY_FILE = 64 * 1024
const UNNAMED = 'unnamed'

/** The comment of a key is what people call it by; it decides nothing. */
const commentOf = (text: string): string => /^[\w.@+-]{1,80}$/.exec(text.trim().split('\n')[0]?.split(/\s+/)[2] ?? '')?.[0] ?? UNNAMED

/** One line a key: the first that names it, which is the nearest to this clone. */
const unique = (signers: readonly Signer[]): Signer[] => signers.filter(({ key }, i) => signers.findIndex((other) => other.key.blob === key.blob) === i)

/** The same line, for remnants alone. */
function forUs({ principals, options, key }: Signer): Signer {
  const bounds = options.replace(/(?:^|,)namespaces="[^"]*"/gi, '').replace(/^,/, '')
  return { principals, options: `${bounds === '' ? '' : `${bounds},`}namespaces="${NAMESPACE}"`, key }
}
