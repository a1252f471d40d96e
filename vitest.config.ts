import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    pool: 'forks',
    // Most of the time goes to git and Node in processes of their own, which a core kept free for us would not serve.
    maxWorkers: availableParallelism(),
    // Stories start git and Node many times, on machines of any speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
