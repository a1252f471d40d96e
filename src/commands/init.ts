import { join, relative } from 'node:path'
import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { rebuildGuardIndex } from '../host/guarding/indexing.ts'
import { HOOK_NAMES } from '../host/hooks/text.ts'
import { type Installed, hookFolder, installHook, onPath } from '../host/hooks.ts'
import { shareWith } from '../host/sharing.ts'
import { addExclude, removeExclude, wantsExclude } from '../store/exclude.ts'
import { liesPlainly } from '../store/folders.ts'
import { trackedFiles } from '../store/format-page.ts'
import { remoteNamed } from '../store/sync/transport.ts'
import { installAgents, shownAgent } from './init/agents.ts'

export default {
  name: 'init',
  kind: 'porcelain',
  summary: 'Install git\'s hooks and those of the agents used here; hide (or --track) .remnants/',
  details:
    'A hook that is there already gets one marked block behind its first line. A hook in another language, a link, a folder of ' +
    'hooks that is tracked or shared, and what husky, lefthook and pre-commit write are left alone: then the one line to add is ' +
    'printed. An agent is used here if its program is on PATH or its folder (.claude, .codex, .gemini, .github/hooks) in the work tree: ' +
    'its local configuration of this work tree gets our entries, last in their lists, and keeps its own entries and comments; what git ' +
    'tracks is left alone. A second time changes nothing. "git remnant deinit" takes all of it back.',
  options: {
    agent: { type: 'string', value: 'NAME', many: true, describe: 'install hooks for claude, codex, gemini or copilot; those used here otherwise; none: for none' },
    share: { type: 'string', value: 'REMOTE', describe: 'the one remote that may have remnants, and whose remnants count as reported; nothing leaves before' },
    track: { type: 'boolean', describe: 'write .remnants/README.md and config.json, to be committed with the remnants' },
  },
  run: async (args, host) => {
    const { workTree } = await host.repository()
    if (workTree === null) throw new RemnantError('missing', 'repository is bare: it has no work tree', { hint: 'run it in a work tree' })
    const remote = args.text('share')
    const shared = remote === undefined ? [] : await share(await remoteNamed(await host.git(), remote), host)
    const inAgents = await installAgents(args.list('agent'), workTree, host)
    if (inAgents.length > 0) await rebuildGuardIndex(host) // the first call of a session comes before anything that would make it
    const folder = await hookFolder(await host.git())
    const hooks = HOOK_NAMES.map((name) => installHook(name, folder, host.installation, host.files))
    const written = args.flag('track') ? await track(workTree, host) : await hide(host)
    if (!onPath('git-remnant', host.env)) host.warn('hint: there is no git-remnant on PATH: hooks pass over it until there is')
    return {
      text: [...hooks.flatMap((hook) => shown(hook, workTree)), ...inAgents.flatMap((one) => shownAgent(one, workTree)), ...(inAgents.length === 0 && args.list('agent').length === 0 ? [NO_AGENT] : []), ...written.map(({ text }) => text), ...shared].join('\n'),
      data: { hooks, tracked: args.flag('track'), written: written.map(({ path }) => path), ...(inAgents.length > 0 && { agents: inAgents }), ...(remote !== undefined && { share: remote }) },
    }
  },
} satisfies Command

const NO_AGENT = 'agents: none is used here, by its program on PATH or its folder; --agent NAME installs hooks for one'

/** What is sealed here may go to that remote from now on, and what it has counts as reported here. */
async function share(remote: string, host: Host): Promise<string[]> {
  const fresh = shareWith(remote, await host.repository(), host.files)
  return [`remnants ${fresh ? '' : 'already '}go to ${remote}: with "git remnant push", and with each push to it by git; "git remnant push --dry-run" lists what would`]
}

interface Wrote {
  readonly path: string
  readonly text: string
}

async function hide(host: Host): Promise<Wrote[]> {
  const repository = await host.repository()
  if (!(await wantsExclude(repository, host.files, host.git))) return []
  addExclude(repository, host.files)
  return [{ path: join(repository.commonDir, 'info', 'exclude'), text: '.remnants/: kept out of git by info/exclude' }]
}

/** The folder is to be committed, so our own exclude line goes; a line of the user's stays, and `git add` will say so. */
async function track(workTree: string, host: Host): Promise<Wrote[]> {
  removeExclude(await host.repository(), host.files)
  const written: Wrote[] = []
  for (const [path, text] of trackedFiles(await rootOf(host))) {
    if (!liesPlainly(workTree, path)) throw new RemnantError('unwritable', `"${join(workTree, '.remnants')}" is not a plain folder`, { hint: 'move it away: nothing is written through a link' })
    if (host.files.stat(join(workTree, path)) !== null) continue
    host.files.write(join(workTree, path), text, 0o644)
    written.push({ path: join(workTree, path), text: `${path}: written, to be committed` })
  }
  return written
}

/** The root commit, which a shallow clone could not find by itself; null: there is none yet, or it can't be told. */
async function rootOf(host: Host): Promise<string | null> {
  try {
    const root = await (await host.world()).rootCommit()
    return root === 'unborn' ? null : root
  } catch (thrown) {
    if (thrown instanceof RemnantError) return null
    throw thrown
  }
}

function shown({ name, path, state, reason, line, foreign }: Installed, workTree: string): string[] {
  const away = relative(workTree, path)
  const where = away.startsWith('..') ? path : away
  if (line === null) return [`${name}: ${state === 'unchanged' ? 'installed already' : state} in ${where}`]
  const what = foreign === true ? `let ${where} start this, with its own arguments and standard input:` : `add this line to ${where}:`
  return [`${name}: not installed: ${reason}; ${what}`, `  ${line}`]
}
