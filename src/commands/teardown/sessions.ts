import { RemnantError } from '../../base/errors.ts'
import { storable } from '../../distill/screen.ts'
import type { Ephemeron } from '../../model/ephemeron.ts'
import type { Turn } from '../../model/observation.ts'
import { plainText } from '../../model/plain.ts'

/** Which session of a log is taken: a benchmark writes many into one. */
export interface Chosen {
  isIts(turn: Turn): boolean
  /** Its turns alone. Throws `nothing` at their end where a session was named and the log holds none of that name. */
  turns(all: AsyncIterable<Turn>): AsyncGenerator<Turn>
  /** Sessions that were left out, in the order in which they began. Known once the turns have been read. */
  readonly others: ReadonlySet<string>
}

/** `named`: by its id as the log has it; null: the first one. */
export function chosen(named: string | null): Chosen {
  const others = new Set<string>()
  let its = named
  let any = false

  function isIts({ session }: Turn): boolean {
    its ??= session
    if (session !== its) others.add(session)
    return session === its
  }

  return {
    isIts,
    async *turns(all) {
      for await (const turn of all) {
        if (!isIts(turn)) continue
        any = true
        yield turn
      }
      if (!any && named !== null) throw new RemnantError('nothing', 'the log shows nothing of that session', { hint: 'without --session the first one is taken, and some of the others are named' })
    },
    others,
  }
}

/** One line on the sessions that were left out, which names a few of them; null: there are none. An id that holds a secret is not said. */
export async function othersInWords(others: ReadonlySet<string>, ephemera: readonly Ephemeron[]): Promise<string | null> {
  if (others.size === 0) return null
  const named: string[] = []
  for (const id of [...others].slice(0, NAMED)) if (id.length <= LONGEST && (await storable(id, ephemera)) === id) named.push(plainText(id))
  const more = named.length > 0 && named.length < others.size ? ', …' : ''
  return `git-remnant: the log holds ${others.size} other session${others.size === 1 ? '' : 's'}${named.length === 0 ? '' : ` (${named.join(', ')}${more})`}; --session ID picks one`
}

const NAMED = 3
const LONGEST = 100
