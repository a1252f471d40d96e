import { sha256 } from '../../../base/digest.ts'
import type { Tree } from '../../../model/probe.ts'
import { above } from '../pattern.ts'

/** The work tree as one moment saw it. */
export interface Index {
  readonly files: ReadonlyMap<string, { readonly mode: string; readonly blob: string }>
  /** Each folder with the files and folders right in it. */
  readonly folders: ReadonlyMap<string, ReadonlySet<string>>
  readonly tree: Tree
}

export function indexed(tree: Tree): Index {
  const folders = new Map<string, Set<string>>([['.', new Set()]])
  for (const { path } of tree.files)
    for (let at = path; at !== '.'; at = above(at)) {
      const names = folders.get(above(at)) ?? new Set<string>()
      const known = folders.has(above(at)) && names.has(at)
      names.add(at)
      folders.set(above(at), names)
      if (known) break
    }
  return { files: new Map(tree.files.map((file) => [file.path, file])), folders, tree }
}

/** As the key of a whole folder has it. */
export const hashOf = ({ files }: Tree): string =>
  sha256(
    files
      .map(({ mode, blob, path }) => `${mode} ${blob} ${path}\n`)
      .sort()
      .join(''),
  )
