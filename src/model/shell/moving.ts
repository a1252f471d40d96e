/**
 * The folder in which the word at `i` tells a program to work, as it is typed: the value of `-C DIR`, `-CDIR`, `--cwd DIR`,
 * `--cwd=DIR` and their like; null for every other word. Paths behind it are relative to that folder.
 */
export function movedBy(argv: readonly string[], i: number): string | null {
  const [word, before] = [argv[i] ?? '', i < 2 ? '' : (argv[i - 1] as string)]
  if (i < 1) return null
  if (NAMED.test(before)) return word
  const joined = JOINED.exec(word)
  if (joined !== null) return joined[1] as string
  if (!MOVERS.has((argv[0] as string).replace(/^.*\//, ''))) return null
  return before === '-C' ? word : (/^-C(.+)$/s.exec(word)?.[1] ?? null)
}

const NAMED = /^--(?:directory|cwd|dir|prefix|chdir|work-tree|project-directory)$/
const JOINED = /^--(?:directory|cwd|dir|prefix|chdir|work-tree|project-directory)=(.*)$/s
const MOVERS = new Set(['git', 'make', 'gmake', 'tar', 'ninja', 'npm', 'pnpm', 'yarn', 'cargo', 'go', 'meson'])
