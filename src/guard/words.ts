import { plainText } from '../model/plain.ts'
import type { Rank } from '../model/rank.ts'
import type { Deed, DeadEnd } from './entry.ts'

/** The most that a decision says. */
export const MAX_TEXT = 600

/** Facts about a command that failed before, under the same grounds. No order, and no command line that could do harm. */
export function deadEndText(entry: DeadEnd, shown: string, again: boolean): string {
  const { claim_id, digest, signature, until, rank } = entry
  const named = DESTROYS.test(shown) ? 'This command' : `\`${short(shown, 70)}\``
  return bounded(
    rank === 'own' || rank === 'signed' ? 'git-remnant:' : 'git-remnant, reported by others, not checked here:',
    `${named} failed ${FAILED[rank]}, under keys that hold here, with: ${short(signature, 130)}.`,
    until.length === 0 ? '' : `That lasts until a change of ${short(until.join(', '), 70)}.`,
    again ? 'Said before in this session.' : '',
    past(claim_id, digest),
  )
}

/** Whose session it was: what this clone did not seal itself never ran here, as far as it knows. */
const FAILED: Readonly<Record<Rank, string>> = {
  own: 'in an earlier session',
  signed: 'as its signer recorded',
  reported: 'elsewhere',
  other: 'elsewhere',
}

/** Facts about a change of the world outside that was made, or of which nobody knows whether it was. */
export function deedText({ claim_id, digest, target, identifier, unknown, rank }: Deed): string {
  const at = `${short(target.replace('/', ' '), 100)}${identifier === null ? '' : `, ${short(identifier, 100)}`}`
  return bounded(
    rank === 'own' || rank === 'signed' ? 'git-remnant:' : 'git-remnant, reported by others, not checked here:',
    unknown ? `This was attempted before and no result of it was recorded: ${at}. It may have been done; what is there now would show it.` : `This was done before: ${at}. Done again it would do harm or fail.`,
    past(claim_id, digest),
  )
}

/** The same of a mutation that the asking session made, and that is not sealed yet. */
export const doneHereText = (target: string, identifier: string): string =>
  bounded(
    'git-remnant:',
    `This was done earlier in this session: ${short(target.replace('/', ' '), 100)}, ${short(identifier, 100)}. Done again it would do harm or fail.`,
    'To go past it: git remnant allow --once -- and the command, REMNANT=0, or "guard" in the configuration.',
  )

/** The same of a mutation that another session wrote down, and that is not sealed yet. */
export const openDeedText = (target: string, identifier: string | null): string =>
  bounded(
    'git-remnant:',
    `Another session of this clone was about to do the same, and no failure of it is recorded: ${short(target.replace('/', ' '), 100)}${identifier === null ? '' : `, ${short(identifier, 100)}`}.`,
    'It may have been done, be under way, or not have been let through; what is there now would show it. To go past it: git remnant allow --once -- and the command, REMNANT=0, or "guard" in the configuration.',
  )

const past = (claim: string, digest: string): string =>
  `Recorded in remnant ${digest.slice(0, 12)}. To look: git remnant why ${claim.slice(0, 12)}. To go past it: git remnant allow --once ${claim.slice(0, 12)}, REMNANT=0, or "guard" in the configuration.`

/** What was made plain may have grown. */
const short = (text: string, limit: number): string => plainText(plainText(text, limit), limit)

const bounded = (...parts: readonly string[]): string => plainText(parts.filter((part) => part !== '').join(' '), MAX_TEXT - 1)

/** What is not spelled out, so that nobody copies it out of a message. */
const DESTROYS = /\b(?:rm|dd|mkfs\S*|shred|truncate|push|reset|clean|checkout|restore|drop|delete|destroy|publish|prune|kill\w*)\b/i
