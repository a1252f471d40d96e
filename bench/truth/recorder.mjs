import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env as plain, home } from '../process.mjs'

/**
 * A session that really takes place: commands are run, files are written, and what came of each is kept as neutral records that
 * the writers put down in a host's own format. Times are made up, a minute apart. What is planted must be found nowhere later.
 */
export function openRecorder(folder, project, refusalOf) {
  const root = join(folder, 'small')
  for (const [path, text] of Object.entries(project?.files ?? { 'README.md': 'Small.\n' })) put(root, path, text)
  for (const name of project?.modules ?? []) {
    mkdirSync(join(root, 'node_modules', '.bin'), { recursive: true })
    symlinkSync(join(home, 'node_modules', name), join(root, 'node_modules', name))
    symlinkSync(join(home, 'node_modules', name, 'bin', 'tsc'), join(root, 'node_modules', '.bin', 'tsc'))
  }
  const session = randomUUID()
  const plants = [session, randomUUID(), `/tmp/scratch-${randomUUID().slice(0, 8)}/out.txt`, `127.0.0.1:${49152 + Math.floor(Math.random() * 16000)}`, `pid ${20000 + Math.floor(Math.random() * 9999)}`, `2026-06-0${1 + Math.floor(Math.random() * 8)}T11:42:17.${100 + Math.floor(Math.random() * 899)}Z`]
  const env = { ...Object.fromEntries(Object.entries(plain).filter(([name]) => !/^(?:CI|FORCE_COLOR|RUST_BACKTRACE|PYTEST_ADDOPTS)$/.test(name))), CARGO_NET_OFFLINE: 'true', PYTHONDONTWRITEBYTECODE: '1', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', PLANT: plants.join(' '), ...IDENTITY }
  const records = []
  const add = (record) => void records.push({ id: `${records.length}`.padStart(3, '0'), ...record })
  return {
    root,
    session,
    plants,
    records,
    /** Runs a command as the agent would have typed it. `came`: what befell it that is no status (`rejected`, `interrupted`, `timed-out`). */
    async run(command, { came = null, behind = false, cwd = root } = {}) {
      if (came !== null) return add({ kind: 'run', command, cwd, came, status: null, output: '' })
      const { status, output } = await outputOf(command, cwd, env)
      add({ kind: 'run', command, cwd, came: null, behind, status, output })
      return status
    },
    edit(path, text) {
      const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null
      put(root, path, text)
      add({ kind: 'edit', path: join(root, path), before, after: text })
    },
    /** Changes a file so that no record shows it. */
    put: (path, text) => put(root, path, text),
    read(path) {
      add({ kind: 'read', path: join(root, path), text: readFileSync(join(root, path), 'utf8') })
    },
    say: (text) => add({ kind: 'say', text }),
    /** `git remnant claim`, answered as the verb answers. */
    async claim(words) {
      const refusal = await refusalOf(words)
      add({ kind: 'run', command: `git remnant claim ${words}`, cwd: root, came: null, status: refusal === null ? 0 : 1, output: refusal === null ? 'admitted' : `refused by ${refusal.rule}: ${refusal.reason}` })
    },
    git: (...argv) => spawnSync('git', argv, { cwd: root, env, stdio: 'ignore' }),
  }
}

const IDENTITY = Object.fromEntries(['AUTHOR', 'COMMITTER'].flatMap((who) => [[`GIT_${who}_NAME`, 'Bench'], [`GIT_${who}_EMAIL`, 'bench@example.org']]))

function put(root, path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text, { mode: text.startsWith('#!') ? 0o755 : 0o644 })
}

/** Both streams as one, as agents' logs have them. A status of -1: a signal ended it. */
function outputOf(command, cwd, env) {
  const child = spawn('bash', ['-c', `exec 2>&1\n${command}`], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((done) => child.on('close', (code) => done({ status: code ?? -1, output })))
}
