import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Files } from '../../src/host/files.ts'
import type { Disk } from '../../src/store/git/atomic-fs.ts'

/** A machine that dies at its nth step of writing: that step is half done, and no later one happens. */
export function dyingMachine(n: number, files: Files): { disk: Disk; files: Files; steps(): number } {
  let steps = 0
  const step = (whole: () => unknown, half?: () => unknown): never | unknown => {
    steps += 1
    if (steps < n) return whole()
    if (steps === n) half?.()
    throw new Error('the machine is dead')
  }
  const disk = {
    openSync: (...args: Parameters<typeof fs.openSync>) => (args[1] === 'r' ? fs.openSync(...args) : step(() => fs.openSync(...args), () => fs.closeSync(fs.openSync(...args)))),
    writeSync: (fd: number, bytes: Uint8Array, offset: number) =>
      step(() => fs.writeSync(fd, bytes, offset), () => fs.writeSync(fd, bytes, offset, (bytes.byteLength - offset) >> 1)),
    fsyncSync: () => step(() => {}),
    closeSync: (fd: number) => fs.closeSync(fd),
    linkSync: (from: string, to: string) => step(() => fs.linkSync(from, to)),
    renameSync: (from: string, to: string) => step(() => fs.renameSync(from, to)),
    mkdirSync: (...args: Parameters<typeof fs.mkdirSync>) => step(() => fs.mkdirSync(...args)),
    unlinkSync: (path: string) => step(() => fs.unlinkSync(path)),
  } as unknown as Disk
  const mortal: Files = {
    ...files,
    write: (...args) => void step(() => files.write(...args)),
    append: (path, text) => void step(() => files.append(path, text), () => files.append(path, text.slice(0, text.length >> 1))),
    remove: (path) => void step(() => files.remove(path)),
  }
  return { disk, files: mortal, steps: () => steps }
}

/** Time passes: a lock that its writer took to the grave grows old. */
export function ageLocks(dir: string): void {
  const folder = join(dir, '.git/refs/remnants')
  const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
  for (const name of names) if (name.endsWith('.lock')) fs.utimesSync(join(folder, name), 1, 1)
}
