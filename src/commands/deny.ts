import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { approvalsHere, openApprovals } from '../host/trust/approvals.ts'
import { trackedConfig } from '../host/config.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { configuredSigners, openSignerList } from '../host/trust/signers.ts'
import { typedCommand } from '../host/trust/typed.ts'
import { type CanonicalCommand, commandKey } from '../model/command.ts'
import type { Stored } from '../model/store.ts'
import { claimsNamed } from '../resolve/chosen.ts'
import { commandFor } from '../resolve/plan.ts'
import { fingerprintOfKey } from '../model/signer.ts'
import { plainText } from '../model/plain.ts'
import { command as inWords } from '../resolve/words.ts'
import { isSignerName, signersNamed } from '../store/signing/signer-named.ts'

export default {
  name: 'deny',
  kind: 'porcelain',
  summary: 'Take an approval back',
  details: [
    'Takes back what allow, run or a journal of this clone approved. Nothing is asked: to run less is safe. A SIGNER that is denied',
    'counts no more, wherever else it is named, until "git remnant allow SIGNER".',
  ].join('\n'),
  positionals: [{ name: 'what', describe: 'a claim\'s id, a remnant\'s digest (at least 4 digits), a signer, or "config"' }],
  options: { yes: { type: 'boolean', describe: 'as for allow; there is no question to answer' } },
  rest: 'CMD…',
  statuses: { 1: 'there is no such claim or remnant, or nothing of it was approved', 74: 'the remnant that was asked for is damaged' },
  async run(args, host) {
    const name = args.text('what') ?? ''
    if ((name === '') === (args.rest.length === 0)) throw new RemnantError('misuse', 'name one claim, remnant or signer, or one command', { hint: 'a claim by its id, or a command behind "--"' })
    if (args.rest.length > 0) return denied([await typedCommand(args.rest, host)], host)
    if (name === 'config') return denyConfig(host)
    return isSignerName(name) ? denySigner(name, host) : denyCommands(name, host)
  },
} satisfies Command

async function denyCommands(name: string, host: Host): Promise<Answer> {
  const stored: Stored[] = []
  for await (const one of (await host.store()).readAll()) stored.push(one)
  const chosen = claimsNamed(name, stored)
  if (chosen.length === 0) return { text: `no claim and no remnant here begins with "${name}"`, data: { denied: [] }, status: 1 }
  const commands = new Map<string, CanonicalCommand>()
  for (const { claim } of chosen) {
    const command = commandFor(claim)
    if (command !== null) commands.set(commandKey(command), command)
  }
  return denied([...commands.values()], host)
}

async function denied(commands: readonly CanonicalCommand[], host: Host): Promise<Answer> {
  const approvals = await approvalsHere(host)
  const denied = commands.filter((command) => approvals.revoke(command))
  return {
    text: denied.length === 0 ? 'nothing of it was approved' : denied.map((command) => `no longer approved  ${inWords(command)}`).join('\n'),
    data: { denied },
    status: denied.length === 0 ? 1 : 0,
  }
}

async function denySigner(name: string, host: Host): Promise<Answer> {
  const signers = await signersNamed(name, host)
  const list = openSignerList(await host.repository(), host.files)
  for (const { key } of signers) list.deny(key)
  await rebuildGuardIndex(host)
  return {
    text: signers.map(({ principals, key }) => `no longer accepted  ${plainText(principals, 200)}  ${fingerprintOfKey(key)}`).join('\n'),
    data: { signers: signers.map(({ principals, key }) => ({ principals, fingerprint: fingerprintOfKey(key) })) },
  }
}

async function denyConfig(host: Host): Promise<Answer> {
  const repository = await host.repository()
  const tracked = trackedConfig(repository, host.files)
  const digest = tracked === null ? null : sha256(tracked.bytes)
  const signers = configuredSigners(repository, host.files)
  const approvals = openApprovals(repository, host.files, '')
  const revoked = digest !== null && approvals.revokeConfig(digest)
  const unsigned = signers !== null && approvals.revokeConfig(signers.id)
  if (unsigned) await rebuildGuardIndex(host)
  const what = [...(revoked ? ['.remnants/config.json'] : []), ...(unsigned ? [`the signers in "${plainText(signers.path, 200)}"`] : [])]
  return {
    text: what.length > 0 ? `no longer approved: ${what.join(', ')}` : 'nothing of it was approved',
    data: { config: revoked ? digest : null },
    status: what.length > 0 ? 0 : 1,
  }
}
