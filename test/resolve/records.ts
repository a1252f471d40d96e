import { Readable } from 'node:stream'
import { sha256 } from '../../src/base/digest.ts'
import type { Answer, Arguments, Command, Host } from '../../src/command.ts'
import { type ClaimList, claimId } from '../../src/model/claim.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Key, KeyValues, Reading } from '../../src/model/key.ts'
import { CLAIM_LISTS } from '../../src/model/claim.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import type { Probe } from '../../src/model/probe.ts'
import type { Rank } from '../../src/model/rank.ts'
import type { Receipt, Strength } from '../../src/model/receipt.ts'
import { outlined } from '../../src/model/outline.ts'
import { type Remnant, decodeRemnant, encodeRemnant, fingerprintOf } from '../../src/model/remnant.ts'
import type { Held, Stored } from '../../src/model/store.ts'
import { mutations } from '../../src/mutations.ts'

/** A claim with the keys that it rests on. */
export interface Keyed {
  readonly list: ClaimList
  readonly claim: { readonly claim_id: string }
  readonly keys: readonly Key[]
}

const named = (list: ClaimList, about: object, keys: readonly Key[]): Keyed => ({
  list,
  claim: { claim_id: (claimId[list] as (about: object) => string)(about), ...about },
  keys,
})

export const receipt = (argv: readonly string[], outcome: Outcome, more: { record?: string; strength?: Strength; folder?: string } = {}): Receipt => ({
  host: 'claude-code',
  record_id: more.record ?? 'record-1',
  command: commandOf(argv, more.folder === undefined ? {} : { folder: more.folder }),
  outcome,
  output_sha256: sha256('a long enough output of the command'),
  strength: more.strength ?? 'recorded',
})

const GREEN: Outcome = { is: 'code', code: 0 }
const RED: Outcome = { is: 'code', code: 1 }

export const gate = (argv: readonly string[], keys: readonly Key[], more: { record?: string; strength?: Strength; folder?: string; statement?: string } = {}): Keyed =>
  named(
    'verified_invariants',
    {
      statement: more.statement ?? `\`${argv.join(' ')}\` is a gate of \`${more.folder ?? '.'}\``,
      effect: { verb: 'use', kind: 'command', value: argv.join(' ') },
      verification_receipt: receipt(argv, GREEN, more),
      context_independence_proof: { rules: ['no-deixis', 'no-hedge'], stripped: ['uuid'] },
    },
    keys,
  )

export const declared = (statement: string, argv: readonly string[], keys: readonly Key[]): Keyed => gate(argv, keys, { statement, strength: 'asserted' })

export const deadEnd = (
  argv: readonly string[],
  signature: string,
  precondition: readonly (readonly [Key, string | null])[],
  more: { keys?: readonly Key[]; record?: string; folder?: string } = {},
): Keyed =>
  named(
    'falsified_boundaries',
    {
      class: 'usage',
      path: commandOf(argv, more.folder === undefined ? {} : { folder: more.folder }),
      precondition,
      terminal_error_signature: signature,
      verification_receipt: receipt(argv, RED, more),
    },
    more.keys ?? precondition.map(([key]) => key),
  )

export const deed = (argv: readonly string[], target: { kind: string; id: string }, identifier: string | null, repeat: 'harmful' | 'convergent' = 'harmful', outcome: Outcome = GREEN): Keyed =>
  named(
    'non_idempotent_commits',
    { mutation: commandOf(argv), repeat, target, identifier, state_hash: null, outcome, verification_receipt: receipt(argv, outcome) },
    [`target:${target.kind}/${target.id}`],
  )

export const residual = (root: string, argv: readonly string[], keys: readonly Key[]): Keyed =>
  named(
    'debug_residuals',
    {
      root_cause_invariant: root,
      falsified_branches: [],
      verified_patch_receipt: { patch_id: 'a'.repeat(40), diff_sha256: sha256('diff') },
      regression_gate_signature: commandOf(argv),
      proof: null,
      verification_receipt: receipt(argv, GREEN),
    },
    keys,
  )

export const handoff = (argv: readonly string[], signature: string, keys: readonly Key[]): Keyed =>
  named(
    'unresolved_handoffs',
    {
      failing_gate: commandOf(argv),
      terminal_error_signature: signature,
      open_since_patch: null,
      falsified_branches: [],
      verification_receipt: receipt(argv, RED),
    },
    keys,
  )

/** The environment in which these tests' remnants were sealed. */
export const SEALED: Readonly<Record<Key, string>> = {
  'file:package.json': 'blob-1',
  'file:src/app.ts': 'blob-2',
  'os-release': '6.1 debian-12',
  platform: 'linux x64 glibc',
  privilege: 'user',
  repository: 'r'.repeat(40),
  'target:git-remote/origin': 'https://example.org/app.git',
  'tool:npm': '11.19.1',
  'tree:.': 'tree-1',
  'tree:packages/a': 'tree-2',
}

