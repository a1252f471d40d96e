import { closing, failed } from './ending.ts'
import type { Key } from './key.ts'
import type { Ending, Failure } from './toolchain.ts'

/**
 * The last words by which a tool says that a service, or whoever asks for a password, did not take the caller for one who may.
 * Credentials are given, renewed and taken away, and a service's policy is changed, without a trace in the work tree or machine.
 */
export const refusalsIn = (output: string): readonly string[] => closing(output, 15).filter((line) => line.length <= 1000 && REFUSALS.some((shape) => shape.test(line)))

/**
 * The same as a failure, told by these lines: of no class, since no key shows its end. Only where the tool says that a variable is
 * missing, and names no other way to log in, its being set is that end.
 */
export function refused(ending: Ending, lines: readonly string[]): Failure | 'transient' | null {
  const last = closing(ending.output, 15).filter((line) => line.length <= 1000)
  const names = last.some((line) => LOGS_IN.test(line)) ? [] : last.flatMap((line) => (MISSING.test(line) ? (line.match(VARIABLE) ?? []) : []))
  const keys = [...new Set(names)].map((name): Key => `env:${name}`)
  return keys.length === 0 ? failed(ending, null, lines) : failed(ending, 'denied', lines, ['privilege', ...keys])
}

const LOGS_IN = /\b(?:auth|sso|npm|docker|az|gcloud|cargo|gem|glab|gh) (?:auth )?(?:login|signin|adduser)\b|\blog(?:ged)? ?in\b|\bsign in\b/i
const MISSING = /\b(?:set|populate|export|missing|requires?|required|not (?:set|defined|found)|unset|Failed to replace env in config)\b/i
const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:TOKEN|KEY|PASSWORD|SECRET|PAT|CREDENTIALS)\b/g

const REFUSALS: readonly RegExp[] = [
  // ssh and what goes through it
  /^(?:\S{1,200}: )?Permission denied(?: \([a-z,-]{3,200}\)\.?|, please try again\.)$/,
  // git, its forges and their tools
  /^(?:fatal|error|remote|denied|unauthorized): .{0,300}(?:Authentication failed|could not read (?:Username|Password)|Permission to \S+ denied|not authorized)/i,
  /^(?:fatal|error|remote|denied|unauthorized): .{0,300}(?:unauthorized|authentication required|Access denied|protected branch|access to the resource is denied|Repository not found)/i,
  /^(?:fatal|error): .{0,300}returned error: 40[13]\b|^curl: \(22\) .{0,200}error: 40[13]\b/,
  /^(?:gh: |HTTP |error: |Error: |ERROR: |remote: ).{0,200}(?:\bHTTP 40[13]\b|\b401:? (?:Unauthorized|Bad credentials)|\b403:? Forbidden|\b40[13] \(|Bad credentials)/i,
  /^HTTP 40[13]: |^(?:\S{1,100}: )?HTTP\/[\d.]+ 40[13]\b/,
  /^(?:To get started with GitHub CLI, please run|gh: To use GitHub CLI in)/,
  /^\s*! \[remote rejected\] .{1,300}\((?:protected branch|permission denied|.{0,60}hook declined)/,
  // registries
  /^(?:Error response from daemon: |ERROR: |error: )?.{0,200}\b(?:no basic auth credentials|(?:pull )?access denied for |denied: requested access to the resource is denied|unauthorized: )/,
  /^npm (?:error|ERR!) (?:code )?(?:E401|E403|ENEEDAUTH|EOTP)\b|^npm (?:error|ERR!) need auth /,
  /^(?:ERROR: {1,4})?HTTPError: 40[13] |^error: no token found\b|^Access Denied\. Please sign up/,
  // clouds, clusters and databases
  /^An error occurred \((?:AccessDenied|UnauthorizedOperation|UnrecognizedClient|InvalidClientTokenId|InvalidAccessKeyId|SignatureDoesNotMatch|AuthFailure|ExpiredToken|RequestExpired)\w*\)/,
  /^Unable to locate credentials\b|^(?:Error: |ERROR: )?(?:The SSO session |Error loading SSO Token|Token has expired|The security token )/,
  /^ERROR: \(gcloud\.[\w.-]{1,100}\) .{0,300}(?:active account|auth tokens|authenticat|PERMISSION_DENIED|credentials)/i,
  /^ERROR: (?:AADSTS\d+|Please run 'az login'|\(AuthorizationFailed\))/,
  /^error: You must be logged in to the server\b|^Error from server \((?:Forbidden|Unauthorized)\)/,
  /(?:^|: )FATAL: {1,2}(?:password authentication failed|no pg_hba\.conf entry|role "[^"]{1,100}" does not exist)|^ERROR 1045 \(28000\)/,
  // whoever asks for a password here
  /^sudo: (?:\d+ incorrect password|a password is required|a terminal is required|.{0,100}not in the sudoers)/,
  // any other: what it says of a token, or that nobody is logged in
  /^(?:[\w.-]{1,60}: |error: |fatal: |ERROR: |Error: ){1,2}.{0,200}\b(?:authentication (?:is )?(?:required|failed)|unauthenticated|not (?:logged in|authenticated)|(?:token|credentials?|session) (?:is |are |has |have )?(?:been )?(?:expired|revoked)|(?:invalid|expired|missing) (?:(?:access|auth|authentication|api|bearer|refresh|security) (?:token|key)|credentials?))\b/i,
]
