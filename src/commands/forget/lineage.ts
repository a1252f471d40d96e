import type { Held, Store } from '../../model/store.ts'

/** What supersedes it, by however many steps through remnants of this clone; the oldest first. Those of others end a line. */
export async function descendantsOf(digest: string, store: Store): Promise<Held[]> {
  const all: Held[] = []
  for await (const one of store.readAll()) if ('remnant' in one) all.push(one)
  const found = new Map<string, Held>()
  let open = [digest]
  while (open.length > 0) {
    const next = all.filter(({ digest: each, remnant }) => !found.has(each) && remnant.supersedes.some(([older]) => open.includes(older)))
    for (const held of next) found.set(held.digest, held)
    open = next.filter(({ rank }) => rank === 'own').map((held) => held.digest)
  }
  return inOrder([...found.values()])
}

/** Each behind all that it supersedes. */
function inOrder(held: readonly Held[]): Held[] {
  const open = new Set(held.map(({ digest }) => digest))
  const ordered: Held[] = []
  while (open.size > 0) {
    const ready = held.filter(({ digest, remnant }) => open.has(digest) && !remnant.supersedes.some(([older]) => open.has(older)))
    if (ready.length === 0) break
    for (const one of ready) open.delete(one.digest)
    ordered.push(...ready)
  }
  return ordered
}
