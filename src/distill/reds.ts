import type { CanonicalCommand } from '../model/command.ts'
import { claimsOf } from '../model/remnant.ts'
import type { Remnant } from '../model/remnant.ts'
import { type Telemetry, byCommand } from './evidence.ts'
import { sameKey } from '../model/temporary-caches.ts'

/** The checks that were red when a session ended, and of which its remnant says nothing: that they were may be for no key to show. */
export function redsBeside(telemetry: Telemetry | null, remnant: Remnant | null): readonly CanonicalCommand[] {
  const told = new Set((remnant === null ? [] : claimsOf(remnant)).flatMap((claim) => (claim.list === 'falsified_boundaries' ? sameKey(claim.path) : claim.list === 'unresolved_handoffs' ? sameKey(claim.failing_gate) : [])))
  return byCommand(telemetry?.evidence ?? []).flatMap((runs) => {
    const last = runs.at(-1)
    return last === undefined || last.verdict !== false || last.invocation?.verifies !== true || told.has(last.commandKey) ? [] : [last.receipt.command]
  })
}
