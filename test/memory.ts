import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SHARED = '/dev/shm'
const NAME = 'git-remnant-test-'
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
    removeLeft()
    folder = realpathSync(mkdtempSync(join(SHARED, `${NAME}${process.pid}-`)))
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

/** What runs left that were killed: memory is not cleaned up by a restart of anything else. */
function removeLeft(): void {
  for (const name of readdirSync(SHARED)) {
    const path = join(SHARED, name)
    if (name.startsWith(NAME) && Date.now() - statSync(path).mtimeMs > AN_HOUR && !isAlive(Number(name.slice(NAME.length).split('-')[0]))) rmSync(path, { recursive: true, force: true })
  }
}

const AN_HOUR = 3_600_000

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The folder of temporary files on the disk, for tests of what is told of a path: one among devices is nobody's file. */
export const disk = (): string => (tmpdir().startsWith(SHARED) ? '/tmp' : tmpdir())
