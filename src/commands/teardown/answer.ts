import type { Answer } from '../../command.ts'
import type { Purge } from '../../distill/candidate.ts'
import { countsInWords } from '../../model/claim.ts'
import { plainText } from '../../model/plain.ts'
import { countsOf } from '../../model/remnant.ts'
import type { Sealed } from './seal.ts'

/** What came of all sessions, for a person and as data. `here`: the keys were read now. 66: nothing was kept. */
export function answerOf(all: readonly Sealed[], here: boolean): Answer {
  const documents = all.map(documentOf)
  const first = documents.find(({ digest }) => digest !== null) ?? documents[0]
  return {
    text: all.map((one) => textOf(one, here)).join('\n'),
    data: { ...(first ?? { digest: null, ref: null, written: false, claims: {}, purged: {} }), ...(documents.length > 1 ? { sessions: documents } : {}) },
    status: documents.some(({ digest }) => digest !== null) ? 0 : 66,
  }
}

const documentOf = ({ distillation: { remnant, purged }, written }: Sealed) => ({
  digest: written?.digest ?? null,
  ref: written?.ref ?? null,
  written: written?.written ?? false,
  claims: remnant === null ? {} : countsOf(remnant),
  purged: countsBy(purged.map(({ rule }) => rule)),
})

/** What somebody declared in a call that went through, and a rule kept out: he was told that it was admitted. */
export function undeclaredIn({ made: { telemetry }, distillation: { purged } }: Sealed): readonly Purge[] {
  const declared = new Set(telemetry?.declarations.flatMap(({ stood, record_id }) => (stood ? [record_id] : [])))
  return purged.filter(({ record_id }) => declared.has(record_id))
}

function textOf(one: Sealed, here: boolean): string {
  const { made: { session }, distillation: { remnant, purged }, written, kept, journal } = one
  const lines =
    remnant === null || written === null
      ? ['nothing irreducible to keep; nothing was written']
      : [
          `${written.written ? 'sealed' : 'already sealed'} ${written.digest.slice(0, 12)}  ${written.ref}`,
          `  kept    ${countsInWords(countsOf(remnant))}`,
        ]
  if (purged.length > 0) lines.push(`  purged  ${purgesInWords(purged)}`)
  for (const { rule, reason, record_id } of undeclaredIn(one)) lines.push(`  declared, and not kept: record ${plainText(record_id, 80)}: ${rule}: ${plainText(reason, 300)}`)
  const unsealed = purged.filter(({ rule }) => rule === 'unsealed')
  const unreadable = unsealed.filter(({ reason }) => reason.includes('can not be read: '))
  if (unreadable.length > 0) lines.push(`hint: ${plainText((unreadable[0] as Purge).reason, 300)}`)
  if (!here && unsealed.length > unreadable.length)
    lines.push('hint: unsealed means that nobody looked at the keys of a claim when it was observed. If this work tree is where and', `      how the session ended, ${howToVouch(kept, journal ? session.session : null)}`)
  return lines.join('\n')
}

/** The step that reads the keys now. `journal`: the session that a journal was of; null: it was a log, which is there as it was. */
function howToVouch(kept: boolean, journal: string | null): string {
  if (journal === null) return 'say so with --here, and they are read now.'
  if (kept && /^[\w.:-]{1,80}$/.test(journal)) return `"git remnant teardown --session ${journal} --here" reads them now.`
  return 'end it with "git remnant teardown --here" another time: the lines of this one went with its seal.'
}

/** How many candidates each rule purged: `2 unsealed, 1 receipt`. */
export const purgesInWords = (purged: readonly Purge[]): string =>
  Object.entries(countsBy(purged.map(({ rule }) => rule))).map(([rule, count]) => `${count} ${rule}`).join(', ')

const countsBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
