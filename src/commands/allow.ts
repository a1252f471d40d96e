import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import type { Files } from '../host/files.ts'
import type { Repository } from '../host/git.ts'
import { approvalsHere, openApprovals } from '../host/trust/approvals.ts'
import { trackedConfig, widening } from '../host/config.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { typedCommand } from '../host/trust/typed.ts'
import { type SignersFile, configuredSigners, openSignerList } from '../host/trust/signers.ts'
import type { Claim } from '../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../model/command.ts'
import { plainText } from '../model/plain.ts'
import { isTrusted } from '../model/rank.ts'
import { type Signer, fingerprintOfKey } from '../model/signer.ts'
import type { Stored } from '../model/store.ts'
import { claimsNamed } from '../resolve/chosen.ts'
import { type Obstacle, commandFor, obstacleToApproval, obstacleToCommand } from '../resolve/plan.ts'
import { data, stated } from '../resolve/words.ts'
import { isSignerName, signersNamed } from '../store/signing/signer-named.ts'
import { checkSignatures } from '../store/verify/verifying.ts'

export default {
  name: 'allow',
  kind: 'porcelain',
  summary: 'Approve what reprobe and gate may run in this clone, and whose signatures count',
  details: [
    'Shows the exact argument list of the claim\'s command, of all commands of a remnant\'s claims, or of CMD, and asks. An approval is kept in',
    'this clone, outside the work tree, and is bound to the repository and to every byte of the command: what differs asks again.',
    '"config" approves what the tracked .remnants/config.json may not say by itself (sharing, signers, guard, commands to run), and the',
    'file of signers that it names, as both are now. A SIGNER is an SSH public key, a file of one, "SHA256:…" of a key that signed a remnant',
    'here, or a name in git\'s "gpg.ssh.allowedSignersFile": what that key signed is then told as fact, and its gates may be run.',
  ].join('\n'),
  positionals: [{ name: 'what', describe: 'a claim\'s id, a remnant\'s digest (at least 4 digits), a signer, or "config"' }],
  options: {
    yes: { type: 'boolean', describe: 'approve without being asked' },
    once: { type: 'boolean', describe: 'approve nothing: let the next call that the guard would stop for this claim, or for exactly CMD, through once' },
  },
  rest: 'CMD…',
  statuses: { 1: 'there is no such claim or remnant, or no', 74: 'the remnant that was asked for is damaged', 77: 'it can not be approved, or nobody is there to ask' },
  async run(args, host) {
    const name = args.text('what') ?? ''
    if (args.flag('once')) return (await import('./allow/once.ts')).allowOnceHere(name, args.rest, host)
    if ((name === '') === (args.rest.length === 0))
      throw new RemnantError('misuse', name === '' ? 'nothing is named that could be approved' : 'both a claim and a command are named', { hint: 'name a claim by its id ("git remnant brief" shows them), or a command behind "--"' })
    if (args.rest.length > 0) return allowTyped(args.rest, args.flag('yes'), host)
    if (name === 'config') return allowConfig(args.flag('yes'), host)
    return isSignerName(name) ? allowSigner(name, args.flag('yes'), host) : allowCommands(name, args.flag('yes'), host)
  },
} satisfies Command

interface Wanted {
  readonly command: CanonicalCommand
  readonly claims: readonly Claim[]
}

