import { openFiles } from '../src/host/files.ts'
import { openGit, openRepository } from '../src/host/git.ts'
import { openStore } from '../src/store.ts'

/** Reads every remnant of the repository around us once, and prints the milliseconds that took. */
const repository = openRepository(process.cwd(), process.env)
const store = openStore({ repository, git: async () => openGit(repository, process.env), files: openFiles() })
const start = process.hrtime.bigint()
let read = 0
for await (const stored of store.readAll()) read += 'remnant' in stored ? 1 : 0
console.log(JSON.stringify({ read, ms: Number(process.hrtime.bigint() - start) / 1e6 }))
