import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { check } from '../../src/base/schema.ts'
import { Config } from '../../src/model/config.ts'
import { Remnant, encodeRemnant } from '../../src/model/remnant.ts'
import { FORMAT_PAGE, trackedFiles } from '../../src/store/format-page.ts'
import { aRemnant } from '../remnants.ts'
import { ENV, gitIn, stage } from '../stage.ts'

it('is what this repository keeps in its own .remnants/README.md', () => {
  expect(readFileSync(new URL('../../.remnants/README.md', import.meta.url), 'utf8')).toBe(FORMAT_PAGE)
})

it('writes a configuration that our own schema takes, with the root commit where it is known', () => {
  const config = (root: string | null): unknown => JSON.parse(new Map(trackedFiles(root)).get('.remnants/config.json') as string)
  expect(check(Config, config('a'.repeat(40)), 'config')).toEqual({ schema: 'git-remnant/config/1', repository_root: 'a'.repeat(40) })
  expect(check(Config, config(null), 'config')).toEqual({ schema: 'git-remnant/config/1' })
})

it('names every field of a remnant and of a claim', () => {
  const fields = [Remnant.shape, ...['verified_invariants', 'falsified_boundaries', 'non_idempotent_commits', 'debug_residuals', 'unresolved_handoffs'].map((list) => Remnant.shape[list as 'debug_residuals'].def.element.shape)]
  const missing = fields.flatMap((shape) => Object.keys(shape)).filter((field) => !FORMAT_PAGE.includes(`\`${field}\``))
  expect(missing).toEqual([])
})

it.each([['plain', 40], ['sha256', 64]] as const)('has a recipe by which git alone makes the ref that the store makes (%s)', async (layout, digits) => {
  const staged = stage({ layout })
  const remnant = aRemnant()
  const { bytes } = encodeRemnant(remnant)
  writeFileSync(join(staged.dir, 'R'), bytes)
  const script = FORMAT_PAGE.split('\n')
    .filter((line) => line.startsWith('    '))
    .join('\n')
    .replaceAll('SECONDS', String(Date.parse(remnant.provenance.observed_until) / 1000))
  execFileSync('sh', ['-e', '-c', script], { cwd: staged.dir, env: ENV as NodeJS.ProcessEnv })
  const byGit = gitIn(staged.dir, 'for-each-ref', 'refs/remnants')
  expect((await staged.store.write(remnant)).written).toBe(false)
  expect(gitIn(staged.dir, 'for-each-ref', 'refs/remnants')).toBe(byGit)
  expect(byGit).toMatch(new RegExp(`^[0-9a-f]{${digits}} commit\\trefs/remnants/[0-9a-f]{64}\\n$`))
})
