import { plainLines } from '../../base/plain.ts'
import { type Known, knowing } from '../../distill/known.ts'
import { signatureOf } from '../../distill/normalise.ts'
import type { Collected } from '../../host/processes.ts'
import type { Isolation } from '../../host/trial/isolation.ts'
import type { BoundaryClass } from '../../model/claim.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import { refusalsIn } from '../../model/refusal.ts'
import type { Sets } from '../../model/sets.ts'
import type { Failure, Toolchain } from '../../model/toolchain.ts'

/** What one run of a gate shows. `infra`: nothing about the commit. */
export type Shown =
  | { readonly is: 'green' }
  | { readonly is: 'red'; readonly signature: string }
  | { readonly is: 'infra'; readonly reason: string }
  | { readonly is: 'timed-out' }

/**
 * Reads a run of a gate in `folder`. A runner that did not find what it was to run, or does not know its words, was not red. `inPlace`: in the user's own tree, where nothing is missing that the user has; in a
 * temporary one a path that is not there may be one that git never had. What a sandbox forbids is held against no commit.
 */
export async function shownBy(run: Collected, command: CanonicalCommand, at: { readonly folder: string; readonly inPlace: boolean; readonly isolation: Isolation }, sets: Sets): Promise<Shown> {
  if (run.timedOut) return { is: 'timed-out' }
  const known = knowing(sets.toolchains)(command)
  const output = plainLines(run.output)
  if (run.status === 0 && !saysFailed(known, output)) return { is: 'green' }
  if (run.status === 127 && output === '') return { is: 'infra', reason: `${INFRA['program-missing']}: ${command.argv[0]}` }
  const [failure, teller] = failureOf(run, known, output)
  if (run.signal !== null || (failure === 'transient' && run.status > 129)) return { is: 'infra', reason: 'a signal stopped it' }
  if (at.isolation === 'bwrap' && FORBIDDEN.test(output)) return { is: 'infra', reason: 'the sandbox has no network, and nothing outside it can be written' }
  if (failure === 'transient') return { is: 'infra', reason: 'the network, the memory or the disk failed it' }
  const signature = (failure === null ? null : (await signatureOf(failure.lines, { session: '', root: at.folder }, sets.ephemera))?.signature) ?? `ends with status ${run.status}`
  const infra = run.status === 127 ? INFRA['program-missing'] : run.status === 126 ? 'its program can not be started' : (reasonOf(failure, output, at.inPlace) ?? (isUnstarted(failure, teller, known) ? 'it could not run at this commit' : undefined))
  return infra === undefined ? { is: 'red', signature } : { is: 'infra', reason: `${infra}: ${signature.split('\n', 1)[0]}` }
}

/** How programs say that they found no network, or a file system that can't be written. */
const FORBIDDEN =
  /\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|ENETDOWN|EROFS|ECONNREFUSED)\b|\bfetch failed\b|network is (?:unreachable|down)|no route to host|read-only file system|name resolution|name or service not known|could(?: not|n't) resolve|no such host|connection refused/i

/** It ended with 0, and its own closing lines say that it failed. */
const saysFailed = ({ invocation, readers }: Known, output: string): boolean =>
  invocation?.verifies === true && readers.some((toolchain) => toolchain.summary(output)?.passed === false)

function failureOf({ status, signal }: Collected, { command, tellers }: Known, output: string): readonly [Failure | 'transient' | null, Toolchain | null] {
  const ending = { command, code: signal === null && status !== 0 ? status : null, output }
  for (const toolchain of tellers) {
    const failure = toolchain.failure(ending)
    if (failure !== null) return [failure, toolchain]
  }
  return [null, null]
}

/**
 * What was to be run is not there, or its own program does not take its words any more. What a gate runs in its turn is part of the
 * gate: where that finds nothing to run, the gate did run, and is red.
 */
const isUnstarted = (failure: Failure | null, teller: Toolchain | null, { invocation, toolchain }: Known): boolean =>
  invocation?.delegates === false ? failure?.unstarted === true || failure?.class === 'usage' : failure?.unstarted === true && teller === toolchain

/** Whom a service did not take for one who may is refused for a credential that no commit holds; such a failure is of no class. */
function reasonOf(failure: Failure | null, output: string, inPlace: boolean): string | undefined {
  const kind = failure?.class ?? null
  if (kind === null) return failure !== null && refusalsIn(output).length > 0 ? INFRA.denied : undefined
  return kind === 'path-missing' && inPlace ? undefined : INFRA[kind]
}

/** Failures that may be the machine's, and are not held against the commit. */
const INFRA: Readonly<Partial<Record<BoundaryClass, string>>> = {
  'program-missing': 'a program is missing',
  dependency: 'a package is missing',
  'path-missing': 'a file is missing',
  denied: 'it was not permitted',
}
