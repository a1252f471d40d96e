import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openFiles } from '../src/host/files.ts'
import { openGit, openRepository } from '../src/host/git.ts'
import type { Remnant } from '../src/model/remnant.ts'
import { openStore } from '../src/store.ts'

/** `node writing.mjs FILE`: stores the remnants of a file, one a line, in the repository around us; prints the milliseconds and the peak memory (MiB). */
const repository = openRepository(process.cwd(), process.env)
const store = openStore({ repository, git: async () => openGit(repository, process.env), files: openFiles() })
let written = 0
let ms = 0
for await (const line of createInterface({ input: createReadStream(process.argv[2] as string) })) {
  const remnant = JSON.parse(line) as Remnant
  const start = process.hrtime.bigint()
  written += (await store.write(remnant)).written ? 1 : 0
  ms += Number(process.hrtime.bigint() - start) / 1e6
}
// The resource usage of a process counts what it was forked from.
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? NaN) / 1024
console.log(JSON.stringify({ written, ms, peak }))
