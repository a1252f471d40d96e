import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { agents } from '../agents.ts'
import type { Command, Host } from '../command.ts'
import type { Git } from '../host/git.ts'
import { isHiddenBehind, showFiles } from '../host/agent-config/known.ts'
import { uninstallAgents } from '../host/agent-config.ts'
import { hookFolder, uninstallHooks } from '../host/hooks.ts'
import { workTreesOf } from '../host/git/work-trees.ts'
import { plainText } from '../model/plain.ts'
import { EXCLUDE_LINE, removeExclude } from '../store/exclude.ts'
import { REFS } from '../store/git/recipe.ts'
import { type Stays, removeCopies, removeEmpty } from './deinit/copies.ts'

export default {
  name: 'deinit',
  kind: 'porcelain',
  summary: 'Take back what init and the store did to this clone; the remnants stay',
  details:
    'Hooks, agents\' configurations and info/exclude are then byte for byte as they were. Untracked copies under .remnants/ (of remnants and of signatures) that git holds too, and the local state, go as well, ' +
    'unsealed journals, what "prove" noted and what --share named among them; what was allowed and denied (commands, configuration and signers), and the lists of what ' +
    'this clone sealed, was told and forgot stay, so that nothing denied is allowed by a later init. "git remnant checkout" brings copies back.',
  options: { purge: { type: 'boolean', describe: "remove this clone's remnants and all local state too, with all that was allowed and denied" } },
  run: async (args, host) => {
    const purge = args.flag('purge')
    const repository = await host.repository()
    const git = await host.git()
    const folder = await hookFolder(git)
    const folders = new Set([join(repository.commonDir, 'hooks'), ...(folder.foreign === null ? [folder.path] : [])])
    const hooks = [...new Set([...folders].flatMap((path) => uninstallHooks(path, host.files)))]
    const workTrees = await workTreesOf(git)
    const configured = uninstallAgents(agents, workTrees, repository.commonDir, host.files)
    const takeBack = [() => removeExclude(repository, host.files), () => showFiles(repository.commonDir, host.files)]
    for (const part of isHiddenBehind(EXCLUDE_LINE, repository.commonDir, host.files) ? takeBack.reverse() : takeBack) part()
    const looked = await Promise.all(workTrees.map((workTree) => removeCopies(workTree, git, host)))
    const [copies, stays] = [looked.flatMap(({ removed }) => removed), looked.flatMap(({ left }) => left)]
    const refs = purge ? await removeRefs(git) : []
    const signatures = refs.filter((ref) => ref.startsWith(`${REFS}sig/`)).length
    const decided = host.files.list(join(repository.commonDir, 'remnant')).some(({ name }) => name === 'approvals' || name === 'signers')
    removeState(repository.commonDir, purge, host)
    return {
      text: [
        `hooks: ${hooks.length === 0 ? 'none of ours' : `${hooks.join(', ')} as before`}`,
        ...(configured.length === 0 ? [] : [`agents: ${configured.map((path) => shown(path, workTrees)).join(', ')} without our entries`]),
        `copies: ${copies.length} removed`,
        ...staysInWords(stays, workTrees),
        purge ? `remnants: ${refs.length - signatures} removed${signatures === 0 ? '' : `, and ${signatures} signature${signatures === 1 ? '' : 's'}`}` : 'remnants: kept, under refs/remnants',
        purge ? `local state: removed${decided ? ', with all that was allowed and denied here' : ''}` : 'local state: removed, but for what was allowed and denied, and what this clone sealed, was told and forgot',
      ].join('\n'),
      data: { hooks, ...(configured.length > 0 && { agents: configured }), copies, ...(stays.length > 0 && { stays }), refs: refs.length, purged: purge },
    }
  },
} satisfies Command

/** A line for each reason for which something stays under `.remnants/`, and what: by name, or of many the first. */
function staysInWords(stays: readonly Stays[], workTrees: readonly string[]): string[] {
  const reasons = [...new Set(stays.map(({ why }) => why))]
  return reasons.map((why) => {
    const paths = stays.flatMap((one) => (one.why === why ? [plainText(shown(one.path, workTrees), 200)] : []))
    return `stays: ${paths.slice(0, NAMED).join(', ')}${paths.length > NAMED ? `, and ${paths.length - NAMED} more` : ''}: ${why}`
  })
}

const NAMED = 5

const shown = (path: string, workTrees: readonly string[]): string => relative(workTrees.find((top) => path.startsWith(`${top}/`)) ?? '/', path)

/** All in one transaction of the user's own git, which alone deletes refs. */
async function removeRefs(git: Git): Promise<readonly string[]> {
  const listed = Buffer.from(await git.run(['for-each-ref', '--format=%(refname)', REFS])).toString('utf8')
  const refs = listed.split('\n').filter((ref) => ref !== '')
  if (refs.length > 0) await git.run(['update-ref', '--no-deref', '--stdin'], { input: refs.map((ref) => `delete ${ref}\n`).join('') })
  return refs
}

/** What somebody decided about whom and what to trust, denials among it, and what can't be told from the remnants. */
const KEPT = ['approvals', 'signers', 'own', 'reported', 'tombstones']

function removeState(commonDir: string, purge: boolean, host: Host): void {
  const folder = join(commonDir, 'remnant')
  for (const { name } of host.files.list(folder)) if (purge || !KEPT.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
  removeEmpty(folder)
}
