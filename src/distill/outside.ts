import type { CanonicalCommand } from '../model/command.ts'
import { joinPath } from '../model/key.ts'
import { movedBy } from '../model/shell/moving.ts'

/**
 * Whether the words of a command lead out of this repository: to a folder in which it is told to work, up above the top, or by
 * an absolute path (those of the repository have become relative) that is no part of the system. What such a command shows is
 * of another tree, which no key of this one holds.
 */
export function worksOutside({ argv, folder }: Pick<CanonicalCommand, 'argv' | 'folder'>): boolean {
  let from: string | null = folder
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as string
    const moved = movedBy(argv, i)
    if (moved !== null && !isInstallPlace(argv, i)) from = DRIVE.test(moved) ? null : joinPath(from, moved)
    if (from === null || ABSOLUTE.test(word) || (valued(argv, i) && OF_AN_OPTION.test(word))) return true
    const path = word.replace(/^-{0,2}[A-Za-z_][\w.-]*=/, '')
    if (STEPS_UP.test(path) && joinPath(from, path) === null) return true
  }
  return false
}

/** `--prefix=/usr/local` says where a thing is to be installed, but to the managers of packages for Node, where it lies. */
const isInstallPlace = (argv: readonly string[], i: number): boolean =>
  /^--prefix(?:=|$)/.test(/^--prefix=/.test(argv[i] as string) ? (argv[i] as string) : (argv[i - 1] as string)) && !/(?:^|\/)(?:npm|npx|pnpm|yarn|bun)$/.test(argv[0] as string)

/** The value of an option that names a project, a folder or a file: `-p /x`, `--rootdir=/x`, `-s /x`. */
const valued = (argv: readonly string[], i: number): boolean => /^--?(?:p|f|s|t|d|project|project-dir|file|rootdir|root|start-directory|top-level-directory|manifest-path|config)$/.test(argv[i - 1] as string)
const OF_AN_OPTION = /^\/(?!(?:usr|bin|opt|etc|dev|lib|proc|sys|nix|tmp|var)(?:\/|$))[^/\s:]+\/?$/
const ABSOLUTE = /^(?:-[\w-]*=?)?\/(?!(?:usr|bin|opt|etc|dev|lib|proc|sys|nix|tmp|var)\/)[^/\s]+\//
const DRIVE = /^[A-Za-z]:[\\/]/
const STEPS_UP = /^(?:[^:\s]*\/)?\.\.(?:\/|$)/
