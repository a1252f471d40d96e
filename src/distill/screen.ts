import { sha256 } from '../base/digest.ts'
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
  for (const { field, text } of fields.flatMap(unwrapped))
    for (const ephemeron of ephemera) {
      const { kind, weight } = ephemeron
      if (weight !== 'noise' && (await ephemeron.find(text, session)).length > 0) found.set(`${kind} ${field}`, { kind, weight, field })
    }
  return [...found.values()]
}

/** A text in which quotes are escaped, for a shell or as JSON, is looked at without that too: a value may stand behind them. */
const unwrapped = (prose: Prose): readonly Prose[] =>
  /'\\''|\\"/.test(prose.text) ? [prose, { ...prose, text: prose.text.replace(/'\\''|\\"/g, '"') }] : [prose]

/** An id as it may be stored: one in which a secret stands is told by its digest. `ephemera`: whose secrets are looked for. */
export async function storable(id: string, ephemera: readonly Ephemeron[]): Promise<string> {
  if (MADE_BY_HOSTS.test(id)) return id
  const found = await screen([{ field: 'id', text: id }], { session: '', root: null }, ephemera)
  return found.some(({ weight }) => weight === 'secret') ? sha256(id) : id
}

/** Calls and sessions are named at random too, under prefixes of their own; hexadecimal ids open nothing, nor does the number of a command among several of one call. */
const MADE_BY_HOSTS = /^(?:(?:toolu|srvtoolu|call|chatcmpl-tool|fc|msg|item|exec|ses|prt|step)_[A-Za-z0-9]{1,64}|[~-]?[0-9a-f-]{1,64})(?:\/\d{1,3})?$/

/** The first rule that refuses a text, with its reason; null lets it pass. */
export function refuseProse(prose: Prose, rules: readonly Rule[]): { readonly rule: string; readonly reason: string } | null {
  const refused = refusedIn(prose, rules)
  return refused === null ? null : { rule: refused.rule, reason: refused.reason }
}

/** The same with the rule's own word that stands in the text: for whoever wrote it, never to be written down. */
export function refusedIn(prose: Prose, rules: readonly Rule[]): { readonly rule: string; readonly reason: string; readonly word?: string } | null {
  for (const rule of rules) {
    const refused = rule.refuse(prose)
    if (refused !== null) return { rule: rule.id, ...refused }
  }
  return null
}
