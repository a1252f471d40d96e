import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Git } from '../host/git.ts'
import { REFS } from './git/recipe.ts'

/** From about 1,000 loose refs on, git's own `log`, `fetch` and `push` are slowed by them; packed, 10,000 are hardly felt. */
export const MOST_LOOSE = 500

/**
 * Lets the user's own git pack refs where too many remnants' are loose: a tenth of a second, once in 500 remnants. What can't be
 * done (another process holds the lock) is done another time. Never throws.
 */
export async function packLooseRefs(commonDir: string, git: () => Promise<Git>): Promise<void> {
  if (looseIn(commonDir) < MOST_LOOSE) return
  try {
    const user = await git()
    // An older git can only pack all refs, as its own gc does.
    const { status } = await user.try([...IMPATIENTLY, 'pack-refs', '--include', `${REFS}*`])
    if (status === USAGE) await user.try([...IMPATIENTLY, 'pack-refs', '--all'])
  } catch {
    // Without git nothing is packed.
  }
}

/** The seal that is waiting for this waits for no lock (ms). */
const IMPATIENTLY = ['-c', 'core.packedRefsTimeout=100']

/** Git's status for an option that it does not know. */
const USAGE = 129

function looseIn(commonDir: string): number {
  try {
    return readdirSync(join(commonDir, REFS)).length
  } catch {
    return 0
  }
}
