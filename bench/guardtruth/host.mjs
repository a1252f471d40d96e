import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { env as plain } from '../process.mjs'
import { keeping } from './keeping.mjs'

/** One call in so many goes through `hooks/guard` as a process too, and has to be answered alike. */
const REALLY = Number(process.env.REALLY ?? 10)

/**
 * A work tree in which an agent's host works: each call goes through the agents' hook before it is made, is really made, and goes
 * through the hook again. The environment of the calls is that of the hooks, as it is for a real host. `tool`: where git-remnant is
 * installed, and `hooked`, what its hook does, without a process of its own.
 */
export function openHost(folder, { home, program, hooked }, below = '.') {
  const root = join(folder, 'work', below)
  const bin = join(folder, 'bin')
  mkdirSync(root, { recursive: true })
  mkdirSync(bin)
  const env = { ...Object.fromEntries(Object.entries(plain).filter(([name]) => !STRANGE.test(name))), ...STEADY, HOME: folder, PATH: `${bin}:${plain.PATH}`, ...homes() }
  let calls = 0
  /** The call that was announced, and has not been made yet. */
  let announced = null
  const started = (argv, { cwd = root, input = '', more = {} } = {}) => outputOf(argv, cwd, { ...env, ...more }, input)
  const asProcess = (event, payload, more) => started([join(home, 'hooks', 'guard'), 'claude', event], { input: `${JSON.stringify(payload)}\n`, more })
  let asked = 0
  const hook = async (event, payload, more) => {
    const answer = await hooked(payload, event, { ...env, ...more }, home)
    // A hook that comes twice for one call is answered alike (a result is noted twice, and counts once).
    if (++asked % REALLY !== 0) return answer
    const other = await asProcess(event, payload, more)
    compared.calls++
    // Whoever can't tell in time is silent, and this machine is busy.
    if (other.status === answer.status && (other.stdout === '') !== (answer.stdout === '')) compared.late++
    else if (other.stdout !== answer.stdout || other.status !== answer.status) compared.differed.push(`${event} of ${JSON.stringify(payload.tool_input.command)}: hooks/guard says "${other.stdout}", and in this process it is "${answer.stdout}"`)
    return other
  }
  const said = (session, cwd, command) => ({ session_id: session, transcript_path: '/nowhere/session.jsonl', cwd, permission_mode: 'default', tool_name: 'Bash', tool_input: { command, description: 'one call' }, tool_use_id: `call-${calls}` })
  return {
    root,
    bin,
    env,
    put(path, text, mode) {
      const full = path.startsWith('/') ? path : join(root, path)
      mkdirSync(dirname(full), { recursive: true })
      writeFileSync(full, text, { mode: mode ?? (text.startsWith('#!') ? 0o755 : 0o644) })
    },
    remove: (path) => rmSync(path, { recursive: true, force: true }),
    /** What the guard says of a call: `silent`, `note`, `ask` or `deny`, and its words. */
    async before(session, command, { cwd = root, more = {} } = {}) {
      calls++
      announced = command
      const { stdout, stderr, status } = await hook('PreToolUse', { ...said(session, cwd, command), hook_event_name: 'PreToolUse' }, more)
      if (status !== 0 || stderr !== '') throw new Error(`the hook ended with ${status}: ${stderr}`)
      if (stdout === '') return { decision: 'silent', text: '' }
      const { permissionDecision, permissionDecisionReason, additionalContext } = JSON.parse(stdout).hookSpecificOutput
      return { decision: permissionDecision ?? 'note', text: permissionDecisionReason ?? additionalContext }
    },
    /** Really makes the call. A status of -1: a signal ended it. */
    async make(command, { cwd = root, more = {} } = {}) {
      const start = performance.now()
      const came = await started(['bash', '-c', `exec 2>&1\n${command}`], { cwd, more })
      return { ...came, took: Math.ceil(performance.now() - start) }
    },
    async after(session, command, { status, stdout, took }, { cwd = root, more = {} } = {}) {
      if (announced !== command) calls++
      announced = null
      const output = stdout.trimEnd()
      const payload = status === 0 ? { hook_event_name: 'PostToolUse', tool_response: { stdout: output, stderr: '', interrupted: false, isImage: false } } : { hook_event_name: 'PostToolUseFailure', error: `Exit code ${status}\n${output}` }
      const answer = await hook('PostToolUse', { ...said(session, cwd, command), ...payload, duration_ms: took }, more)
      if (answer.status !== 0 || answer.stdout + answer.stderr !== '') throw new Error(`the hook ended with ${answer.status}: ${answer.stdout}${answer.stderr}`)
    },
    /** Seals what is unsealed, as a person's commit or a typed teardown does. */
    async seal() {
      const { stdout, status } = await started([process.execPath, program, 'teardown', '--json'])
      if (status !== 0 && status !== 66) throw new Error(`teardown ended with ${status}: ${stdout}`)
    },
    /** Command lines of the dead ends that are stored, as JSON lists of words. */
    async boundaries() {
      const read = async (...argv) => JSON.parse((await started([process.execPath, program, ...argv, '--json'])).stdout)
      const { remnants } = await read('list')
      const shown = await Promise.all(remnants.map(({ digest }) => read('show', digest)))
      return new Set(shown.flatMap(({ remnant }) => remnant.falsified_boundaries.map(({ path }) => JSON.stringify(path.argv))))
    },
    remnant: (...argv) => started([process.execPath, program, ...argv]),
    git: (...argv) => started(['git', ...argv]),
    /** What is kept of the state now; `back` brings it back: the work tree, the programs, and what git-remnant noted. */
    keep: () => keeping(['work', 'bin'].map((name) => join(folder, name))),
  }
}

/** How often both ways of asking were compared, and where they differed. */
export const compared = { calls: 0, late: 0, differed: [] }

const STRANGE = /^(?:CI|FORCE_COLOR|NO_COLOR|RUST_BACKTRACE|PYTEST_\w+|PYTHON\w+|REMNANT\w*|npm_\w+|STEPS|MINUTES|REALLY|GUARDTRUTH_ONLY)$/
const STEADY = {
  ...Object.fromEntries(['AUTHOR', 'COMMITTER'].flatMap((who) => [[`GIT_${who}_NAME`, 'Bench'], [`GIT_${who}_EMAIL`, 'bench@example.org']])),
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', CARGO_NET_OFFLINE: 'true', PYTHONDONTWRITEBYTECODE: '1', npm_config_update_notifier: 'false', npm_config_audit: 'false' },
}

/** Where version managers keep their programs: HOME is another. */
const homes = () => Object.fromEntries([['CARGO_HOME', '.cargo'], ['RUSTUP_HOME', '.rustup'], ['PYENV_ROOT', '.pyenv']].flatMap(([name, folder]) => {
  const at = plain[name] ?? join(plain.HOME ?? '', folder)
  return existsSync(at) ? [[name, at]] : []
}))

function outputOf(argv, cwd, env, input) {
  const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  const out = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (out[name] += text))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ ...out, status: code ?? -1 }))
  })
}
