import type { BoundaryClass } from './claim.ts'
import type { Key } from './key.ts'
import { type Ending, type Failure, keysIn, upwards } from './toolchain.ts'

const MAX_LINES = 12
const MAX_LINE = 300
const MAX_ALL = 1700

/**
 * A failure in the tool's own words: bounded, each line once. `transient` where what befell the command passes, and
 * null where there is no line to tell of it.
 */
export function failed(ending: Ending, kind: BoundaryClass | null, lines: readonly string[], keys: readonly Key[] = []): Failure | 'transient' | null {
  if (passes(ending)) return 'transient'
  const told: string[] = []
  let left = MAX_ALL
  for (const line of lines.map((line) => line.trim().replace(/\s+/g, ' ').slice(0, MAX_LINE).toWellFormed())) {
    if (line === '' || told.includes(line)) continue
    left -= line.length
    if (told.length === MAX_LINES || left < 0) break
    told.push(line)
  }
  return told.length === 0 ? null : { class: kind, lines: told, keys: [...new Set(keys)] }
}

/** The same, of a runner that did not find what it was told to run. */
export function unfound(...failure: Parameters<typeof failed>): Failure | 'transient' | null {
  const found = failed(...failure)
  return found === null || found === 'transient' ? found : { ...found, unstarted: true }
}

/** What befell the command passes: it was stopped, or the network, the memory or the disk failed it, by the tool's own last words. */
export function passes({ code, output }: Ending): boolean {
  if (code !== null && (code < 0 || STOPPED.has(code))) return true
  return closing(output, 30).some(isPassing)
}

/** Whether an error line speaks of something that passes. A text that merely holds the word does not. */
export const isPassing = (line: string): boolean => line.length <= 1000 && PASSING.some((shape) => shape.test(line))

/**
 * What the failing tests of a run say, each as its lines: without those that only ran into a time limit, the network or
 * the like. `transient`: there are no others.
 */
export function lasting(tests: readonly (readonly string[])[]): readonly string[] | 'transient' {
  const kept = tests.filter((lines) => !lines.some((line) => isPassing(line) || TIMED_OUT.test(line.slice(0, 1000))))
  return tests.length > 0 && kept.length === 0 ? 'transient' : kept.flat()
}

/** The last lines of an output that are not blank, in order. */
export function closing(output: string, count: number): string[] {
  const lines: string[] = []
  let end = output.length
  while (end > 0 && lines.length < count) {
    const start = output.lastIndexOf('\n', end - 1) + 1
    const line = output.slice(start, end)
    if (line.trim() !== '') lines.unshift(line)
    end = start - 1
  }
  return lines
}

/** The error lines of a program that no toolchain knows, its last ones; else its last words. */
export function telling(output: string): string[] {
  const lines = closing(output, 200).filter((line) => !NOISE.test(line))
  const errors = lines.filter((line) => line.length <= 2000 && (ERROR_LINE.test(line) || COMPLAINT.test(line)))
  return errors.length > 0 ? errors.slice(-6) : lines.slice(-1)
}

/** The npm package that a module specifier names; null for a file, a built-in module, or what looks like an alias of a source folder. */
export function npmPackage(specifier: string): string | null {
  const name = /^(@[a-z0-9~][\w.~-]*\/[a-z0-9._~][\w.~-]*|[a-z0-9][\w.~-]*)(?:\/.*)?$/s.exec(specifier)?.[1]
  if (name === undefined || name.length > 214 || BUILT_IN.has(name)) return null
  return specifier !== name && SOURCE_FOLDERS.has(name) ? null : name
}

/** Keys that change when an npm package comes: its lockfile entry, and its place in a folder or above. */
export const packageKeys = (folder: string, name: string): Key[] => [`lock:npm/${name}`, ...upwards(folder, [`node_modules/${name}`], 'absent')]

