import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import build from '../../build/rolldown.config.mjs'
import { home } from '../process.mjs'

/** The program's own parts that say which keys a command has, and read them. */
export async function asked(folder) {
  const file = join(folder, 'asked.mjs')
  const bundle = await rolldown({ input: join(home, 'bench', 'keys', 'asked.ts'), platform: 'node', logLevel: 'silent', resolve: build.resolve })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  return import(pathToFileURL(file).href)
}