export interface Shape {
  readonly session?: string
  readonly until?: string
  readonly rank?: Rank
  readonly sealed?: Readonly<Record<Key, string>>
  readonly supersedes?: readonly (readonly [string, readonly string[]])[]
  readonly change?: (remnant: Remnant) => Remnant
}

/** A remnant as a store hands it out: it went through its stored bytes and back. */
export function held(claims: readonly Keyed[], shape: Shape = {}): Held {
  const baselines = Object.entries(shape.sealed ?? SEALED)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]): [Key, string] => [key, sha256(value)])
  const byId = (a: { claim_id: string }, b: { claim_id: string }) => (a.claim_id < b.claim_id ? -1 : 1)
  const lists = Object.fromEntries(CLAIM_LISTS.map((list) => [list, claims.filter((one) => one.list === list).map(({ claim }) => claim).sort(byId)]))
  const remnant = {
    schema: 'git-remnant/1',
    session_id: shape.session ?? 'session-1',
    provenance: { host: 'claude-code', observed_until: shape.until ?? '2026-06-01T10:00:00Z', head: null, patch_ids: [] },
    environment_fingerprint: fingerprintOf(baselines),
    baseline_key_hashes: baselines,
    structural_keys: ['platform', 'privilege', 'repository'],
    claim_dependency_map: claims
      .map(({ claim, keys }): [string, Key[]] => [claim.claim_id, [...keys].sort()])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    ...lists,
    ephemeral_exclusion_list: [],
    supersedes: shape.supersedes ?? [],
  } as unknown as Remnant
  const { digest, bytes } = encodeRemnant(shape.change?.(remnant) ?? remnant)
  return { digest, remnant: decodeRemnant(bytes, digest), rank: shape.rank ?? 'own' }
}

export const idOf = ({ claim }: Keyed): string => claim.claim_id

/** Readings of the environment, with some of it changed: a value, a whole reading, or null where nothing was read. */
export function readings(changed: Readonly<Record<Key, string | Reading | null>> = {}): KeyValues {
  const all: Record<Key, string | Reading | null> = { ...SEALED, ...changed }
  return new Map(
    Object.entries(all).flatMap(([key, read]): [Key, Reading][] => (read === null ? [] : [[key, typeof read === 'string' ? { value: read, text: read } : read]])),
  )
}

export interface Standing {
  readonly stored?: readonly Stored[]
  readonly current?: KeyValues
  readonly input?: string | Uint8Array
  readonly cwd?: string
}

/** A host with a store of these remnants and a world whose probes read `current`; all else is out of reach. */
export function hostOf({ stored = [], current = readings(), input = '', cwd = '/repository' }: Standing): Host & { readonly warned: string[]; readonly read: Key[] } {
  const warned: string[] = []
  const read: Key[] = []
  const probes = ['file', 'os-release', 'platform', 'privilege', 'repository', 'target', 'tool', 'tree'].map((id): Probe => ({
    id,
    why: 'a stand-in',
    argument: ['file', 'target', 'tool', 'tree'].includes(id) ? 'ARGUMENT' : '',
    read: async (argument) => {
      const key = argument === '' ? id : `${id}:${argument}`
      read.push(key)
      return current.get(key) ?? { unreadable: 'it is not there' }
    },
  }))
  const store = {
    digests: async () => stored.map(({ digest }) => digest),
    read: async (digest: string) => stored.find((one) => one.digest === digest) ?? null,
    async *readAll() {
      yield* stored
    },
    outlook: async () => ({ mark: null, outlines: async () => stored.map(outlined) }),
  }
  return {
    cwd,
    stdin: Readable.from(input === '' ? [] : [Buffer.from(input)]),
    files: { stream: (path: string) => Readable.from([Buffer.from(`"${path}"\n`)]), read: () => null, stat: () => null },
    sets: async () => ({ probes, mutations }),
    repository: async () => ({ workTree: '/repository', gitDir: '/repository/.git', commonDir: '/repository/.git', refStorage: 'files' }),
    store: async () => store,
    world: async () => ({}),
    installation: '/installation',
    warn: (line: string) => void warned.push(line),
    warned,
    read,
  } as unknown as Host & { readonly warned: string[]; readonly read: Key[] }
}

/** Parsed arguments of a verb: options and positionals by name. */
export const argumentsOf = (given: Readonly<Record<string, string | number | readonly string[]>> = {}): Arguments => ({
  flag: () => false,
  text: (name) => (typeof given[name] === 'string' ? given[name] : undefined),
  number: (name) => (typeof given[name] === 'number' ? given[name] : undefined),
  list: (name) => (Array.isArray(given[name]) ? given[name] : []),
  rest: [],
})

/** What a plumbing verb writes, line by line, and the status that it ends with. */
export async function linesOf(command: Command, host: Host, given: Parameters<typeof argumentsOf>[0] = {}): Promise<{ lines: unknown[]; status: number }> {
  const answer: Answer = await command.run(argumentsOf(given), host)
  const lines: unknown[] = []
  for await (const line of answer.lines ?? []) lines.push(line)
  return { lines, status: typeof answer.status === 'function' ? answer.status() : (answer.status ?? 0) }
}
