import { type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isWithin, realOrNull } from '../world/paths.ts'
import type { Access } from './accesses.ts'

/** What a command did outside the repository. */
export interface Outside {
  note(is: Access['is'], path: string): void
  /** A file that it read, and that neither the system, nor the toolchain, nor itself had laid there; null: there is none. `ran`: programs that ran. */
  reads(ran: ReadonlySet<string>): string | null
  isStrange(path: string, ran: ReadonlySet<string>): boolean
}

interface Grounds {
  readonly top: string
  readonly home: string | null
  /** When the command began (ms). */
  readonly start: number
}

/** Takes what was done with paths outside the repository, in the order of their first times. */
export function openOutside({ top, home, start }: Grounds): Outside {
  const read = new Set<string>()
  const wrote = new Set<string>()
  const homes = home === null ? [] : [home, realOrNull(home) ?? home]
  const isOwn = (path: string): boolean => {
    for (let at = path; at !== dirname(at); at = dirname(at)) if (wrote.has(at)) return true
    return false
  }
  const isStrange = (path: string, ran: ReadonlySet<string>): boolean => {
    const stat = statOf(path)
    // What is gone again, or was made meanwhile, and was written by the command too, is its own.
    if (wrote.has(path) && (stat === null || stat.birthtimeMs >= start)) return false
    if (stat !== null && !stat.isFile()) return false
    if (SYSTEM.test(path) || LIBRARY.test(path) || ran.has(path)) return false
    if (homes.some((folder) => isWithin(folder, path) && TOOLS.test(path.slice(folder.length + 1)))) return false
    return ![...ran].some((program) => [program, realOrNull(program) ?? program].some((at) => isWithin(installationOf(at), path)))
  }
  /** The folder that holds `bin/PROGRAM` and what belongs to it; the program alone, where that would be a home folder or more. */
  const installationOf = (program: string): string => {
    const folder = dirname(program)
    const above = dirname(folder)
    const isWide = !/\/s?bin$/.test(folder) || above.split('/').length < 3 || [top, ...homes].some((place) => isWithin(above, place))
    return isWide ? program : above
  }
  return {
    note(is, path) {
      if (is === 'wrote') wrote.add(path)
      else if (is === 'read' && !isOwn(path)) read.add(path)
    },
    reads: (ran) => [...read].find((path) => isStrange(path, ran) && isStrange(realOrNull(path) ?? path, ran)) ?? null,
    isStrange,
  }
}

const SYSTEM = /^\/(?:usr|lib|lib32|lib64|etc|proc|sys|dev|bin|sbin|run|nix|var\/lib|var\/cache)(?:\/|$)/
const LIBRARY = /\.so(?:\.\d+)*$/
/** Below the home folder: installations and caches of toolchains, and the user's own settings of package managers and git. */
const TOOLS =
  /^(?:\.(?:cargo|rustup|npm|pyenv|nvm|asdf|volta|rbenv|sdkman|m2|gradle|bun|deno|yarn|pnpm-store|node-gyp|cache)\/|\.local\/(?:lib|bin|pipx|share\/(?:pnpm|uv|mise|fnm|virtualenv)(?:\/|$))|go\/(?:pkg|bin)\/|\.config\/(?:git|pip|pnpm|yarn|uv)\/|\.(?:npmrc|yarnrc(?:\.yml)?|gitconfig|pypirc|gemrc|pip\/pip\.conf)$)/

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** The user's home folder by the environment of a command. */
export const homeIn = (env: Readonly<Record<string, string | undefined>>): string | null => (env['HOME']?.startsWith('/') === true && env['HOME'] !== '/' ? join(env['HOME']) : null)
