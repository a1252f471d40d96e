import * as fs from 'node:fs'
import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { openFiles } from '../src/host/files.ts'
import { openGit, openRepository } from '../src/host/git.ts'
import type { Remnant } from '../src/model/remnant.ts'
import { openStore } from '../src/store.ts'
import { writeMany } from '../src/store/git/bulk.ts'

/**
 * `node writing.mjs FILE [many]`: stores the remnants of a file, one a line, in the repository around us, each by itself or many
 * at once; prints the milliseconds and the peak memory (MiB).
 */
const [, , path = '', how] = process.argv
const repository = openRepository(process.cwd(), process.env)
const git = openGit(repository, process.env)
let written = 0
let ms = 0
const timed = async (write: () => Promise<number>): Promise<void> => {
  const start = process.hrtime.bigint()
  written += await write()
  ms += Number(process.hrtime.bigint() - start) / 1e6
}
async function* remnants(): AsyncGenerator<Remnant> {
  for await (const line of createInterface({ input: createReadStream(path) })) yield JSON.parse(line) as Remnant
}
if (how === 'many') await timed(async () => (await writeMany(remnants(), { git, files: openFiles(), disk: fs, own: true })).length)
else {
  const store = openStore({ repository, git: async () => git, files: openFiles() })
  for await (const remnant of remnants()) await timed(async () => ((await store.write(remnant)).written ? 1 : 0))
}
// The resource usage of a process counts what it was forked from.
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? NaN) / 1024
console.log(JSON.stringify({ written, ms, peak }))
