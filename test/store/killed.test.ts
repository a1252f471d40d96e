import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openGit, openRepository } from '../../src/host/git.ts'
import { openStore } from '../../src/store.ts'
import { pathOf } from '../../src/store/git/recipe.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { ENV, QUICK, type Stage, gitIn, stage } from '../stage.ts'
import { ageLocks, dyingMachine } from './dying.ts'
import { all, audit } from './store-suite.ts'

const remnant = aRemnant()
const digest = digestOfRemnant(remnant)

it('leaves the old state or the new one at whatever step it dies, and completes when it is run again', async () => {
  const staged = stage()
  rmSync(join(staged.dir, '.git/hooks'), { recursive: true })
  let died = 0
  for (let n = 1; ; n++) {
    const dir = join(staged.base, `died at ${n}`)
    cpSync(staged.dir, dir, { recursive: true })
    const machine = dyingMachine(n, staged.files)
    const whole = await writeAll(dir, machine)
    const store = openIn(dir, staged)
    for (const stored of await all(store)) expect(stored).toMatchObject({ remnant, rank: 'own' })
    for (const { faults } of await audit(store, await store.digests())) expect(faults).toEqual([])

    ageLocks(dir)
    await openIn(dir, staged).write(remnant)
    expect(await all(openIn(dir, staged))).toEqual([{ digest, remnant, rank: 'own' }])
    expect(existsSync(join(dir, pathOf(digest)))).toBe(true)
    expect(readFileSync(join(dir, '.git/info/exclude'), 'utf8').match(/^\/\.remnants\/$/gm)).toHaveLength(1)
    expect(gitIn(dir, 'fsck', '--strict', '--no-dangling')).toBe('')
    if (whole) break
    died = n
  }
  expect(died).toBeGreaterThan(40)
}, 120_000)

async function writeAll(dir: string, machine: ReturnType<typeof dyingMachine>): Promise<boolean> {
  try {
    const repository = openRepository(dir, ENV)
    const store = openStore({ repository, git: async () => openGit(repository, ENV), files: machine.files, disk: machine.disk })
    await store.write(remnant)
    return true
  } catch {
    return false
  }
}

function openIn(dir: string, staged: Stage) {
  const repository = openRepository(dir, ENV)
  return openStore({ repository, git: async () => openGit(repository, ENV), files: staged.files, disk: QUICK })
}
