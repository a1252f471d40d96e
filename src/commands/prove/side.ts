import { sha256 } from '../../base/digest.ts'
import { plainLines } from '../../base/plain.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { touches } from '../../distill/changes.ts'
import { wordless } from '../../distill/failures.ts'
import { knowing } from '../../distill/known.ts'
import { signatureOf } from '../../distill/normalise.ts'
import { checkedNothing } from '../../distill/printed.ts'
import type { Collected } from '../../host/processes.ts'
import { redDigest } from '../../host/proofs.ts'
import { type TrialOptions, openTrial } from '../../host/trial.ts'
import type { Isolation } from '../../host/trial/isolation.ts'
import type { DebugResidual } from '../../model/claim.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import { splitKey } from '../../model/key.ts'
import { MIN_HASHED_OUTPUT } from '../../model/receipt.ts'
import type { Sets } from '../../model/sets.ts'

export type ProofOutcome = NonNullable<DebugResidual['proof']>

/**
 * What one run shows. `told`: it failed as a failing test or check does. `closed`: a tool's own closing lines say so too.
 * `infra`: it says nothing about the code.
 */
export type Shown =
  | { readonly is: 'green'; readonly output_sha256: string | null; readonly closed: boolean }
  | { readonly is: 'red'; readonly signature: string; readonly told: boolean; readonly closed: boolean }
  | { readonly is: 'infra'; readonly reason: string }

/** One tree and the runs in it; after one that says nothing there is no other. */
export interface Side {
  readonly commit: string
  /** null: the tree could not be made ready. */
  readonly isolation: Isolation | null
  readonly runs: readonly Shown[]
}

export interface Trying {
  readonly commit: string
  readonly overlay?: NonNullable<TrialOptions['overlay']>
  readonly command: CanonicalCommand
  /** If a session recorded how the gate was red, only that counts as red: digests of its signatures. */
  readonly recorded: ReadonlySet<string>
}

const TIMEOUT_S = 120
const RUNS = 2

/** Runs the gate twice in a temporary tree of one commit. Throws `refused` for a gate that may not run so. */
export async function trySide({ commit, overlay, command, recorded }: Trying, host: Host): Promise<Side> {
  const [repository, git, config, sets] = [await host.repository(), await host.git(), await host.config(), await host.sets()]
  const { files, processes, env } = host
  const timeoutMs = Math.max(1, config.gate?.timeout_s ?? TIMEOUT_S) * 1000
  try {
    // What the configuration that counts here says of set-up has been accepted in this clone.
    const trial = await openTrial({ repository, git, files, processes, env, config, commit, approved: () => true, ...(overlay !== undefined && { overlay }) })
    try {
      const runs: Shown[] = []
      while (runs.length < RUNS && runs.at(-1)?.is !== 'infra') {
        host.progress(`run ${runs.length + 1} of ${RUNS} on ${commit.slice(0, 12)}`)
        runs.push(await shownBy(await trial.run(command, { timeoutMs }), { command, folder: trial.folder, recorded, timeoutMs }, sets))
      }
      return { commit, isolation: trial.isolation, runs }
    } finally {
      await trial.close()
    }
  } catch (cause) {
    if (!(cause instanceof RemnantError) || !(cause.fault === 'missing' || cause.fault === 'timeout')) throw cause
    return { commit, isolation: null, runs: [{ is: 'infra', reason: cause.message }] }
  }
}

/** The commit changes what the gate is, and where a tool closed with failed tests before, none closes with passed ones: what is green may be another gate. */
export const isAnother = (red: Side, green: Side, redefined: boolean): boolean => redefined && closes(red) && !closes(green)

const closes = ({ runs }: Side): boolean => runs.some((run) => run.is !== 'infra' && run.closed)

/** The files that say what a gate does, as its keys name them, are among the changed ones. */
export const redefines = (command: CanonicalCommand, changed: readonly { readonly path: string }[], { toolchains }: Sets): boolean => {
  const keys = (knowing(toolchains)(command).invocation?.keys ?? []).filter((key) => DEFINES.has(splitKey(key).probe))
  return changed.some(({ path }) => keys.some((key) => touches({ is: 'path', path }, key)))
}

const DEFINES = new Set(['file', 'makefiles', 'manifests'])

/** Red that differs is no red to rely on, nor is green that comes and goes. `redefined`: the commit changes what defines the gate. */
export function outcomeOf(red: Side, green: Side, redefined = false): ProofOutcome {
  const all = [...red.runs, ...green.runs]
  if (all.some(({ is }) => is === 'infra')) return 'INFRA_FAILURE'
  if (differs(red.runs) || differs(green.runs)) return 'FLAKY'
  if (green.runs[0]?.is === 'red') return 'STILL_RED'
  const [before] = red.runs
  if (before?.is !== 'red') return 'VACUOUS'
  return before.told && !isAnother(red, green, redefined) ? 'PROVEN' : 'INFRA_FAILURE'
}

