import type { Claim } from '../../model/claim.ts'
import { plainLinesOf } from '../../model/plain.ts'
import { MAX_SHOWN, command as inWords, data, stated } from '../../resolve/words.ts'
import type { Result, Tried } from './run.ts'

/**
 * What came of gates, for a person: one line each, what is known of it where it did not pass, and a summary. `known`: how many there
 * are to be run; `edited`: the work tree holds more than its commit.
 */
export function inLines(tried: readonly Tried[], known: number, edited: boolean): string {
  const commits = new Set(tried.map(({ commit }) => commit))
  return [
    ...[...commits].flatMap((commit) => [
      ...(commits.size > 1 ? [`${short(commit)}:`] : []),
      ...tried.filter((one) => one.commit === commit).flatMap(blockOf),
    ]),
    summaryOf(tried, known),
    ...judgedLine(tried, edited),
  ].join('\n')
}

/** It ran, and that says something of the commit. */
export const isJudged = ({ result }: Tried): boolean => result !== 'infra' && result !== 'not-approved' && result !== 'slow'

/** How many of each result, in the order of `RESULTS`. */
export const countsOf = (tried: readonly Tried[]): Record<Result, number> =>
  Object.fromEntries(RESULTS.map((result) => [result, tried.filter((one) => one.result === result).length])) as Record<Result, number>

export const documentOf = ({ gate, commit, result, seconds, isolation, place, signature, reason }: Tried) => ({
  command: gate.command,
  claim_id: firstOf(gate.claims).claim_id,
  claims: gate.claims.map(({ claim_id }) => claim_id),
  commit,
  result,
  seconds,
  isolation,
  place,
  signature,
  reason,
})

/** What a gate that did not pass has to do with what is known, and where to look closer. */
export function aboutOf({ gate, signature, lacked }: Tried, lines = MOST_LINES): string[] {
  const told = signature === null ? [] : plainLinesOf(signature, MAX_SHOWN).slice(0, lines)
  return [
    ...gate.claims.slice(0, MOST_CLAIMS).map((claim) => `  claim ${short(claim.claim_id)}: ${stated(claim)}`),
    ...(gate.claims.length > MOST_CLAIMS ? [`  and ${gate.claims.length - MOST_CLAIMS} more claim${gate.claims.length - MOST_CLAIMS === 1 ? '' : 's'}`] : []),
    ...told.map((line) => `  | ${line}`),
    ...(lacked.length === 0 ? [] : [`  the temporary tree had not what git ignores: ${listed(lacked)}; "gate.copy" in the configuration lists what it needs`]),
    `  look closer: git remnant why ${idOf(gate)}`,
  ]
}

/** The first digits of a claim that names the gate. */
export const idOf = (gate: Tried['gate']): string => short(firstOf(gate.claims).claim_id)

const blockOf = (one: Tried): string[] => {
  const time = one.seconds === null ? '' : `  ${one.seconds.toFixed(1)} s`
  const reason = one.reason === null ? '' : `  (${data(one.reason)})`
  const hint = one.result === 'not-approved' ? [`  read it, then: git remnant allow ${idOf(one.gate)}`] : one.result === 'slow' ? ['  git remnant gate --ci runs it'] : []
  return [`${one.result.padEnd(12)} ${inWords(one.gate.command)}${time}${reason}`, ...hint, ...(one.result === 'red' || one.result === 'FLAKY' ? aboutOf(one) : [])]
}

function summaryOf(tried: readonly Tried[], known: number): string {
  const counts = countsOf(tried)
  const ran = tried.filter(isJudged)
  const told = [...RESULTS.filter((result) => counts[result] > 0).map((result) => `${counts[result]} ${result}`), ...(known > tried.length ? [`${known - tried.length} not touched`] : [])]
  const where = [
    ...(ran.some(({ place }) => place === 'temporary') ? ['in a temporary tree'] : []),
    ...(ran.some(({ place }) => place === 'in-place') ? ['in the work tree itself, which is exactly the commit'] : []),
  ]
  const guarded = ran.some(({ isolation }) => isolation === 'none') ? 'no sandbox' : 'sandbox: bwrap'
  return [`${ran.length} of ${known} gates run: ${told.join(', ')}`, ...(ran.length === 0 ? [] : [`run ${where.join(' and ')}; ${guarded}`])].join('\n')
}

/** Which commits the results are of: a gate says nothing of what is not committed. */
function judgedLine(tried: readonly Tried[], edited: boolean): string[] {
  const commits = [...new Set(tried.filter(isJudged).map(({ commit }) => short(commit)))]
  return commits.length === 0 ? [] : [`judged ${commits.join(' ')}${edited ? '; the uncommitted edits of this work tree were not judged' : ''}`]
}

const RESULTS: readonly Result[] = ['green', 'red', 'FLAKY', 'timed-out', 'infra', 'not-approved', 'slow']
const MOST_CLAIMS = 3
const MOST_LINES = 6

/** A few of them, as data. */
const listed = (paths: readonly string[]): string => paths.slice(0, 3).map(data).join(', ') + (paths.length > 3 ? ` and ${paths.length - 3} more` : '')

const firstOf = (claims: readonly Claim[]): Claim => claims[0] as Claim
const short = (id: string): string => id.slice(0, 12)
