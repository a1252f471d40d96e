import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { folderInMemory } from './test/memory.ts'

const temporary = folderInMemory()
if (temporary !== null) process.once('exit', () => rmSync(temporary, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Test files share a worker's modules: none of them changes a module or the environment. It saves half of the CPU time of the quick ones.
    isolate: false,
    // Most of the time goes to git and Node in processes of their own, and to waiting for the disk: one worker more than there are cores.
    maxWorkers: availableParallelism() + 1,
    ...(temporary !== null && { env: { TMPDIR: temporary } }),
    // Stories start git and Node many times, on machines of any speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
