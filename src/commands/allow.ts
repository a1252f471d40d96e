import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { sha256 } from '../base/digest.ts'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { approvalsHere, openApprovals } from '../host/approvals.ts'
import { trackedConfig, widening } from '../host/config.ts'
import type { Claim } from '../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../model/command.ts'
import { plainText } from '../model/plain.ts'
import type { Stored } from '../model/store.ts'
import { claimsNamed } from '../resolve/chosen.ts'
import { type Obstacle, commandFor, obstacleToApproval } from '../resolve/plan.ts'
import { data, stated } from '../resolve/words.ts'

export default {
  name: 'allow',
  kind: 'porcelain',
  summary: 'Approve what reprobe and gate may run in this clone',
  details: [
    'Shows the exact argument list of the claim\'s command, or of all commands of a remnant\'s claims, and asks. An approval is kept in',
    'this clone, outside the work tree, and is bound to the repository and to every byte of the command: what differs asks again.',
    '"config" approves what the tracked .remnants/config.json may not say by itself (sharing, signers, guard, commands to run).',
  ].join('\n'),
  positionals: [{ name: 'what', required: true, describe: 'a claim\'s id, a remnant\'s digest (at least 4 digits), or "config"' }],
  options: { yes: { type: 'boolean', describe: 'approve without being asked' } },
  statuses: { 1: 'there is no such claim or remnant, or no', 74: 'the remnant that was asked for is damaged', 77: 'it can not be approved, or nobody is there to ask' },
  async run(args, host) {
    const name = args.text('what') ?? ''
    return name === 'config' ? allowConfig(args.flag('yes'), host) : allowCommands(name, args.flag('yes'), host)
  },
} satisfies Command

interface Wanted {
  readonly command: CanonicalCommand
  readonly claims: readonly Claim[]
}

async function allowCommands(name: string, yes: boolean, host: Host): Promise<Answer> {
  const chosen = claimsNamed(name, await allStored(host)).map(({ claim }) => claim)
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
  return { text: `${yes ? `${shown}\n` : ''}approved ${wanted.length === 1 ? 'this command' : `these ${wanted.length} commands`}`, data: { approved, refused } }
}

async function allowConfig(yes: boolean, host: Host): Promise<Answer> {
  const repository = await host.repository()
  const tracked = trackedConfig(repository, host.files)
  if (tracked === null) return { text: 'there is no .remnants/config.json in this work tree', data: { config: null }, status: 1 }
  const digest = sha256(tracked.bytes)
  const fields = Object.entries(widening(tracked.config))
  const shown = [`.remnants/config.json  sha256 ${digest}`, ...fields.map(([field, value]) => `  ${field}  ${plainText(JSON.stringify(value))}`)].join('\n')
  if (fields.length === 0) return { text: `${shown}\nnothing in it needs approval`, data: { config: digest } }
  if (!(await consented(shown, yes, host))) return { text: 'nothing was approved', data: { config: null }, status: 1 }
  openApprovals(repository, host.files, '').approveConfig(digest)
  return { text: `${yes ? `${shown}\n` : ''}approved this file, as it is now`, data: { config: digest } }
}

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

const REASONS: Readonly<Record<Exclude<Obstacle, 'not-approved'>, string>> = {
  mutation: 'it changes the outside, and is never run again',
  'no-command': 'no command proves it',
  'not-runnable': 'its command can not be run from here',
  'not-harmless': 'a dead end is tried only where that is known to be harmless',
}
