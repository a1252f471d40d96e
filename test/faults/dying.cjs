// Loaded before the program: kills it (SIGKILL) in the midst of its DIE_ATth step of writing. Without DIE_AT the steps are
// counted, and how many there were is written to DIE_COUNT. LATER_MS: so much later than it is.
const fs = require('node:fs')
const children = require('node:child_process')
const at = Number(process.env.DIE_AT ?? 0)
const count = process.env.DIE_COUNT
const later = Number(process.env.LATER_MS ?? 0)
for (const name of ['DIE_AT', 'DIE_COUNT', 'LATER_MS', 'NODE_OPTIONS']) delete process.env[name]
const real = { ...fs }
let steps = 0

function step(half) {
  steps += 1
  if (steps !== at) return
  half?.()
  process.kill(process.pid, 'SIGKILL')
  for (;;);
}

if (at > 0 || count !== undefined) {
  const before = (name, half) => {
    fs[name] = (...args) => {
      step(half && (() => half(...args)))
      return real[name](...args)
    }
  }
  const reads = (flags) => flags === 'r' || flags === undefined || (typeof flags === 'number' && (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR | fs.constants.O_CREAT)) === 0)
  fs.openSync = (path, flags, ...rest) => {
    if (!reads(flags)) step(() => real.closeSync(real.openSync(path, flags, ...rest)))
    return real.openSync(path, flags, ...rest)
  }
  before('writeSync', (fd, bytes, offset = 0, length = bytes.length - offset) => typeof bytes !== 'string' && fd > 2 && real.writeSync(fd, bytes, offset, length >> 1))
  for (const name of ['fsyncSync', 'renameSync', 'linkSync', 'symlinkSync', 'unlinkSync', 'rmSync', 'rmdirSync', 'mkdirSync', 'fchmodSync', 'chmodSync', 'ftruncateSync']) before(name)
  before('appendFileSync', (path, text) => real.appendFileSync(path, text.slice(0, text.length >> 1)))
  before('writeFileSync', (path, text) => real.writeFileSync(path, text.slice(0, text.length >> 1)))
  for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) {
    const start = children[name]
    children[name] = (...args) => {
      step()
      return start(...args)
    }
  }
  if (count !== undefined) process.on('exit', () => real.writeFileSync(count, String(steps)))
}

if (later > 0) {
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...args) {
      super(...(args.length === 0 ? [Real.now() + later] : args))
    }
    static now() {
      return Real.now() + later
    }
  }
}
