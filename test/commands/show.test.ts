import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import show from '../../src/commands/show.ts'
import { claimId } from '../../src/model/claim.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Receipt } from '../../src/model/receipt.ts'
import { type Remnant, claimsOf } from '../../src/model/remnant.ts'
import type { Store } from '../../src/model/store.ts'
import { aRemnant, anInvariant, digestOfRemnant } from '../remnants.ts'
import { given, stage } from '../stage.ts'

const receipt = (argv: string[], code: number): Receipt => ({ host: 'claude-code', record_id: 'r1', command: commandOf(argv), outcome: { is: 'code', code }, output_sha256: null, strength: 'witnessed' })
const named = <T extends object>(id: string, about: T): T & { claim_id: string } => ({ claim_id: id, ...about })

/** One claim of every kind. */
function everything(): Remnant {
  const invariant = anInvariant('npm test')
  const boundary = { class: 'usage' as const, path: commandOf(['npm', 'tset'], { folder: 'packages/a' }), precondition: [['tool:npm', 'npm 11.19.1'] as [string, string]], terminal_error_signature: 'Unknown command: "tset"\n\u001b[31mDid you mean\u202e', verification_receipt: receipt(['npm', 'tset'], 1) }
  const commit = { mutation: commandOf(['git', 'push', 'origin', 'main']), repeat: 'convergent' as const, target: { kind: 'git-remote', id: 'https://example.com/x' }, identifier: 'refs/heads/main', state_hash: null, outcome: { is: 'code' as const, code: 0 }, verification_receipt: receipt(['git', 'push', 'origin', 'main'], 0) }
  const branch = { patch_id: null, gate: commandOf(['npm', 'test']), terminal_error_signature: 'one failed' }
  const residual = { root_cause_invariant: 'The cache key lacks the locale.', falsified_branches: [branch], verified_patch_receipt: { patch_id: 'a'.repeat(40), diff_sha256: 'b'.repeat(64) }, regression_gate_signature: commandOf(['npm', 'test']), proof: 'PROVEN' as const, verification_receipt: receipt(['npm', 'test'], 0) }
  const handoff = { failing_gate: commandOf(['npm', 'run', 'e2e']), terminal_error_signature: 'expected 1, got 2', open_since_patch: 'c'.repeat(40), falsified_branches: [], verification_receipt: receipt(['npm', 'run', 'e2e'], 1) }
  const remnant = aRemnant(['npm test'], {
    verified_invariants: [invariant],
    falsified_boundaries: [named(claimId.falsified_boundaries(boundary), boundary)],
    non_idempotent_commits: [named(claimId.non_idempotent_commits(commit), commit)],
    debug_residuals: [named(claimId.debug_residuals(residual), residual)],
    unresolved_handoffs: [named(claimId.unresolved_handoffs(handoff), handoff)],
  })
  const ids = claimsOf(remnant).map((claim) => claim.claim_id).sort()
  return { ...remnant, claim_dependency_map: ids.map((id) => [id, ['tool:npm']]) }
}

const withoutIds = (text: string): string => text.replace(/\b[0-9a-f]{12}\b/g, 'ID')

it('shows every kind of claim with what it rests on, as data that can do nothing to a terminal', async () => {
  const { store, host } = stage()
  const remnant = everything()
  const { digest } = await store.write(remnant)
  const { text, data, status } = await show.run(given({ DIGEST: digest.slice(0, 4) }), host)
  expect(withoutIds(text as string)).toBe(`remnant ${digest}
session  claude-code session-1
until    2026-06-01T10:22:31Z
head     not recorded
sealed   by this clone
seal     ID over platform privilege repository tool:npm

Verified invariants
  ID  \`npm test\` is a gate of \`.\`
                effect: use command npm test
                receipt: recorded \`npm test\`: exit 0, claude-code record of npm test
                rests on: tool:npm

Falsified boundaries
  ID  \`npm tset\` in packages/a fails: usage
                | Unknown command: "tset"
                | <U+001B>[31mDid you mean<U+202E>
                with: tool:npm (npm 11.19.1)
                receipt: witnessed \`npm tset\`: exit 1, claude-code r1
                rests on: tool:npm

Non-idempotent commits
  ID  \`git push origin main\` was done: exit 0
                target: git-remote https://example.com/x refs/heads/main
                repeat: convergent
                receipt: witnessed \`git push origin main\`: exit 0, claude-code r1
                rests on: tool:npm

Debug residuals
  ID  The cache key lacks the locale.
                patch: ${'a'.repeat(40)}
                gate: \`npm test\` (PROVEN)
                not: a try, \`npm test\` failed: one failed
                receipt: witnessed \`npm test\`: exit 0, claude-code r1
                rests on: tool:npm

Unresolved handoffs
  ID  \`npm run e2e\` never went green
                | expected 1, got 2
                open since: ${'c'.repeat(40)}
                receipt: witnessed \`npm run e2e\`: exit 1, claude-code r1
                rests on: tool:npm`)
  expect(data).toEqual({ digest, ref: `refs/remnants/${digest}`, rank: 'own', signer: null, remnant })
  expect(status).toBeUndefined()
})

it('says no to what is not here', async () => {
  const { host } = stage()
  expect(await show.run(given({ DIGEST: 'abcd' }), host)).toEqual({ text: 'no remnant "abcd" here', data: { digest: null, ref: null, rank: null, signer: null, remnant: null }, status: 1 })
})

it.each(['abc', 'xyzw', '', 'refs/heads/main', `${'a'.repeat(65)}`])('refuses "%s" as a digest', async (name) => {
  const { host } = stage()
  await expect(show.run(given({ DIGEST: name }), host)).rejects.toMatchObject({ fault: 'misuse', message: `"${name}" is not a digest or its first digits` })
})

it('takes a ref for a digest, and refuses digits that could be several', async () => {
  const digests = ['abcd1'.padEnd(64, '0'), 'abcd2'.padEnd(64, '0')]
  const store = { digests: async () => digests, read: async (digest: string) => ({ digest, remnant: aRemnant(), rank: 'other' }) } as unknown as Store
  const { host } = stage({ host: { store: async () => store } })
  await expect(show.run(given({ DIGEST: 'abcd' }), host)).rejects.toMatchObject({ fault: 'misuse', message: '"abcd" could be 2 remnants' })
  expect((await show.run(given({ DIGEST: `refs/remnants/${digests[1]}` }), host)).data).toMatchObject({ digest: digests[1], rank: 'other' })
})

it('faults on a damaged remnant that was asked for by name', async () => {
  const { store, host, dir } = stage()
  const { digest, ref } = await store.write(aRemnant())
  rmSync(join(dir, '.remnants'), { recursive: true })
  writeFileSync(join(dir, '.git', ref), '')
  await expect(show.run(given({ DIGEST: digest }), host)).rejects.toMatchObject({ fault: 'corrupt', hint: `git remnant verify ${digest.slice(0, 12)}` })
  expect(digestOfRemnant(aRemnant())).toBe(digest)
})
