import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readFile, readdir, readlink, realpath, symlink } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { RemnantError } from '../../base/errors.ts'
import { joinPath } from '../../model/key.ts'
import type { Git, Repository } from '../git.ts'

export interface Copying {
  readonly repository: Repository
  readonly git: Git
  /** The tree that lacks them. */
  readonly folder: string
  /** Folders that the configuration lists; none: `node_modules`, where git ignores it. */
  readonly listed: readonly string[] | undefined
}

/**
 * Copies ignored folders of the user's tree to the same place in another, so that a gate finds its dependencies (DESIGN 9).
 * A copy shares blocks where the file system can; never a link to the folder, nor hard links: a gate that writes in place
 * would write into the user's files. Throws `missing` where something in it leads back into the user's tree.
 */
export async function copyDependencies({ repository: { workTree }, git, folder, listed }: Copying): Promise<void> {
  if (workTree === null) return
  for (const path of listed ?? ['node_modules']) {
    const within = joinPath('.', path)
    if (within === null || within === '.' || within.split('/').includes('.git'))
      throw new RemnantError('misuse', `"gate.copy" lists "${path}", which is no folder of the repository`, { hint: 'list ignored folders, as "node_modules"' })
    const stat = await lstat(join(workTree, within)).catch(() => null)
    if (stat === null) continue
    if (!stat.isDirectory()) throw leadsBack(within)
    if ((await git.try(['check-ignore', '-q', '--', within], { cwd: workTree })).status !== 0) {
      if (listed === undefined) continue
      throw new RemnantError('misuse', `"gate.copy" lists "${within}", which git does not ignore`, { hint: 'list ignored folders only: all else comes from the commit' })
    }
    const copied = await copyFolder(join(workTree, within), join(folder, within))
    await refuseWaysBack(copied, await realpath(workTree))
  }
}

const leadsBack = (what: string): RemnantError =>
  new RemnantError('missing', `"${what}" leads into your own work tree, so that its code would run instead of the commit's`, {
    hint: 'configure "gate.setup", which installs the dependencies in the tree under trial',
  })

interface Copied {
  readonly links: string[]
  readonly files: string[]
}

/** Of the copies, the links and the files in which an absolute path may lead elsewhere. */
async function copyFolder(from: string, to: string, copied: Copied = { links: [], files: [] }): Promise<Copied> {
  await mkdir(to, { recursive: true })
  const inBin = /^(?:\.?bin|Scripts)$/.test(basename(from))
  await Promise.all(
    (await readdir(from, { withFileTypes: true })).map(async (entry) => {
      const [source, copy] = [join(from, entry.name), join(to, entry.name)]
      if (entry.isSymbolicLink()) {
        await symlink(await readlink(source), copy)
        copied.links.push(copy)
      } else if (entry.isDirectory()) {
        if (!CACHES.has(entry.name) || basename(from) !== 'node_modules') await copyFolder(source, copy, copied)
      } else if (entry.isFile()) {
        await copyFile(source, copy, constants.COPYFILE_FICLONE)
        if (inBin || NAMES_PATHS.test(entry.name)) copied.files.push(copy)
      }
    }),
  )
  return copied
}

/** What tools keep of sources that they have seen. */
const CACHES = new Set(['.cache', '.vite', '.vitest'])
/** Python's ways to name a folder from which modules come. */
const NAMES_PATHS = /\.(?:pth|egg-link)$|^__editable__/

async function refuseWaysBack({ links, files }: Copied, workTree: string): Promise<void> {
  const within = (path: string): boolean => path === workTree || path.startsWith(`${workTree}${sep}`)
  for (const link of links) {
    const target = await realpath(link).catch(() => null)
    if (target !== null && within(target)) throw leadsBack(`${basename(dirname(link))}/${basename(link)}`)
  }
  for (const file of files) {
    const found = NAMES_PATHS.test(basename(file)) ? (await readFile(file, 'utf8')).includes(workTree) : (await headOf(file)).startsWith(`#!${workTree}${sep}`)
    if (found) throw leadsBack(basename(file))
  }
}

async function headOf(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead).toString('utf8')
  } finally {
    await file.close()
  }
}
