import type { Decision } from './model/agent.ts'
import type { BoundaryClass } from './model/claim.ts'
import { isTrusted } from './model/rank.ts'
import { isClosed, isGrounded } from './guard/closed.ts'
import { type Deed, type DeadEnd, type Green, type Here, partsOf } from './guard/entry.ts'
import { deadEndText, deedText } from './guard/words.ts'

export const SILENT: Decision = { decision: 'silent', text: '', claim_id: null, digest: null }

/**
 * What a session was told of a claim. `now`: this very call was; `asked`: nobody is a session, somebody asks; `passed`: the command
 * was seen to pass after all.
 */
export type Told = 'never' | 'now' | 'before' | 'asked' | 'passed'

/** Classes of dead ends whose grounds say all that matters: a second try is stopped. */
const STOPPED: ReadonlySet<BoundaryClass> = new Set(['program-missing', 'usage', 'dependency'])

/**
 * Whether a command is a known dead end here (DESIGN 4): a note the first time in a session, then for some classes a stop.
 * What drifted, what can't be told, and what other evidence contradicts is silence. `shown`: the command as typed.
 */
export function judgeDeadEnd(shown: string, deadEnds: readonly Here<DeadEnd>[], greens: readonly Here<Green>[], told: (claim: string) => Told): Decision {
  const standing = deadEnds.filter(({ entry, holds }) => holds === true && entry.rank !== 'other' && told(entry.claim_id) !== 'passed' && isGrounded(entry))
  const [best] = [...standing].sort((a, b) => rankOf(a.entry) - rankOf(b.entry) || (a.entry.claim_id < b.entry.claim_id ? -1 : 1))
  if (best === undefined) return SILENT
  const { entry } = best
  // Whatever passed under grounds that may be those of now is as good as what failed.
  if (greens.some((green) => green.holds !== false && (isTrusted(green.entry.rank) || !isTrusted(entry.rank)))) return SILENT
  const before = told(entry.claim_id)
  if (!isTrusted(entry.rank) && before === 'before') return SILENT
  const stops = (before === 'before' || before === 'asked') && isTrusted(entry.rank) && STOPPED.has(entry.class) && isClosed(entry)
  return { decision: stops ? 'deny' : 'note', text: deadEndText(entry, shown, before === 'before'), claim_id: entry.claim_id, digest: entry.digest }
}

/** What would be made, as far as it is known before it is made. */
export interface Intended {
  readonly command: string
  readonly operation: string
  readonly target: string
  readonly identifier: string | null
  readonly state_hash: string | null
  /** The identifier names this deed and no other (the mutation works it out), whatever the words of the command. */
  readonly named: boolean
}

/** Whether a mutation was made before, or may have been: a reason to ask. An identity that is not known is silence. */
export function judgeDeed(intended: Intended, deeds: readonly Here<Deed>[]): Decision {
  const same = deeds.filter(({ entry, holds }) => holds === true && entry.rank !== 'other' && entry.target === intended.target && isSame(intended, entry))
  const [best] = [...same].sort((a, b) => rankOf(a.entry) - rankOf(b.entry) || Number(a.entry.unknown) - Number(b.entry.unknown) || (a.entry.claim_id < b.entry.claim_id ? -1 : 1))
  if (best === undefined) return SILENT
  const { entry } = best
  return { decision: isTrusted(entry.rank) ? 'ask' : 'note', text: deedText(entry), claim_id: entry.claim_id, digest: entry.digest }
}

function isSame(intended: Intended, deed: Deed): boolean {
  const sameWords = intended.command === deed.command
  if (intended.identifier === null) return deed.unknown && deed.identifier === null && sameWords
  // By the name that it was asked by a deed is known again in its own words alone: others may ask for another thing.
  if (deed.identifier !== intended.identifier && !(sameWords && deed.asked === intended.identifier)) return false
  if (intended.state_hash !== null && deed.state_hash !== null) return intended.state_hash === deed.state_hash
  // What a file holds that was sent is not known: the next may hold something else.
  if (sendsFile(intended.identifier)) return false
  // A variable before a command may lead it elsewhere.
  return sameWords || (intended.named && intended.operation === deed.operation && partsOf(intended.command).env === partsOf(deed.command).env)
}

/** What is made depends on what a file holds. */
export const sendsFile = (identifier: string | null): boolean => identifier !== null && /(?:^|\s)@/.test(identifier)

/** Whether the environment leads a tool to another place than the one that its command line and the repository name. */
export const isLedElsewhere = (names: Iterable<string>): boolean => [...names].some((name) => LEADS.test(name))

const LEADS = /^(?:TWINE_REPOSITORY(?:_URL)?|UV_PUBLISH_(?:URL|INDEX)|POETRY_REPOSITORIES_.*|FLIT_INDEX_URL|CARGO_REGISTRY_DEFAULT|CARGO_REGISTRIES_.*|RUBYGEMS_HOST|GEM_HOST|GH_REPO|GH_HOST|GITLAB_HOST|GL_HOST)$/

/** What a mode of the configuration leaves of a decision. */
export function under(mode: 'off' | 'note' | 'full', decision: Decision): Decision {
  if (mode === 'off') return SILENT
  return mode === 'note' && decision.decision !== 'silent' ? { ...decision, decision: 'note' } : decision
}

const rankOf = ({ rank }: DeadEnd | Deed): number => (isTrusted(rank) ? 0 : 1)
