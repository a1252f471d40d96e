import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const home = dirname(dirname(fileURLToPath(import.meta.url)))
export const program = join(home, JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).bin['git-remnant'])

/** Without what ties git to a repository, and without what makes Node slow to start. */
export const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^GIT_|^NODE_|^npm_(?!config_(?:userconfig|cache)$)/.test(name)))

/** Milliseconds of a whole process. */
export function timeOf(argv, cwd, input) {
  const start = process.hrtime.bigint()
  const { status, stderr } = spawnSync(argv[0], argv.slice(1), { cwd, env, stdio: [input === undefined ? 'ignore' : 'pipe', 'ignore', 'pipe'], input })
  const elapsed = Number(process.hrtime.bigint() - start) / 1e6
  if (status !== 0) throw new Error(`"${argv.join(' ')}" ended with ${status}: ${stderr}`)
  return elapsed
}

/** Times of several commands, run in turn so that a noisy moment strikes all of them. */
export function interleaved(commands, runs, cwd) {
  const times = commands.map(() => [])
  for (let i = -2; i < runs; i++)
    for (const [j, argv] of commands.entries()) {
      const time = timeOf(argv, cwd)
      if (i >= 0) times[j].push(time)
    }
  return times
}

/** Runs a command to its end, or until `limit` ms are over (then its status is null); wall milliseconds, peak resident memory in MiB (Linux), and its output. */
export async function watched(argv, cwd, limit = 0) {
  const start = process.hrtime.bigint()
  const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], timeout: limit, killSignal: 'SIGKILL' })
  let peak = 0
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const look = setInterval(() => {
    try {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
      if (found) peak = Math.max(peak, Number(found[1]) / 1024)
    } catch {
      // it has ended
    }
  }, 25)
  const status = await new Promise((done) => child.on('close', done))
  clearInterval(look)
  return { status, elapsed: Number(process.hrtime.bigint() - start) / 1e6, peak, output }
}

export function git(cwd, ...argv) {
  const { status, stdout, stderr } = spawnSync('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', ...argv], { cwd, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${argv.join(' ')} ended with ${status}: ${stderr}`)
  return stdout
}
