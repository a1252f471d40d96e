import { existsSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import type { Env } from '../git.ts'

/** Whether Node would find a module of this name outside the work tree: in a folder above it, through NODE_PATH, or in the home folder. */
export function isModuleOutside(name: string, top: string, env: Env): boolean {
  if (!/^(?:@[^/\\]+\/)?[^/\\]+$/.test(name) || name.split('/').some((part) => /^\.{0,2}$/.test(part))) return false
  const home = env.HOME ?? process.getBuiltinModule('node:os').homedir()
  const folders = [...above(top), ...(env.NODE_PATH ?? '').split(delimiter).filter((folder) => folder !== ''), join(home, '.node_modules'), join(home, '.node_libraries')]
  return folders.some((folder) => ['', '.js', '.json', '.node'].some((ending) => existsSync(join(folder, `${name}${ending}`))))
}

function above(top: string): readonly string[] {
  const folders: string[] = []
  for (let folder = top; folder !== dirname(folder); ) {
    folder = dirname(folder)
    if (basename(folder) !== 'node_modules') folders.push(join(folder, 'node_modules'))
  }
  return folders
}
