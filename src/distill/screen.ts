import type { Ephemeron, SessionWorld } from '../model/ephemeron.ts'
import type { Prose, Rule } from '../model/rule.ts'

/** What stands where it must not: the kind and the field, never the text. */
export interface Finding {
  readonly kind: string
  readonly weight: 'secret' | 'session'
  readonly field: string
}

/**
 * Which fields hold what may not outlive the session (stage 4) and which a secret (stage 7). The fields are judged as
 * they would be stored. A command goes in as one text, where an option's name tells its value, and word by word.
 */
export async function screen(fields: readonly Prose[], session: SessionWorld, ephemera: readonly Ephemeron[]): Promise<readonly Finding[]> {
  const found = new Map<string, Finding>()
  for (const { field, text } of fields)
    for (const ephemeron of ephemera) {
      const { kind, weight } = ephemeron
      if (weight !== 'noise' && (await ephemeron.find(text, session)).length > 0) found.set(`${kind} ${field}`, { kind, weight, field })
    }
  return [...found.values()]
}

/** The first rule that refuses a text, with its reason; null lets it pass. */
export function refuseProse(prose: Prose, rules: readonly Rule[]): { readonly rule: string; readonly reason: string } | null {
  for (const rule of rules) {
    const refused = rule.refuse(prose)
    if (refused !== null) return { rule: rule.id, reason: refused.reason }
  }
  return null
}
