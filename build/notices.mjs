import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Writes THIRD-PARTY-NOTICES: the licence of every package of which a part is in the bundle. */
export const notices = (top) => ({
  name: 'third-party-notices',
  generateBundle(_options, bundle) {
    const folders = new Set()
    for (const chunk of Object.values(bundle)) for (const id of chunk.moduleIds ?? []) if (id.includes('node_modules')) folders.add(packageOf(id))
    const packages = [...folders].map(read).sort((a, b) => (a.name < b.name ? -1 : 1))
    const text = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text.trim()}\n`).join(`\n${'-'.repeat(80)}\n\n`)
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES', source: `git-remnant contains parts of these packages.\n\n${text}` })
  },
})

const packageOf = (id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id.replace(/^\0/, ''))[0]

function read(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file === undefined ? `Licence: ${license}; the package holds no licence text.` : readFileSync(join(folder, file), 'utf8')
  return { name, version, license, text }
}
