import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED = '/dev/shm'
const TMPFS = 0x01021994
/** Far more than all tests that run at once have ever held. */
const ROOM = 2 ** 31

/**
 * A new folder for one run's temporary files that lies in memory: tests make and remove thousands of repositories, and a disk takes
 * longer for that than git does. null: this machine has none that is large enough and from which programs may be started.
 */
export function folderInMemory(): string | null {
  let folder: string | null = null
  try {
    const { type, bavail, bsize } = statfsSync(SHARED)
    if (type !== TMPFS || bavail * bsize < ROOM) return null
    folder = realpathSync(mkdtempSync(join(SHARED, 'git-remnant-test-')))
    chmodSync(folder, 0o755) // some tests act as another user
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    if (spawnSync(program).status === 0) return folder
  } catch {
    // As where there is no such place.
  }
  if (folder !== null) rmSync(folder, { recursive: true })
  return null
}

/** The folder of temporary files on the disk, for tests of what is told of a path: one among devices is nobody's file. */
export const disk = (): string => (tmpdir().startsWith(SHARED) ? '/tmp' : tmpdir())