/** How a tree was red each time in one way; null: it was not. */
export function redOf({ runs }: Side): string | null {
  const [first] = runs
  return first?.is === 'red' && runs.length === RUNS && !differs(runs) ? first.signature : null
}

const differs = (runs: readonly Shown[]): boolean => new Set(runs.map((run) => (run.is === 'red' ? `red ${run.signature}` : run.is))).size > 1

async function shownBy(run: Collected, at: { command: CanonicalCommand; folder: string; recorded: ReadonlySet<string>; timeoutMs: number }, sets: Sets): Promise<Shown> {
  const infra = (reason: string): Shown => ({ is: 'infra', reason })
  if (run.timedOut) return infra(`it took over ${at.timeoutMs / 1000} s`)
  if (run.signal !== null) return infra(`it was stopped by ${run.signal}`)
  const known = knowing(sets.toolchains)(at.command)
  const output = plainLines(run.output)
  if (run.status === 127) return infra('its program is missing')
  if (run.status === 126) return infra('its program can not be started')
  if (NO_TESTS.test(output) || checkedNothing(output)) return infra('it found no tests')
  const said = known.invocation?.verifies === true ? known.readers.map((toolchain) => toolchain.summary(output)?.passed) : []
  const closed = said.includes(false)
  if (run.status === 0 && !closed) return { is: 'green', closed: said.includes(true), output_sha256: Buffer.byteLength(run.output) < MIN_HASHED_OUTPUT ? null : sha256(run.output) }
  const failures = known.tellers.map((toolchain) => toolchain.failure({ command: at.command, code: run.status === 0 ? null : run.status, output }))
  const failure = failures.find((one) => one !== null) ?? null
  if (failure === 'transient') return infra('the network, the memory, the disk or a time limit failed it')
  const silent = failure === null ? wordless(known, { is: 'code', code: run.status }) : null
  if (silent !== null) return { is: 'red', signature: silent.lines.join('\n'), told: at.recorded.has(redDigest(silent.lines.join('\n'))), closed }
  const signature = failure === null ? null : await signatureOf(failure.lines, { session: '', root: at.folder }, sets.ephemera)
  if (failure === null || signature === null) return { is: 'red', signature: `exit status ${run.status}`, told: false, closed }
  if (failure.class !== null && failure.class !== 'red') return infra(`${CLASSES[failure.class]}: ${signature.signature.split('\n', 1)[0]}`)
  if (failure.lines.some((line) => MISSING.test(line))) return infra(`a module is missing: ${signature.signature.split('\n', 1)[0]}`)
  const told = at.recorded.size === 0 ? failure.class === 'red' && (!isTest(at.command) || !NEVER_RAN.test(output)) : at.recorded.has(redDigest(signature.signature))
  return { is: 'red', signature: signature.signature, told, closed }
}

const CLASSES = {
  'program-missing': 'a program is missing',
  usage: 'it was called in a wrong way',
  dependency: 'a package is missing',
  'path-missing': 'a file is missing',
  denied: 'it was not permitted',
} as const

/** A file or module that is not there at all: no test got as far as to fail. */
const MISSING =
  /\b(?:Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|Failed to (?:resolve import|load url)|ModuleNotFoundError|No module named|cannot find package|no required module provides package|unresolved import|can't find crate)\b/
/** By its words it runs tests, so that only a failing test shows anything: of a build, a type check or a lint what it says is the failure itself. */
const isTest = ({ argv }: CanonicalCommand): boolean => argv.some((word) => /(?:^|[^a-z])(?:c?tests?|spec|jest|vitest|mocha|pytest|unittest|tox|nox|check|verify)(?:$|[^a-z])/i.test(word))
/** What was to be tested could not be built, loaded or collected. */
const NEVER_RAN = new RegExp(
  [
    String.raw`^error(?:\[E\d+\])?: could not compile|^error\[E\d+\]`,
    String.raw`\bdoes not provide an export named\b|^SyntaxError\b|^\s*SyntaxError: |\bSyntaxError \[|error: '.{0,80}SyntaxError`,
    String.raw`^ERROR collecting |^_+ ERROR collecting |^!+ Interrupted: \d+ errors? during collection|^(?:E +)?(?:ImportError|IndentationError): |unittest\.loader\._FailedTest`,
    String.raw`^[\w./+-]{1,200}(?::\d+){1,2}: (?:fatal )?error: |\bundefined reference to |\bld returned \d+ exit status`,
    String.raw`^\[ERROR\] COMPILATION ERROR|\[build failed\]|\[setup failed\]|^[\w./]{1,200}\.java:\d+: error: |\berror TS\d+: `,
    String.raw`Test suite failed to run|Failed Suites \d`,
  ].join('|'),
  'm',
)
/** A runner's own closing words where it had nothing to run. */
const NO_TESTS =
  /^(?:#|ℹ) tests 0$|^No test files found\b|^No tests found\b|^(?:=+ )?no tests ran\b|^collected 0 items(?: |$)|^Ran 0 tests? in\b|^testing: warning: no tests to run$|^Error: No test files found/m