/** The words of a command that name a path which a message gives in full, as paths of the repository. */
export function namedPath(ending: Ending, full: string): string | null {
  const plain = full.replaceAll('\\', '/')
  const words = ending.command.argv.slice(1).map((word) => word.replace(/^--?[\w-]+=/, '').replace(/^\.\//, ''))
  const word = words.find((word) => word !== '' && (plain === word || plain === `./${word}` || plain.endsWith(`/${word}`)))
  return word === undefined || word.startsWith('/') ? null : word
}

/** A path that a tool needs and that the command names: its `absent:` key, or nothing. */
export function absentPath(ending: Ending, full: string): Key[] {
  const word = namedPath(ending, full)
  return word === null ? [] : keysIn('absent', ending.command.folder, [word])
}

/** 124 is a time-out; above 128 a signal, but for 129, which git uses for misuse. */
const STOPPED = new Set([124, 130, 131, 134, 135, 136, 137, 139, 141, 143])

const NETWORK = 'ETIMEDOUT|ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT'
const THROWN = String.raw`^[\s#>|*]*(?:E {3,})?(?:Uncaught |thrown: ["']?|Caused by: |\[cause\]: )?\[?(?:[\w.]*(?:Error|Exception)|error)(?: \[\w+\])?: `
const PASSING: readonly RegExp[] = [
  // the network, as node and its friends say it
  new RegExp(String.raw`${THROWN}(?:(?:connect|read|write|listen|send|getaddrinfo|query\w*|socket|request to \S+ failed, reason:)[ :].{0,200})?\b(?:${NETWORK})\b(?: [\w.:[\]-]+)?\s*$`),
  new RegExp(String.raw`^\s*#?\s*code: ['"]?(?:${NETWORK}|ENOSPC|EMFILE|EROFS|EPERM)['"]?,?\s*$`),
  new RegExp(String.raw`^npm (?:error|ERR!) (?:code |network )?(?:E429|ENOSPC|EROFS|EPERM|${NETWORK})\b`),
  new RegExp(`${THROWN}(?:listen )?(?:ENOSPC|EROFS|EMFILE|EPERM)\\b`),
  new RegExp(`${THROWN}(?:fetch failed|socket hang up)`),
  /^npm (?:error|ERR!) (?:network|signal SIG)\b|^error Command failed with signal\b/,
  /^\s*ERR_PNPM_(?:META_FETCH_FAIL|FETCH_(?:429|5\d\d))/,
  // the network, as others say it
  /^curl: \((?:5|6|7|18|28|35|52|55|56|92)\)/,
  /^wget: unable to resolve host|^ssh: (?:Could not resolve|connect to host)|^kex_exchange_identification:|^Connection (?:closed|reset|timed out)\b/,
  /^(?:fatal|error): .{0,300}(?:Could not resolve (?:host|proxy)|Failed to connect to|Connection (?:timed out|refused|reset)|Operation timed out|early EOF|the remote end hung up|RPC failed|returned error: (?:429|5\d\d))/i,
  /^\s*\[\d+\] (?:Could not resolve|Couldn't resolve|Could not connect|Couldn't connect|Timeout was reached|SSL connect)/i,
  /^(?:warning: spurious network error|error: failed to download from)/,
  /^WARNING: Retrying \(|^ERROR: Could not install packages due to an OSError: HTTPS?ConnectionPool/,
  /^(?:E {3,})?[\w.]*(?:ConnectionError|ConnectionRefusedError|ConnectionResetError|ConnectTimeout|ReadTimeout|TimeoutError|MaxRetryError|gaierror|URLError)\b/,
  /\bdial (?:tcp|udp|unix)\b.{0,200}(?:connection refused|no such host|i\/o timeout|network is unreachable|server misbehaving)/,
  // rate limits
  /^HTTP 429\b|^toomanyrequests:|^(?:gh: |error: |Error: |fatal: )?(?:HTTP 403: )?(?:API )?rate limit exceeded|^(?:gh|error|Error): .{0,200}(?:HTTP 429|429 Too Many Requests|API rate limit exceeded)/i,
  // time, memory, disk and signals
  /^panic: test timed out after\b/,
  /^<--- Last few GCs|^(?:.{0,60}FATAL ERROR: |(?:Range)?Error(?: \[\w+\])?: ).{0,200}(?:heap out of memory|Allocation failed)/,
  /^Out of memory|^(?:fatal error: )?runtime: out of memory|^virtual memory exhausted|^(?:E {3,})?MemoryError\b|^(?:cc1|c\+\+|g\+\+|gcc|ld|collect2)\S*: .{0,80}(?:out of memory|Killed signal|memory exhausted)/i,
  /^(?:[\w./-]+: )?(?:line )?(?:\d+: )?\s*(?:\d+ )?(?:Killed|Terminated|Killed: 9|Bus error)(?:\s{2,}\S.*)?$/,
  /\(signal: \d+, SIG[A-Z]+|^signal: (?:killed|terminated|interrupt)|^make(?:\[\d+\])?: \*\*\* .{0,300}\] (?:Killed|Terminated|Interrupt|Hangup)$/,
  /^[\w./+-]+: .{0,300}(?:No space left on device|Disk quota exceeded|Read-only file system|Operation not permitted|Resource temporarily unavailable|Cannot allocate memory|Too many open files)\.?$/,
  /^(?:E {3,})?(?:OSError|PermissionError|BlockingIOError): \[Errno (?:1|11|12|24|28|30)\]/,
  /^sandbox-exec: |^bwrap: /,
]
const TIMED_OUT = /\b(?:Test|Hook) timed out in \d+ ?ms|\bExceeded timeout of \d+ ?ms for a |\btest timed out after \d+|\bTimeout of \d+ ?ms exceeded|\bFailed: Timeout >/

const ERROR_LINE = /^\s*(?:[\w./\\:@+-]+: )?(?:Uncaught |✖ |✗ |× |npm error )?(?:[\w.]*(?:Error|Exception)|error|fatal|FATAL|ERROR|FAIL|FAILED|failed|not ok|panic|\*\*\*)(?:\[\w+\]| \[\w+\])?(?:[: ]|$)/
/** What a program says behind its own name, in the words that programs have for it. */
const COMPLAINT =
  /^(?:[\w.+-]{0,60}\/){0,12}(?!(?:info|note|debug|warn|warning|hint|help):)[a-z][\w.+-]{0,60}: (?:[^:]{1,300}: ){0,3}[^:]{0,300}\b(?:cannot|can't|could not|couldn't|unable to|failed|no such|not found|invalid|illegal|denied|missing|unknown|unexpected|refused)\b/i
const NOISE = /^npm (?:error|ERR!)|^> |^\s*at |^Node\.js v|^\s*ELIFECYCLE|^error Command failed|^info Visit|^error: script ".*" exited/
const BUILT_IN = new Set(
  `assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https
  inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder sys timers tls trace_events tty url
  util v8 vm wasi worker_threads zlib`.split(/\s+/),
)
const SOURCE_FOLDERS = new Set(['src', 'app', 'lib', 'test', 'tests', 'dist', 'build', 'components', 'types'])
