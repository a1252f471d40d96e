import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { touches } from '../../distill/changes.ts'
import type { Claim, DebugResidual } from '../../model/claim.ts'
import type { CanonicalCommand } from '../../model/command.ts'
import type { Held } from '../../model/store.ts'
import { liveAmong } from '../../resolve/liveness.ts'
import { command as inWords } from '../../resolve/words.ts'
import { type Gate, gatesAmong } from '../../host/trial/gates.ts'
import { partsIn, redDigest, redsIn } from '../../host/proofs.ts'
import { type Fix, patchesOf } from '../../host/proofs/fix.ts'
import { sameKey } from '../../model/temporary-caches.ts'

export interface HeldResidual {
  readonly digest: string
  readonly claim: DebugResidual
}

/** What this clone's own remnants say of gates. */
export interface Known {
  readonly gates: readonly Gate[]
  readonly live: readonly { readonly digest: string; readonly observed: number; readonly claims: readonly Claim[] }[]
  /** How gates of residuals were red in their sessions, by claim. */
  readonly reds: ReadonlyMap<string, ReadonlySet<string>>
  /** Their patches less the first attempts, by claim. */
  readonly parts: ReadonlyMap<string, ReadonlySet<string>>
}

export async function knownOf(host: Host): Promise<Known> {
  const held: Held[] = []
  for await (const stored of (await host.store()).readAll()) if ('remnant' in stored && stored.rank === 'own') held.push(stored)
  return {
    gates: held.length === 0 ? [] : gatesAmong(held, (await host.sets()).toolchains),
    live: liveAmong(held).map(({ digest, remnant, claims }) => ({ digest, observed: Date.parse(remnant.provenance.observed_until) / 1000, claims })),
    reds: redsIn(await host.repository(), host.files),
    parts: partsIn(await host.repository(), host.files),
  }
}

/** The residuals of a gate whose patch the commit is: all that changed since the gate was first red, or since one of its later reds. */
export function residualsOf(command: CanonicalCommand, fix: Fix, { live, parts }: Known): readonly HeldResidual[] {
  const [key, patches] = [sameKey(command), patchesOf(fix)]
  const isIts = ({ claim_id, verified_patch_receipt: { patch_id } }: DebugResidual): boolean => [patch_id, ...(parts.get(claim_id) ?? [])].some((id) => patches.has(id))
  return live.flatMap(({ digest, claims }) =>
    claims.flatMap((claim) =>
      claim.list === 'debug_residuals' && sameKey(claim.regression_gate_signature) === key && isIts(claim) ? [{ digest, claim }] : [],
    ),
  )
}

/** The gate that rests on what the commit changes: a residual's before others; else the only one. Throws `misuse` where that is none, or not one. */
export function gateFor({ changed }: Fix, { gates }: Known): CanonicalCommand {
  const touched = gates.filter(({ keys }) => changed.some(({ path }) => keys.some((key) => touches({ is: 'path', path }, key))))
  const residual = touched.filter(({ claims }) => claims.some(({ list }) => list === 'debug_residuals'))
  const chosen = [residual, touched, gates].find((some) => some.length === 1)?.[0]
  if (chosen !== undefined) return chosen.command
  const message = gates.length === 0 ? 'no claim of this clone names a gate' : 'several gates of this clone could show it'
  const among = [residual, touched, gates].find((some) => some.length > 0) ?? []
  const named = among.slice(0, MOST_NAMED).map((gate) => inWords(gate.command)).join(', ')
  const more = among.length > MOST_NAMED ? ` and ${among.length - MOST_NAMED} more` : ''
  throw new RemnantError('misuse', message, { hint: among.length === 0 ? 'name the test that the fix turns green, as --gate CMD' : `name the test that the fix turns green, as --gate CMD; there are ${named}${more}` })
}

/** As many gates as a hint names. */
const MOST_NAMED = 5

/** How the gate was red, if this clone knows of it: in the session that made the fix, else in one between the parent and the fix. Signatures by their digest. */
export function recordedReds(command: CanonicalCommand, fix: Fix, known: Known): ReadonlySet<string> {
  const own = residualsOf(command, fix, known).flatMap(({ claim }) => [...(known.reds.get(claim.claim_id) ?? [])])
  return new Set(own.length > 0 ? own : redsBetween(command, fix, known).map(redDigest))
}

function redsBetween(command: CanonicalCommand, { from, until }: Fix, { live }: Known): readonly string[] {
  const key = sameKey(command)
  return live
    .filter(({ observed }) => observed >= from && observed <= until)
    .flatMap(({ claims }) =>
      claims.flatMap((claim) => {
        if (claim.list === 'unresolved_handoffs' && sameKey(claim.failing_gate) === key) return [claim.terminal_error_signature]
        return claim.list === 'falsified_boundaries' && claim.class === 'red' && sameKey(claim.path) === key ? [claim.terminal_error_signature] : []
      }),
    )
}
