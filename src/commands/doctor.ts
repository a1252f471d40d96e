import { agents } from '../agents.ts'
import { RemnantError } from '../base/errors.ts'
import type { Answer, Command, Host } from '../command.ts'
import { reachOfAgent } from '../host/agent-config/reach.ts'
import { localConfig, trackedConfig } from '../host/config.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { configuredSigners, signersHere } from '../host/trust/signers.ts'
import { RANKS, type Rank } from '../model/rank.ts'
import { plainText } from '../model/plain.ts'
import { listSignatures, readSignatures } from '../store/signing/signatures.ts'
import { readVerified } from '../store/signing/verified.ts'
import { HOOK_NAMES } from '../host/hooks/text.ts'
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
  details: 'It runs our part of each hook with a mark that makes it answer and end. The guard\'s index is made anew. Nothing of yours is changed, and no code of yours is run.',
  statuses: { 1: 'something is not as it should be' },
  run: async (_args, host) => {
    const checks = [node(), await git(host), await repository(host)]
    if (checks.every(({ ok }) => ok)) {
      checks.push(...(await configuration(host)))
      await rebuildGuardIndex(host)
      checks.push(...(await trust(host)), ...(await hooks(host)))
    }
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
    const { commonDir, workTree, shallow, objectFormat, refStorage } = await host.repository()
    if (workTree === null) return { name: 'repository', ok: false, note: `${commonDir} is bare: it has no work tree`, hint: 'run it in a work tree' }
    const { status, stderr } = objectFormat === 'sha1' && refStorage === 'files' ? { status: 0, stderr: '' } : await (await host.git()).try(['rev-parse', '--git-dir'])
    if (status !== 0) return { name: 'repository', ok: false, note: `${commonDir}: ${plainText(stderr.trim().replace(/\s+/g, ' '), 200)}`, hint: 'update git: SHA-256 objects need 2.29, refs in a table 2.45' }
    return { name: 'repository', ok: true, note: `${commonDir}: ${objectFormat === 'sha1' ? 'SHA-1' : 'SHA-256'} objects, refs ${refStorage === 'files' ? 'as files' : 'in a table'}${shallow ? ', shallow' : ''}`, hint: null }
  } catch (thrown) {
    if (!(thrown instanceof RemnantError)) throw thrown
    return { name: 'repository', ok: false, note: thrown.message, hint: thrown.hint ?? null }
  }
}

/** Whether each file of the configuration can be read. Nothing is said where there is none, or all is well. */
async function configuration(host: Host): Promise<Check[]> {
  const repository = await host.repository()
  return [() => localConfig(repository, host.files), () => trackedConfig(repository, host.files)].flatMap((read) => {
    try {
      read()
      return []
    } catch (thrown) {
      if (!(thrown instanceof RemnantError)) throw thrown
      return [{ name: 'configuration', ok: false, note: thrown.message.replace(/^configuration /, ''), hint: thrown.hint ?? null }]
    }
  })
}

/** How far what is stored is trusted, and whether all that could be told of it was. Nothing is said where there is nothing. */
async function trust(host: Host): Promise<Check[]> {
  const repository = await host.repository()
  const counts = new Map<Rank, number>()
  for await (const stored of (await host.store()).readAll()) if ('remnant' in stored) counts.set(stored.rank, (counts.get(stored.rank) ?? 0) + 1)
  const ranks: Check[] = counts.size === 0 ? [] : [{ name: 'ranks', ok: true, note: RANKS.flatMap((rank) => (counts.has(rank) ? [`${counts.get(rank)} ${rank}`] : [])).join(', '), hint: null }]

  const signers = signersHere(repository, host.files)
  const file = configuredSigners(repository, host.files)
  const names = listSignatures(repository)
  if (names.length === 0 && signers.accepted.length === 0 && file === null) return ranks
  const checked = new Set(readVerified(repository.commonDir, host.files).map(({ digest }) => digest))
  const open = (await readSignatures(names.filter(({ digest }) => !checked.has(digest)), repository, host.git)).filter((one) => !('fault' in one) && signers.linesFor(one.key).length > 0)
  const note = `${signers.accepted.length} accepted; ${signaturesInWords(names.length, open.length)}${file === null || file.accepted ? '' : `; "${plainText(file.path, 80)}" is not accepted as it is`}`
  const hint = open.length > 0 ? 'git remnant verify' : file === null || file.accepted ? null : 'read it, then: git remnant allow config'
  return [...ranks, { name: 'signers', ok: open.length === 0, note, hint }]
}

function signaturesInWords(all: number, open: number): string {
  if (all === 0) return 'no signature here'
  const count = all === 1 ? '1 signature' : `${all} signatures`
  return `${count}: ${open === 0 ? 'none by an accepted key is left to check' : open === 1 ? '1 by an accepted key is left to check' : `${open} by accepted keys are left to check`}`
}

async function hooks(host: Host): Promise<Check[]> {
  const world = reachWorld(await host.repository(), host.env, host.files, host.processes)
  const folder = await hookFolder(await host.git())
  const ofGit = await Promise.all(HOOK_NAMES.map((name) => reachOf(name, folder, host.installation, world)))
  const ofAgents = await Promise.all(agents.map((agent) => reachOfAgent(agent, host.installation, world)))
  return [...ofGit, ...ofAgents.filter((reach) => reach !== null)]
}

function answer(checks: readonly Check[]): Answer {
  return {
    text: checks.map(({ name, ok, note, hint }) => `${ok ? 'ok' : 'no'}  ${name}: ${plainText(note)}${hint === null ? '' : `\n      ${plainText(hint)}`}`).join('\n'),
    data: { checks },
    status: checks.every(({ ok }) => ok) ? 0 : 1,
  }
}
