import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { touches } from '../../distill/changes.ts'
import { patchOfRows } from '../../distill/residual.ts'
import type { Claim, DebugResidual } from '../../model/claim.ts'
import { type CanonicalCommand, commandKey } from '../../model/command.ts'
import type { Held } from '../../model/store.ts'
import { liveAmong } from '../../resolve/liveness.ts'
import { type Gate, gatesAmong } from '../../host/gates.ts'
import { type Fix, isTestFile } from './fix.ts'

export interface HeldResidual {
  readonly digest: string
  readonly claim: DebugResidual
}

/** What this clone's own remnants say of gates. */
export interface Known {
  readonly gates: readonly Gate[]
  readonly live: readonly { readonly digest: string; readonly observed: number; readonly claims: readonly Claim[] }[]
  /** Of one gate: the one whose patch the commit is, else all. */
  residualsOf(command: CanonicalCommand, fix: Fix): readonly HeldResidual[]
}

export async function knownOf(host: Host): Promise<Known> {
  const held: Held[] = []
  for await (const stored of (await host.store()).readAll()) if ('remnant' in stored && stored.own) held.push(stored)
  const live = liveAmong(held).map(({ digest, remnant, claims }) => ({ digest, observed: Date.parse(remnant.provenance.observed_until) / 1000, claims }))
  return {
    gates: held.length === 0 ? [] : gatesAmong(held, (await host.sets()).toolchains),
    live,
    residualsOf(command, fix) {
      const all = live.flatMap(({ digest, claims }) =>
        claims.flatMap((claim) => (claim.list === 'debug_residuals' && commandKey(claim.regression_gate_signature) === commandKey(command) ? [{ digest, claim }] : [])),
      )
      const patches = [fix.changed, fix.changed.filter(({ path }) => !isTestFile(path))].map((rows) => patchOfRows(rows)?.patch_id)
      const same = all.filter(({ claim }) => patches.includes(claim.verified_patch_receipt.patch_id))
      return same.length > 0 ? same : all
    },
  }
}

/** The gate that rests on what the commit changes: a residual's before others; else the only one. Throws `misuse` where that is none, or not one. */
export function gateFor({ changed }: Fix, { gates }: Known): CanonicalCommand {
  const touched = gates.filter(({ keys }) => changed.some(({ path }) => keys.some((key) => touches({ is: 'path', path }, key))))
  const residual = touched.filter(({ claims }) => claims.some(({ list }) => list === 'debug_residuals'))
  const chosen = [residual, touched, gates].find((some) => some.length === 1)?.[0]
  if (chosen !== undefined) return chosen.command
  const message = gates.length === 0 ? 'no claim of this clone names a gate' : 'several gates of this clone could show it'
  throw new RemnantError('misuse', message, { hint: 'name it, as --gate "npm test"' })
}

/** How the gate was red in a session between the parent and the fix, if this clone knows of one. */
export function recordedReds(command: CanonicalCommand, { from, until }: Fix, { live }: Known): readonly string[] {
  const key = commandKey(command)
  return live
    .filter(({ observed }) => observed >= from && observed <= until)
    .flatMap(({ claims }) =>
      claims.flatMap((claim) => {
        if (claim.list === 'unresolved_handoffs' && commandKey(claim.failing_gate) === key) return [claim.terminal_error_signature]
        return claim.list === 'falsified_boundaries' && claim.class === 'red' && commandKey(claim.path) === key ? [claim.terminal_error_signature] : []
      }),
    )
}
