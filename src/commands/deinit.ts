import { rmSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command, Host } from '../command.ts'
import type { Git } from '../host/git.ts'
import { hookFolder, uninstallHooks } from '../host/hooks.ts'
import { listCopies } from '../store/copies.ts'
import { removeExclude } from '../store/exclude.ts'
import { trackedFiles } from '../store/format-page.ts'
import { REFS, pathOf } from '../store/recipe.ts'

export default {
  name: 'deinit',
  kind: 'porcelain',
  summary: 'Take back what init and the store did to this clone; the remnants stay',
  details:
    'Hooks and info/exclude are then byte for byte as they were. Untracked copies under .remnants/ and the local state go too, ' +
    'unsealed journals among them; approvals and the list of what this clone sealed stay. "git remnant checkout" brings copies back.',
  options: { purge: { type: 'boolean', describe: "remove this clone's remnants and all local state too" } },
  run: async (args, host) => {
    const purge = args.flag('purge')
    const repository = await host.repository()
    const git = await host.git()
    const folder = await hookFolder(git)
    const folders = new Set([join(repository.commonDir, 'hooks'), ...(folder.foreign === null ? [folder.path] : [])])
    const hooks = [...new Set([...folders].flatMap((path) => uninstallHooks(path, host.files)))]
    removeExclude(repository, host.files)
    const copies = (await Promise.all((await workTrees(git)).map((workTree) => removeCopies(workTree, git, host)))).flat()
    const refs = purge ? await removeRefs(git) : 0
    removeState(repository.commonDir, purge, host)
    return {
      text: [
        `hooks: ${hooks.length === 0 ? 'none of ours' : `${hooks.join(', ')} as before`}`,
        `copies: ${copies.length} removed`,
        purge ? `remnants: ${refs} removed` : 'remnants: kept, under refs/remnants',
        purge ? 'local state: removed' : 'local state: removed, but for approvals and what this clone sealed',
      ].join('\n'),
      data: { hooks, copies, refs, purged: purge },
    }
  },
} satisfies Command

/** Paths of all work trees that are there. */
async function workTrees(git: Git): Promise<string[]> {
  const listed = Buffer.from(await git.run(['worktree', 'list', '--porcelain'])).toString('utf8')
  const found = listed.split('\n').flatMap((line) => (line.startsWith('worktree ') ? [line.slice('worktree '.length)] : []))
  return [...new Set([...(git.repository.workTree === null ? [] : [git.repository.workTree]), ...found])]
}

/** Removes what is ours alone and git does not track: copies, and the files of `init --track` where nobody changed them. */
async function removeCopies(workTree: string, git: Git, host: Host): Promise<string[]> {
  const top = join(workTree, '.remnants')
  const pages = (await host.files.list(top)).length === 0 ? [] : unchangedPages(workTree, host)
  const ours = [...listCopies(workTree).map(pathOf), ...pages]
  if (ours.length === 0) return []
  const { status, stdout } = await git.try(['ls-files', '-z', '--', '.remnants'], { cwd: workTree })
  const tracked = new Set(Buffer.from(stdout).toString('utf8').split('\0'))
  const gone = status === 0 ? ours.filter((path) => !tracked.has(path)) : []
  for (const path of gone) host.files.remove(join(workTree, path))
  for (const folder of new Set(gone.map((path) => dirname(join(workTree, path))))) removeEmpty(folder)
  removeEmpty(top)
  return gone.map((path) => join(workTree, path))
}

function unchangedPages(workTree: string, host: Host): string[] {
  const text = (path: string): string => Buffer.from(host.files.read(join(workTree, path)) ?? []).toString('utf8')
  const root = /"repository_root": ?"([0-9a-f]+)"/.exec(text('.remnants/config.json'))?.[1] ?? null
  return trackedFiles(root).flatMap(([path, page]) => (text(path) === page ? [path] : []))
}

/** All in one transaction of the user's own git, which alone deletes refs. */
async function removeRefs(git: Git): Promise<number> {
  const listed = Buffer.from(await git.run(['for-each-ref', '--format=%(refname)', REFS])).toString('utf8')
  const refs = listed.split('\n').filter((ref) => ref !== '')
  if (refs.length > 0) await git.run(['update-ref', '--no-deref', '--stdin'], { input: refs.map((ref) => `delete ${ref}\n`).join('') })
  return refs.length
}

const KEPT = ['approvals', 'own']

function removeState(commonDir: string, purge: boolean, host: Host): void {
  const folder = join(commonDir, 'remnant')
  for (const { name } of host.files.list(folder)) if (purge || !KEPT.includes(name)) rmSync(join(folder, name), { recursive: true, force: true })
  removeEmpty(folder)
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not there, or holds something of somebody's.
  }
}
