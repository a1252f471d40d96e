import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Git } from '../../src/host/git.ts'
import { MOST_LOOSE, packLooseRefs } from '../../src/store/tidy.ts'
import { ENV, type Stage, gitIn, stage } from '../stage.ts'

let here: Stage
let loose: string
let lock: string
beforeEach(() => {
  here = stage()
  loose = join(here.repository.commonDir, 'refs/remnants')
  lock = join(here.repository.commonDir, 'packed-refs.lock')
})

/** Makes refs of remnants as files; what git says of all refs then. */
function made(count: number): string {
  const oid = here.git('rev-parse', 'HEAD').trim()
  mkdirSync(loose, { recursive: true })
  for (let i = 0; i < count; i++) writeFileSync(join(loose, i.toString(16).padStart(64, '0')), `${oid}\n`)
  return refs()
}
const refs = (): string => gitIn(here.dir, 'for-each-ref')
const looseNow = (): number => (existsSync(loose) ? readdirSync(loose).length : 0)
const pack = (git = here.host.git): Promise<void> => packLooseRefs(here.repository.commonDir, git)

describe('packing loose refs', () => {
  it('starts no git before there are many', async () => {
    made(MOST_LOOSE - 1)
    let asked = 0
    await pack(async () => {
      asked += 1
      return here.host.git()
    })
    expect(asked).toBe(0)
    expect(looseNow()).toBe(MOST_LOOSE - 1)
  })

  it('leaves every ref what it was, and no file of a remnant', async () => {
    const before = made(MOST_LOOSE)
    await pack()
    expect(looseNow()).toBe(0)
    expect(refs()).toBe(before)
  })

  it('passes over a lock without waiting long, and packs once it has gone', async () => {
    const before = made(MOST_LOOSE)
    writeFileSync(lock, '')
    await pack()
    expect(looseNow()).toBe(MOST_LOOSE)
    expect(refs()).toBe(before)
    expect(existsSync(lock)).toBe(true)
    rmSync(lock)
    await pack()
    expect(looseNow()).toBe(0)
    expect(refs()).toBe(before)
  })

  it('is done by two at once without losing a ref', async () => {
    const before = made(MOST_LOOSE)
    await Promise.all([pack(), pack()])
    expect(refs()).toBe(before)
    expect(existsSync(lock)).toBe(false)
  })

  it.each([0, 2, 5, 9, 15, 30])('loses no ref where git is killed %i ms after its start', async (ms) => {
    const before = made(MOST_LOOSE)
    const killed: Git['try'] = (args) =>
      new Promise((resolve) => {
        const child = spawn('git', args, { cwd: here.dir, env: ENV as NodeJS.ProcessEnv, stdio: 'ignore' })
        setTimeout(() => child.kill('SIGKILL'), ms)
        child.on('close', (code) => resolve({ status: code ?? 128, stdout: new Uint8Array(), stderr: '' }))
      })
    await pack(async () => ({ ...(await here.host.git()), try: killed }))
    expect(refs()).toBe(before)
    // A lock that a killed git left is for its user to remove, as git says.
    rmSync(lock, { force: true })
    await pack()
    expect(refs()).toBe(before)
  })

  it.each([
    ['fails', async () => ({ status: 128, stdout: new Uint8Array(), stderr: 'fatal: no' })],
    ['can not be started', () => Promise.reject(new Error('no git'))],
  ])('is silent and changes nothing where git %s', async (_, answer) => {
    const before = made(MOST_LOOSE)
    await expect(pack(async () => ({ ...(await here.host.git()), try: answer }))).resolves.toBeUndefined()
    expect(looseNow()).toBe(MOST_LOOSE)
    expect(refs()).toBe(before)
  })

  it('is silent without a git', async () => {
    const before = made(MOST_LOOSE)
    await expect(pack(() => Promise.reject(new Error('no git')))).resolves.toBeUndefined()
    expect(refs()).toBe(before)
  })
})
