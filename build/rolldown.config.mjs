import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { notices } from './notices.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

const sources = (...paths) => {
  const files = new Set(paths.map((path) => join(top, 'src', `${path}.ts`)))
  return (id) => files.has(id)
}
const within = (room) => (...names) => names.map((name) => `${room}/${name}`)
const [base, host, model, store] = ['base', 'host', 'model', 'store'].map(within)
const records = sources(...model('claim', 'command', 'key', 'outcome', 'plain', 'receipt', 'remnant'), ...base('schema', 'digest', 'canonical'))

/**
 * CommonJS, since Node starts it sooner than ES modules; one chunk a verb, since what is not loaded costs nothing.
 * `pages` is for the build alone: pages.mjs runs it and takes it away.
 */
export default defineConfig({
  input: { 'git-remnant': join(top, 'src/main.ts'), pages: join(top, 'src/cli/pages.ts') },
  platform: 'node',
  resolve: {
    mainFields: ['module', 'main'],
    // Its entry for Node is a bundle that nothing can be taken out of.
    alias: { 'isomorphic-git': join(require.resolve('isomorphic-git'), '../index.js') },
  },
  // Yargs resolves "extends" of configuration files, which nobody can reach here.
  checks: { emptyImportMeta: false },
  output: {
    dir: join(top, 'dist'),
    cleanDir: true,
    format: 'cjs',
    exports: 'named',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // What every verb loads, and what every verb with remnants loads: one file each, since each costs a look-up.
    codeSplitting: {
      groups: [
        { name: 'words', test: sources('cli/words'), priority: 1 },
        { name: 'cli', test: sources('cli', 'commands', 'cli/grammar', 'cli/quick', 'cli/host', 'base/errors', ...host('files', 'git', 'git-config', 'repository')) },
        { name: 'store', test: sources('store', ...store('atomic-fs', 'audit', 'copies', 'exclude', 'local-lists', 'objects', 'recipe', 'refs')) },
        { name: 'model', test: (id) => records(id) || /[\\/]node_modules[\\/](?:zod|canonicalize)[\\/]/.test(id) },
      ],
    },
    banner: (chunk) => (chunk.name === 'git-remnant' ? '#!/usr/bin/env node' : ''),
  },
  plugins: [notices(top)],
})
