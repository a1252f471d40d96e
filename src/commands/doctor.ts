import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { HOOK_NAMES } from '../host/hook-text.ts'
import { hookFolder, reachOf, reachWorld } from '../host/hooks.ts'

/** One thing that has to be so, whether it is, and the next step where it is not. */
interface Check {
  readonly name: string
  readonly ok: boolean
  readonly note: string
  readonly hint: string | null
}

export default {
  name: 'doctor',
  kind: 'porcelain',
  summary: 'Prove that each hook is reachable and that this machine and repository will do',
  details: 'It runs our part of each hook with a mark that makes it answer and end. Nothing is changed, and no code of yours is run.',
  statuses: { 1: 'something is not as it should be' },
  run: async (_args, host) => {
    const checks = [node(), await git(host), await repository(host)]
    if (checks.every(({ ok }) => ok)) checks.push(...(await hooks(host)))
    return answer(checks)
  },
} satisfies Command

const NEEDED_NODE = [20, 19] as const

function node(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const ok = major > NEEDED_NODE[0] || (major === NEEDED_NODE[0] && minor >= NEEDED_NODE[1])
  return { name: 'node', ok, note: `Node ${process.versions.node}`, hint: ok ? null : `Node ${NEEDED_NODE.join('.')} or newer is needed` }
}

async function git(host: Host): Promise<Check> {
  const { status, stdout } = await host.processes.collect(['git', '--version'], { cwd: host.cwd, env: host.env, timeout: 10_000, limit: 4096 })
  const ok = status === 0
  return { name: 'git', ok, note: ok ? stdout.trim() : 'no program "git" on PATH', hint: ok ? null : 'install git' }
}

async function repository(host: Host): Promise<Check> {
  try {
    const { commonDir, workTree, shallow } = await host.repository()
    if (workTree === null) return { name: 'repository', ok: false, note: `${commonDir} is bare: it has no work tree`, hint: 'run it in a work tree' }
    return { name: 'repository', ok: true, note: `${commonDir}: SHA-1 objects, refs as files${shallow ? ', shallow' : ''}`, hint: null }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return { name: 'repository', ok: false, note: thrown.message, hint: thrown.hint ?? null }
  }
}

async function hooks(host: Host): Promise<Check[]> {
  const world = reachWorld(await host.repository(), host.env, host.files, host.processes)
  const folder = await hookFolder(await host.git())
  return Promise.all(HOOK_NAMES.map((name) => reachOf(name, folder, host.installation, world)))
}

function answer(checks: readonly Check[]): Answer {
  return {
    text: checks.map(({ name, ok, note, hint }) => `${ok ? 'ok' : 'no'}  ${name}: ${note}${hint === null ? '' : `\n      ${hint}`}`).join('\n'),
    data: { checks },
    status: checks.every(({ ok }) => ok) ? 0 : 1,
  }
}
