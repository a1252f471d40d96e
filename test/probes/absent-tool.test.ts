import { symlinkSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import absentTool from '../../src/probes/absent-tool.ts'
import { folder, ground, program, read, runsIn, valueOf } from './ground.ts'

describe('absent-tool', () => {
  it.each([
    ['git', 'present'],
    ['surely-no-such-program', 'absent'],
    ['packages/a/local', 'present'],
    ['packages/b/local', 'absent'],
    ['local', 'absent'],
    ['scripts/run.sh', 'absent'],
    ['run.sh', 'absent'],
  ])('for %s is %s, and nothing is run', async (name, value) => {
    const log = join(folder(), 'log')
    const { top, world } = ground()
    program(join(top, 'packages/a/node_modules/local/cli.js'), log, 'echo 1.0')
    mkdirSync(join(top, 'packages/a/node_modules/.bin'))
    symlinkSync('../local/cli.js', join(top, 'packages/a/node_modules/.bin/local'))
    program(join(top, 'scripts/run.sh'), log, 'echo 1.0')
    expect(await read(absentTool, name, world())).toMatchObject({ value, text: value })
    expect(runsIn(log)).toBe(0)
  })

  it.each(['../git', '/usr/bin/git', 'a/'])('refuses %j', async (name) => {
    expect(await valueOf(absentTool, name, ground().world())).toMatch(/^unreadable: /)
  })
})
