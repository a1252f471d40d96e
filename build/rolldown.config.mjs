import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { AT_ONCE, LATE, atOnce, keptCode, lateCrypto, latePackages, noSchemas } from './quick.mjs'
import { notices } from './notices.mjs'

const top = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)

const sources = (...paths) => {
  const files = new Set(paths.map((path) => join(top, 'src', `${path}.ts`)))
  return (id) => files.has(id)
}
const within = (room) => (...names) => names.map((name) => `${room}/${name}`)
const [base, host, model, store] = ['base', 'host', 'model', 'store'].map(within)
const records = sources(...model('claim', 'command', 'key', 'outcome', 'plain', 'receipt', 'remnant', 'written-command'), ...base('schema', 'digest', 'canonical'))
const digests = sources(...base('canonical', 'digest', 'json'))

/** What the quick bundle leaves to the whole one, by file. */
const LATER = { 'agent-host': 'cli/host', 'agent-start': 'commands/hook/session-start', 'agent-keys': 'host/witnessing/keys' }
const inputsOf = (parts) => Object.fromEntries(Object.entries(parts).map(([name, path]) => [name, join(top, `src/${path}.ts`)]))

/** Takes these parts from a file of the other bundle. */
const elsewhere = (parts) => ({
  name: 'elsewhere',
  resolveId: (source, importer) => {
    const found = importer === undefined ? undefined : Object.keys(parts).find((name) => source.endsWith(`${parts[name]}.ts`))
    return found === undefined ? null : { id: `./${found}.cjs`, external: true }
  },
})

/**
 * CommonJS, since Node starts it sooner than ES modules; one chunk a verb, since what is not loaded costs nothing.
 * `pages` is for the build alone: pages.mjs runs it and takes it away.
 */
export default defineConfig({
  input: { 'git-remnant': join(top, 'src/main.ts'), ...inputsOf(LATER), pages: join(top, 'src/cli/pages.ts') },
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
        { name: 'words', test: sources('cli/words', 'base/errors'), priority: 3 },
        // What an agent's hook needs of the floor below, without what is built on it.
        { name: 'digest', test: (id) => digests(id) || /[\\/]node_modules[\\/]canonicalize[\\/]/.test(id), priority: 2 },
        { name: 'cli', test: sources('cli', 'commands', 'cli/grammar', 'cli/quick', 'cli/host', 'base/errors', ...host('files', 'git', 'git-config', 'repository')) },
        { name: 'store', test: sources('store', ...store('atomic-fs', 'audit', 'copies', 'evidence', 'exclude', 'local-lists', 'objects', 'recipe', 'refs', 'scan', ...within('scan')('by-bytes', 'grammar', 'match', 'shared'), 'tidy', 'tombstones')) },
        { name: 'model', test: (id) => records(id) || /[\\/]node_modules[\\/](?:zod|canonicalize)[\\/]/.test(id) },
      ],
    },
    banner: (chunk) => (chunk.name === 'git-remnant' ? '#!/usr/bin/env node' : ''),
  },
  plugins: [elsewhere({ guarding: 'host/guarding' }), notices(top)],
})

/**
 * What an agent waits for at each call, apart from all else: small, with no schema and no cryptography until one is used. What
 * an agent waits for once, as its session starts, is the other bundle's.
 */
const first = atOnce(join(top, 'src/agent.ts'))
export const quick = defineConfig({
  input: { agent: join(top, 'src/agent.ts'), guarding: join(top, 'src/host/guarding.ts'), ...Object.fromEntries(Object.entries(LATE).map(([name, file]) => [file, name])) },
  platform: 'node',
  resolve: { mainFields: ['module', 'main'] },
  // A schema that nothing is checked with is not made.
  treeshake: { manualPureFunctions: ['z'] },
  output: {
    dir: join(top, 'dist'),
    format: 'cjs',
    exports: 'named',
    minify: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: (chunk) => (chunk.name === AT_ONCE ? '[name].cjs' : 'quick-[name].cjs'),
    codeSplitting: { groups: [{ name: AT_ONCE, test: first.test }] },
  },
  plugins: [elsewhere(LATER), noSchemas, lateCrypto, latePackages, first.plugin, keptCode],
})
