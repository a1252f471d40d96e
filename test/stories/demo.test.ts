import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** Digests and versions are of their machine. */
const masked = (text: string): string => text.replace(/\b[0-9a-f]{12,64}\b/g, '#').replace(/\d+\.\d+\.\d+/g, '#')

const console_ = (text: string): string => `\`\`\`\`console\n${text.trim()}\n\`\`\`\``

/** What the README shows of the demo: all but the list and the remnant itself. */
function shown(stdout: string): string {
  const from = (mark: string, start = 0): number => stdout.indexOf(mark, start)
  const [sealed, list, resolved, changed] = [from('$ git remnant teardown'), from('$ git remnant list'), from('$ git remnant resolve'), from('\nNow package.json')]
  const drift = from('$ git remnant resolve', changed)
  return [console_(stdout.slice(sealed, list) + stdout.slice(resolved, changed)), stdout.slice(changed, drift).trim(), console_(stdout.slice(drift))].join('\n\n')
}

it('shows, on the shipped sample session, what the README says it shows (npx vitest run test/stories/demo.test.ts -u writes it)', async () => {
  const { status, stdout } = spawnSync(process.execPath, [at('build/demo.mjs')], { encoding: 'utf8' })
  expect(status).toBe(0)
  const readme = readFileSync(at('README.md'), 'utf8')
  const [start, end] = ['<!-- demo -->\n', '\n<!-- /demo -->']
  const [from, to] = [readme.indexOf(start) + start.length, readme.indexOf(end)]
  const written = readme.slice(from, to)
  const now = shown(stdout)
  expect(now).toContain('PARTIAL_REPROBE_REQUIRED')
  await expect(readme.slice(0, from) + (masked(now) === masked(written) ? written : now) + readme.slice(to)).toMatchFileSnapshot('../../README.md')
})
