import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FLAGS } from '../build/kept.mjs'
import { env, git, home, program } from './process.mjs'
import { median, ms } from './table.mjs'

const CLAIMS = 10_000
const A_SESSION = 500
const CALLS = Number(process.env.CALLS ?? 1_000)
/** Calls that start Node, and their floor. */
const NODE_CALLS = Number(process.env.NODE_CALLS ?? 1_000)

/** The hook before a call, as whole processes: what an agent waits for. */
export async function guarding(folder) {
  const [plain, full] = ['plain', 'full'].map((name) => repositoryIn(join(folder, name)))
  fill(full)
  const hook = (at, command) => ({ argv: [join(home, 'hooks', 'guard'), 'claude', 'PreToolUse'], cwd: at, payload: (i) => payload(at, command(i), i) })
  const floor = (argv) => ({ argv, cwd: plain, payload: () => '' })
  const wide = `cat > notes.txt <<'EOF'\n${'some words that name no command at all "here"\n'.repeat(3_300)}EOF`
  const said = spawnSync(join(home, 'hooks', 'guard'), ['claude', 'PreToolUse'], { cwd: full, env, input: payload(full, 'tool-77-absent --run', -1), encoding: 'utf8' })
  if (!said.stdout.includes('tool-77-absent')) throw new Error(`the guard said nothing: ${said.stdout}${said.stderr}`)

  const [shell, none, miss, large] = timed([floor(['sh', '-c', ':']), hook(plain, () => 'ls -la'), hook(full, () => 'make all'), hook(full, () => wide)], CALLS)
  const known = (i) => `tool-${(i * 37 + 1) % CLAIMS}-absent --run`
  const bundle = { ...hook(full, known), argv: [process.execPath, ...FLAGS, join(home, 'dist', 'agent.cjs'), 'claude', 'PreToolUse'] }
  const [node, thin, match, deed] = timed([floor([process.execPath, '-e', '0']), bundle, hook(full, known), hook(full, () => 'npm publish')], NODE_CALLS)
  const rows = (what, times, floors, target) => {
    const ratio = median(times.map((time, i) => time / floors[i]))
    return { what, value: `${ms(median(times))} p95 ${ms(part(times, 0.95))}`, floor: `${ms(median(floors))} p95 ${ms(part(floors, 0.95))}`, ratio, ...(target !== null && { target: `≤ ${target}`, met: ratio <= target }) }
  }
  return {
    note: `${CLAIMS} live claims; whole processes in turn, ${CALLS} calls each, those that start Node ${NODE_CALLS}; floors: sh -c :, node -e 0; the ratio is the median of those of each turn`,
    rows: [
      rows('no index', none, shell, 4),
      rows('an index, no match', miss, shell, 4),
      rows(`no match in a payload of ${Math.round(wide.length / 1000)} kB`, large, shell, 4),
      rows(`a dead end among ${CLAIMS}, by the bundle alone`, thin, node, 1.2),
      rows(`a dead end among ${CLAIMS}, by the whole hook`, match, node, null),
      rows('a mutation that is written down before it is made', deed, node, null),
    ],
  }
}

function timed(calls, runs) {
  const times = calls.map(() => [])
  for (let i = -3; i < runs; i++)
    for (const [j, { argv, cwd, payload: of }] of calls.entries()) {
      const input = of(i + 3)
      const start = process.hrtime.bigint()
      const { status, stderr } = spawnSync(argv[0], argv.slice(1), { cwd, env, input, stdio: ['pipe', 'pipe', 'pipe'] })
      const elapsed = Number(process.hrtime.bigint() - start) / 1e6
      if (status !== 0) throw new Error(`"${argv.join(' ')}" ended with ${status}: ${stderr}`)
      if (i >= 0) times[j].push(elapsed)
    }
  return times
}

const part = (numbers, share) => [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]

const payload = (cwd, command, i) =>
  JSON.stringify({
    session_id: `session-${i}`,
    transcript_path: '/nowhere/session.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command, description: 'one call' },
    tool_use_id: `call-${i}`,
  })

function repositoryIn(path) {
  mkdirSync(path)
  git(path, 'init', '-q')
  writeFileSync(join(path, 'package.json'), '{"name":"bench","version":"1.0.0"}\n')
  git(path, 'add', '-A')
  git(path, 'commit', '-q', '-m', 'start')
  return path
}

/** As many dead ends as claims, in sessions that one teardown seals. */
function fill(repository) {
  const journals = join(repository, '.git', 'remnant', 'journals')
  mkdirSync(journals, { recursive: true })
  for (let first = 0; first < CLAIMS; first += A_SESSION) {
    const session = `session-${first}`
    const lines = Array.from({ length: A_SESSION }, (_, i) => ({
      ...{ schema: 'git-remnant/observation/1', host: 'claude-code', session, record_id: `call-${i}`, at: new Date(Date.UTC(2026, 0, 1) + (first + i) * 1000).toISOString() },
      ...{ kind: 'command', folder: '.', head: null, command: `tool-${first + i}-absent --run`, outcome: { is: 'code', code: 127 } },
      ...{ output: `bash: line 1: tool-${first + i}-absent: command not found\n`, edits: [], declared: null, keys: {}, worktree: repository },
    }))
    writeFileSync(join(journals, `claude-code-${createHash('sha256').update(session).digest('hex')}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'teardown', '--here', '--json'], { cwd: repository, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(`teardown ended with ${status}: ${stdout}${stderr}`)
  const { sessions } = JSON.parse(stdout)
  const kept = sessions.reduce((sum, { claims }) => sum + claims.falsified_boundaries, 0)
  if (kept !== CLAIMS) throw new Error(`${kept} of ${CLAIMS} claims were kept`)
}
