import { openFiles } from '../../src/host/files.ts'
import { openGit, openRepository } from '../../src/host/git.ts'
import { openStore } from '../../src/store.ts'
import { aRemnant } from '../remnants.ts'

/** A process of its own: `writer DIR FIRST COUNT` writes that many remnants, the one after the other. */
const [dir = '', first = '0', count = '1'] = process.argv.slice(2)
const repository = openRepository(dir, process.env)
const store = openStore({ repository, git: async () => openGit(repository, process.env), files: openFiles() })
for (let i = Number(first); i < Number(first) + Number(count); i++) await store.write(aRemnant([`npm run ${i}`]))
