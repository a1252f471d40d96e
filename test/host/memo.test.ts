import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRepository } from '../../src/host/git.ts'
import { openMemo } from '../../src/host/memo.ts'
import { ENV, type Stage, gitIn, stage } from '../stage.ts'

const grounds = { mark: 'm', asked: [], passed: [], readings: {} }
const memoOf = (on: Stage, dir: string) => openMemo({ installation: '/nowhere', files: on.files, repository: async () => openRepository(dir, ENV) })
const remembered = (on: Stage): string[] => readdirSync(join(on.repository.commonDir, 'remnant', 'cache')).filter((name) => name.startsWith('verdicts-'))

describe('what is remembered of verdicts', () => {
  it('is each work tree\'s own, stays while that is there, and goes when it is gone', async () => {
    const on = stage({ layout: 'worktree' })
    const main = join(on.base, 'main')
    for (const dir of [on.dir, main]) (await memoOf(on, dir)).keep(grounds, { told: dir, more: 'ü' })
    expect(remembered(on)).toHaveLength(2)
    for (const dir of [on.dir, main, on.dir, main]) {
      expect((await memoOf(on, dir)).last(['told'])?.text('told')).toBe(dir)
      ;(await memoOf(on, dir)).keep(grounds, { told: dir, more: 'ü' })
    }
    gitIn(main, 'worktree', 'remove', '--force', on.dir)
    ;(await memoOf(on, main)).keep(grounds, { told: 'again' })
    expect(remembered(on)).toHaveLength(1)
    expect((await memoOf(on, main)).last(['told'])?.text('told')).toBe('again')
    expect((await memoOf(on, main)).last(['told', 'more'])).toBeNull()
  })
})