async function allowCommands(name: string, yes: boolean, host: Host): Promise<Answer> {
  const named = claimsNamed(name, await allStored(host))
  const chosen = named.map(({ claim }) => claim)
  if (chosen.length === 0) return { text: `no claim and no remnant here begins with "${name}"`, data: { approved: [], refused: [] }, status: 1 }
  const sets = await host.sets()
  const judged = chosen.map((claim) => ({ claim, obstacle: obstacleToApproval(claim, sets) }))
  const refused = judged.flatMap(({ claim, obstacle }) => (obstacle === null ? [] : [{ claim_id: claim.claim_id, reason: obstacle }]))
  const wanted = byCommand(judged.filter(({ obstacle }) => obstacle === null).map(({ claim }) => claim))
  const [first] = refused
  if (wanted.length === 0) throw new RemnantError('refused', `nothing of this can be approved: ${REASONS[first?.reason ?? 'no-command']}`, { hint: '"git remnant show" says what it is' })

  const shown = [...wanted.map(blockOf), ...refused.map(({ claim_id, reason }) => `not ${claim_id.slice(0, 12)}: ${REASONS[reason]}`)].join('\n')
  if (!(await consented(shown, yes, host))) return { text: 'nothing was approved', data: { approved: [], refused }, status: 1 }
  const approvals = await approvalsHere(host)
  for (const { command } of wanted) approvals.approve(command)
  const approved = wanted.map(({ command, claims }) => ({ command, claims: claims.map(({ claim_id }) => claim_id).sort() }))
  const unsigned = named.every(({ held }) => held.every(({ rank }) => !isTrusted(rank))) ? UNSIGNED : []
  return { text: [...(yes ? [shown] : []), `approved ${wanted.length === 1 ? 'this command' : `these ${wanted.length} commands`}`, ...unsigned].join('\n'), data: { approved, refused } }
}

async function allowTyped(words: readonly string[], yes: boolean, host: Host): Promise<Answer> {
  const command = await typedCommand(words, host)
  const obstacle = obstacleToCommand(command, (await host.sets()).mutations)
  if (obstacle !== null) throw new RemnantError('refused', `this can not be approved: ${REASONS[obstacle]}`, { hint: 'approve a test, a build or a check' })
  const shown = blockOf({ command, claims: [] })
  if (!(await consented(shown, yes, host))) return { text: 'nothing was approved', data: { approved: [], refused: [] }, status: 1 }
  ;(await approvalsHere(host)).approve(command)
  return { text: [...(yes ? [shown] : []), 'approved this command'].join('\n'), data: { approved: [{ command, claims: [] }], refused: [] } }
}

async function allowSigner(name: string, yes: boolean, host: Host): Promise<Answer> {
  const signers = await signersNamed(name, host)
  const shown = signers.flatMap(signerBlock).join('\n')
  if (!(await consented(shown, yes, host))) return { text: 'nothing was approved', data: { signers: [], signed: 0 }, status: 1 }
  const list = openSignerList(await host.repository(), host.files)
  for (const signer of signers) list.allow(signer)
  const { signed } = await checkSignatures(host)
  await rebuildGuardIndex(host)
  return {
    text: `${yes ? `${shown}\n` : ''}accepted ${signers.length === 1 ? 'this signer' : `these ${signers.length} signers`}; ${signed.size === 1 ? '1 remnant here is' : `${signed.size} remnants here are`} signed by an accepted key`,
    data: { signers: signers.map(signerDocument), signed: signed.size },
  }
}

const signerBlock = ({ principals, options, key }: Signer): string[] => [
  `signer  ${plainText(principals, 200)}`,
  `  key     ${plainText(key.type)} ${fingerprintOfKey(key)}`,
  `  bounds  ${plainText(options, 300)}`,
]

const signerDocument = ({ principals, options, key }: Signer) => ({ principals, options, type: key.type, fingerprint: fingerprintOfKey(key) })

