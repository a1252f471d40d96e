import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../src/base/digest.ts'
import { claimId } from '../src/model/claim.ts'
import { commandOf } from '../src/model/command.ts'
import { type Key, STRUCTURAL } from '../src/model/key.ts'
import { type Remnant, encodeRemnant, fingerprintOf } from '../src/model/remnant.ts'
import { pathOf, refOf } from '../src/store/git/recipe.ts'

/**
 * `node filling.mjs COUNT VALUES WHAT…` (or FROM-TO): remnants of a gate, a dead end and a check each, sealed under VALUES (a file: a
 * JSON object, key → value here and now), one in ten where a key was another; none answers another, so that all are live.
 * WHAT: `refs` objects and packed refs, by git's own fast-import · `copies` the readers' files · `own` this clone sealed them ·
 * `stream` what fast-import takes, `json` the remnants one a line, on standard output.
 */
const [, , count, path, ...wanted] = process.argv
const values = JSON.parse(readFileSync(path as string, 'utf8')) as Record<Key, string>
const [from = 0, to = from] = (count as string).includes('-') ? (count as string).split('-').map(Number) : [0, Number(count)]
const remnants = Array.from({ length: to - from }, (_, i) => remnantOf(from + i))

if (wanted.includes('refs')) {
  const stream: Uint8Array[] = []
  for (const remnant of remnants) stream.push(...imported(remnant))
  const { status, stderr } = spawnSync('git', ['-c', 'core.fsync=none', 'fast-import', '--quiet'], { input: Buffer.concat(stream), encoding: 'utf8' })
  if (status !== 0) throw new Error(`git fast-import ended with ${status}: ${stderr}`)
  spawnSync('git', ['pack-refs', '--all'])
}
if (wanted.includes('copies'))
  for (const remnant of remnants) {
    const { digest, bytes } = encodeRemnant(remnant)
    mkdirSync(join('.remnants', digest.slice(0, 2)), { recursive: true })
    writeFileSync(pathOf(digest), bytes)
  }
if (wanted.includes('own')) {
  mkdirSync('.git/remnant', { recursive: true, mode: 0o700 })
  writeFileSync('.git/remnant/own', remnants.map((remnant) => `${encodeRemnant(remnant).digest}\n`).join(''), { mode: 0o600 })
}
if (wanted.includes('stream')) for (const remnant of remnants) for (const part of imported(remnant)) writeSync(1, part)
if (wanted.includes('json')) for (const remnant of remnants) writeSync(1, `${JSON.stringify(remnant)}\n`)

function remnantOf(i: number): Remnant {
  const others = Object.keys(values).filter((key) => !STRUCTURAL.includes(key)).sort()
  const pick = (n: number): Key => others[(i * 7 + n * 11) % others.length] as Key
  const causal = (from: number, many: number): Key[] => [...new Set(Array.from({ length: many }, (_, n) => pick(from + n)))].sort()
  const keysOf = { gate: causal(0, 4), end: causal(4, 2), check: causal(6, 3) }
  const named = [...new Set([...STRUCTURAL, ...keysOf.gate, ...keysOf.end, ...keysOf.check, ...others.filter((key) => /^(?:os-release|tool:git|file:package-lock)/.test(key))])].sort()
  const drifted = i % 10 === 0 ? pick(1) : null
  const baselines = named.map((key): [Key, string] => [key, sha256(key === drifted ? `was-${i}` : (values[key] as string))])
  const receipt = (argv: readonly string[], code: number, record: string) =>
    ({ host: 'claude-code', record_id: `toolu_${record}${i}`, command: commandOf(argv), outcome: { is: 'code', code }, output_sha256: sha256(`${record}${i}`), strength: 'witnessed' }) as const
  const invariant = (argv: readonly string[], statement: string, record: string) => {
    const body = { statement, effect: { verb: 'use', kind: 'command', value: argv.join(' ') }, verification_receipt: receipt(argv, 0, record), context_independence_proof: { rules: ['declarative', 'no-deixis', 'no-hedge'], stripped: [] } } as const
    return { claim_id: claimId.verified_invariants(body as never), ...body }
  }
  const gate = invariant(['npm', 'test', '--', `suite-${i}`], `\`npm test -- suite-${i}\` is a gate of \`.\``, 'g')
  const check = invariant(['node', `scripts/check-${i}.mjs`], `\`node scripts/check-${i}.mjs\` passes in \`.\``, 'c')
  const end = { class: 'usage', path: commandOf(['npm', 'run', `task-${i}`, '--fast']), precondition: keysOf.end.map((key): [Key, null] => [key, null]), terminal_error_signature: `npm error Missing script: "task-${i}"`, verification_receipt: receipt(['npm', 'run', `task-${i}`, '--fast'], 1, 'e') } as const
  const boundary = { claim_id: claimId.falsified_boundaries(end as never), ...end }
  const invariants = [gate, check].sort((a, b) => (a.claim_id < b.claim_id ? -1 : 1))
  const map = ([[gate.claim_id, keysOf.gate], [check.claim_id, keysOf.check], [boundary.claim_id, keysOf.end]] as [string, Key[]][]).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    schema: 'git-remnant/1',
    session_id: `session-${i}`,
    provenance: { host: 'claude-code', observed_until: new Date(Date.UTC(2026, 0, 1) + i * 60000).toISOString(), head: null, patch_ids: [] },
    environment_fingerprint: fingerprintOf(baselines),
    baseline_key_hashes: baselines,
    structural_keys: [...STRUCTURAL].sort(),
    claim_dependency_map: map,
    verified_invariants: invariants,
    falsified_boundaries: [boundary],
    non_idempotent_commits: [],
    debug_residuals: [],
    unresolved_handoffs: [],
    ephemeral_exclusion_list: [{ count: 3, kind: 'uuid' }],
    supersedes: [],
  } as unknown as Remnant
}

/** A remnant as fast-import takes it; the commit is the one that follows from the remnant. */
function imported(remnant: Remnant): Uint8Array[] {
  const { digest, bytes } = encodeRemnant(remnant)
  const seconds = Math.floor(Date.parse(remnant.provenance.observed_until) / 1000)
  const who = `git-remnant <git-remnant@remnant.invalid> ${seconds} +0000`
  const message = `Remnant ${digest}\n`
  return [
    Buffer.from(`commit ${refOf(digest)}\nauthor ${who}\ncommitter ${who}\ndata ${message.length}\n${message}M 100644 inline ${pathOf(digest)}\ndata ${bytes.byteLength}\n`),
    bytes,
    Buffer.from('\n\n'),
  ]
}
