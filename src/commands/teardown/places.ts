import type { Placed } from '../../distill/parse.ts'
import type { Place } from '../../model/observation.ts'

/** Where the records of a log stand. */
export interface Places {
  readonly note: Placed
  /** null: nothing here knows the record; a journal, say, is gone once it is sealed. */
  of(record: string): Place | null
}

/** `names[i]`: the file that lines with `file` i come from. */
export function placesIn(names: readonly string[]): Places {
  const places = new Map<string, Place>()
  return {
    note: ({ record_id }, { file, number }) => {
      if (!places.has(record_id)) places.set(record_id, { file: names[file] ?? '-', line: number })
    },
    of: (record) => places.get(record) ?? null,
  }
}