async function allowConfig(yes: boolean, host: Host): Promise<Answer> {
  const repository = await host.repository()
  const tracked = trackedConfig(repository, host.files)
  const signers = signersFileNow(repository, host.files, tracked?.config.signers)
  if (tracked === null && signers === null) return { text: 'there is no .remnants/config.json in this work tree', data: { config: null }, status: 1 }
  const digest = tracked === null ? null : sha256(tracked.bytes)
  const fields = tracked === null ? [] : Object.entries(widening(tracked.config))
  const shown = [
    ...(digest === null ? [] : [`.remnants/config.json  sha256 ${digest}`]),
    ...fields.map(([field, value]) => `  ${field}  ${plainText(JSON.stringify(value))}`),
    ...(signers === null ? [] : [`signers in "${plainText(signers.path, 200)}"${signers.unread === 0 ? '' : `, and ${signers.unread} lines that count for nothing`}`, ...signers.signers.flatMap(signerBlock)]),
  ].join('\n')
  if (fields.length === 0 && signers === null) return { text: `${shown}\nnothing in it needs approval`, data: { config: digest } }
  if (!(await consented(shown, yes, host))) return { text: 'nothing was approved', data: { config: null }, status: 1 }
  const approvals = openApprovals(repository, host.files, '')
  if (digest !== null && fields.length > 0) approvals.approveConfig(digest)
  if (signers !== null) {
    approvals.approveConfig(signers.id)
    await checkSignatures(host)
    await rebuildGuardIndex(host)
  }
  const what = signers === null ? 'this file, as it is now' : digest === null ? 'these signers, as they are now' : 'this file and its signers, as they are now'
  return { text: `${yes ? `${shown}\n` : ''}approved ${what}`, data: { config: digest, ...(signers !== null && { signers: signers.signers.map(signerDocument) }) } }
}

/** The file that counts once the tracked configuration does: a local one wins. */
const signersFileNow = (...[repository, files, tracked]: [Repository, Files, string | undefined]): SignersFile | null =>
  configuredSigners(repository, files) ?? (tracked === undefined ? null : configuredSigners(repository, files, tracked))

/** Whether somebody who has seen it says yes. Throws `refused` where nobody can. */
async function consented(shown: string, yes: boolean, host: Host): Promise<boolean> {
  if (yes) return true
  host.warn(shown)
  if (!host.interactive) throw new RemnantError('refused', 'nobody is there to be asked', { hint: 'after reading it, approve it with --yes' })
  host.warn('approve? [y/N]')
  return /^y(?:es)?$/i.test((await lineFrom(host.stdin)).trim())
}

async function lineFrom(input: Readable): Promise<string> {
  const lines = createInterface({ input })
  const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close').then(() => [''])])) as [string]
  lines.close()
  return line
}

async function allStored(host: Host): Promise<Stored[]> {
  const all: Stored[] = []
  for await (const one of (await host.store()).readAll()) all.push(one)
  return all
}

function byCommand(claims: readonly Claim[]): Wanted[] {
  const found = new Map<string, { command: CanonicalCommand; claims: Claim[] }>()
  for (const claim of claims) {
    const command = commandFor(claim) as CanonicalCommand
    const known = found.get(commandKey(command)) ?? { command, claims: [] }
    known.claims.push(claim)
    found.set(commandKey(command), known)
  }
  return [...found.values()]
}

/** The command as it would be started, a word a line: nothing in it can pass for something else. */
function blockOf({ command, claims }: Wanted): string {
  const [program = '', ...words] = command.argv
  return [
    ...claims.map((claim) => `${claim.claim_id.slice(0, 12)}  ${stated(claim)}`),
    `  folder  ${data(command.folder)}`,
    ...command.env.map(([name, value]) => `  env     ${plainText(`${name}=${value}`)}`),
    `  argv    ${plainText(program)}`,
    ...words.map((word) => `          ${plainText(word)}`),
  ].join('\n')
}

/** An approval lets a command run; it makes nobody's word a fact. */
const UNSIGNED = [
  'others recorded it and no accepted key signed it, so neither reprobe nor gate runs it for their word;',
  'hint: run it under "git remnant run --", which records here what comes of it, or accept whoever signed it',
]

const REASONS: Readonly<Record<Exclude<Obstacle, 'not-approved' | 'unsigned'>, string>> = {
  mutation: 'it changes the outside, and is never run again',
  'no-command': 'somebody declared it, and no command shows it by itself',
  declared: 'it was declared, and names no check of its own (--gate CMD)',
  'not-runnable': 'its command can not be run from here',
  'not-harmless': 'a dead end is tried only where that is known to be harmless',
}
