import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import list from '../../src/commands/list.ts'
import { commandOf } from '../../src/model/command.ts'
import { claimId } from '../../src/model/claim.ts'
import { aRemnant, digestOfRemnant } from '../remnants.ts'
import { given, stage } from '../stage.ts'

const boundary = {
  class: 'usage' as const,
  path: commandOf(['npm', 'tset']),
  precondition: [],
  terminal_error_signature: 'Unknown command: "tset"',
  verification_receipt: { host: 'codex', record_id: 'r', command: commandOf(['npm', 'tset']), outcome: { is: 'code' as const, code: 1 }, output_sha256: null, strength: 'recorded' as const },
}
const id = claimId.falsified_boundaries(boundary)
const mixed = aRemnant(['npm test', 'npm run lint'])
const later = aRemnant(['npm test', 'npm run lint'], {
  provenance: { host: 'codex', observed_until: '2026-06-02T00:00:00Z', head: null, patch_ids: [] },
  falsified_boundaries: [{ claim_id: id, ...boundary }],
  claim_dependency_map: [...mixed.claim_dependency_map, [id, ['tool:npm']] as [string, string[]]].sort(([a], [b]) => (a < b ? -1 : 1)),
})

it('says so where there is none', async () => {
  expect(await list.run(given(), stage().host)).toEqual({ text: 'no remnants here', data: { remnants: [], broken: [] } })
})

it('shows the latest first, what each holds, and whose it is', async () => {
  const [other, here] = [stage(), stage()]
  await other.store.write(later)
  await here.store.write(aRemnant())
  here.git('fetch', '-q', other.dir, 'refs/remnants/*:refs/remnants/*')
  const [a, b] = [digestOfRemnant(later), digestOfRemnant(aRemnant())]
  const { text, data } = await list.run(given(), here.host)
  expect(text).toBe(
    [`${a.slice(0, 12)}  2026-06-02T00:00:00Z  codex        other  2 invariants, 1 boundary`, `${b.slice(0, 12)}  2026-06-01T10:22:31Z  claude-code  own    1 invariant`].join('\n'),
  )
  expect(data).toMatchObject({ remnants: [{ digest: a, rank: 'other', claims: { verified_invariants: 2, falsified_boundaries: 1, debug_residuals: 0 } }, { digest: b, rank: 'own' }], broken: [] })
})

it('names what is broken and shows the rest', async () => {
  const { host, store, dir } = stage()
  const { digest, ref } = await store.write(aRemnant())
  await store.write(later)
  rmSync(join(dir, '.remnants'), { recursive: true })
  writeFileSync(join(dir, '.git', ref), '')
  const { text, data } = await list.run(given(), host)
  expect(text?.split('\n')).toEqual([expect.stringContaining(digestOfRemnant(later).slice(0, 12)), `${digest.slice(0, 12)}  broken: remnant "${digest.slice(0, 12)}" has a ref that is empty`])
  expect(data).toMatchObject({ broken: [{ digest, hint: `git remnant verify ${digest.slice(0, 12)}` }] })
})
