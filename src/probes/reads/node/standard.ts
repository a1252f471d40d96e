/** Modules of Node that look at no file of their own accord. */
export const QUIET = new Set('assert assert/strict util util/types path path/posix url events os crypto buffer string_decoder querystring timers timers/promises perf_hooks punycode stream stream/promises stream/consumers stream/web zlib async_hooks constants diagnostics_channel process console tty http https http2 net tls dns dns/promises dgram readline readline/promises'.split(' '))
export const FILES = new Set(['fs', 'fs/promises'])
/** Of these only the name with `node:` is Node's own. */
const PREFIXED = new Set(['node:test', 'node:test/reporters'])
/** It is Node's own, and looks at no file of its own accord. */
export const isQuiet = (specifier: string): boolean => QUIET.has(specifier.replace(/^node:/, '')) || PREFIXED.has(specifier)
/** What a module may take of `process` by name. */
export const QUIET_OF_PROCESS = new Set('process default argv argv0 env exit exitCode stdout stderr stdin cwd platform arch hrtime version versions pid ppid nextTick memoryUsage uptime on once emitWarning'.split(' '))
export const isBuiltin = (specifier: string): boolean => specifier.startsWith('node:') || QUIET.has(specifier) || FILES.has(specifier) || OTHERS.has(specifier)
export const OTHERS = new Set('child_process module vm worker_threads cluster repl v8 inspector wasi sys domain trace_events'.split(' '))

export const READS = new Set('readFileSync readFile createReadStream openSync open statSync stat lstatSync lstat readlinkSync readlink copyFileSync copyFile cpSync cp renameSync rename opendirSync opendir realpathSync realpath'.split(' '))
/** Of these, what tells more of a file than its content. */
export const MODES = new Set('statSync stat lstatSync lstat readlinkSync readlink realpathSync realpath'.split(' '))
/** Options that make a write fail where something lies there, or where nothing does. */
export const FRESH = /^[wa]x\+?$|^x[wa]\+?$|^r\+$/
export const LISTS = new Set('readdirSync readdir'.split(' '))
export const SEES = new Set('existsSync exists accessSync access'.split(' '))
export const WRITES = new Set('writeFileSync writeFile appendFileSync appendFile mkdirSync mkdir mkdtempSync mkdtemp rmSync rm rmdirSync rmdir unlinkSync unlink chmodSync chmod createWriteStream truncateSync truncate utimesSync closeSync close writeSync fsyncSync symlinkSync symlink'.split(' '))
export const STARTS = new Set('execFileSync execFile spawnSync spawn fork'.split(' '))
export const SHELLS = new Set(['exec', 'execSync'])
/** Names after which nothing is certain, wherever they stand. */
export const WILD = new Set('eval Function globalThis global WebAssembly Worker SharedWorker Deno Bun createRequire __non_webpack_require__ getBuiltinModule'.split(' '))
export const WILD_OF_PROCESS = new Set('chdir dlopen loadEnvFile getBuiltinModule binding _linkedBinding mainModule'.split(' '))

/** Modules through which files and programs are reached. */
export const reaches = (specifier: string): boolean => FILES.has(specifier.replace(/^node:/, '')) || specifier.replace(/^node:/, '') === 'child_process'
