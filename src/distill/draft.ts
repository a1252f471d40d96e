import type { SessionWorld } from '../model/ephemeron.ts'
import { type Key, ROOT_LOCKFILES } from '../model/key.ts'
import type { HostId } from '../model/receipt.ts'
import type { Candidate, Candidates, Purge } from './candidate.ts'
import type { Telemetry } from './evidence.ts'

/** What a log is read against. `roots`: absolute folders of this repository's work trees, so that folders become relative. */
export interface Setting {
  /** It is a journal of this clone: what `run` says that it witnessed was witnessed. */
  readonly journal: boolean
  readonly roots: readonly string[]
  readonly ambient: readonly Key[]
  readonly structural: readonly Key[]
}

/** What passed every rule that needs no look at the machine, and the keys whose values decide the rest. */
export interface Draft {
  readonly host: HostId
  readonly session: SessionWorld
  /** What the session showed; null: nothing. For whoever explains what came of it. */
  readonly telemetry: Telemetry | null
  readonly candidates: readonly Candidate[]
  readonly purged: readonly Purge[]
  readonly structural: readonly Key[]
  readonly ambient: readonly Key[]
  /** Causal, structural and ambient keys, each once, sorted; empty where nothing passed. */
  readonly wanted: readonly Key[]
  /** Ids of the rules that every surviving statement has passed. */
  readonly rules: readonly string[]
}

export function drafted(telemetry: Telemetry | null, name: string, { candidates, purged }: Candidates, rules: readonly string[], setting: Setting): Draft {
  const structural = [...new Set(setting.structural)].sort()
  const ambient = [...setting.ambient, ...ROOT_LOCKFILES.map((name): Key => `file:${name}`)]
  const wanted = candidates.length === 0 ? [] : [...new Set([...candidates.flatMap(({ keys }) => keys), ...structural, ...ambient])].sort()
  return {
    host: telemetry?.host ?? 'git-remnant',
    session: { session: name, root: telemetry?.session.root ?? null },
    telemetry,
    candidates,
    purged,
    structural,
    ambient,
    wanted,
    rules,
  }
}
