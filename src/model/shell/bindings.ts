/**
 * What names stand for at one moment. A change gives the next moment and leaves this one as it is. All moments share one map,
 * which goes with whoever asks, so that a step costs what it changes, however much is bound, and asking near the last one costs nothing.
 */
export class Bindings<V> {
  /** The shared map while it stands at this moment; otherwise what has to be done to it at the moment next to this one. */
  #at: { readonly here: Map<string, V> } | { readonly near: Bindings<V>; readonly steps: readonly Step<V>[] }
  #list: readonly (readonly [string, V])[] | null = null

  constructor(here = new Map<string, V>()) {
    this.#at = { here }
  }

  get(name: string): V | undefined {
    return this.#map().get(name)
  }

  has(name: string): boolean {
    return this.#map().has(name)
  }

  get size(): number {
    return this.#map().size
  }

  /** All of it, in any order; the same list each time. */
  get list(): readonly (readonly [string, V])[] {
    return (this.#list ??= [...this.#map()])
  }

  /** The last value of a name wins. */
  with(pairs: Iterable<readonly [string, V]>): Bindings<V> {
    return this.#changed([...pairs].map(([name, value]) => ({ name, bound: { value } })))
  }

  without(names: Iterable<string>): Bindings<V> {
    return this.#changed([...names].map((name) => ({ name, bound: null })))
  }

  #changed(steps: readonly Step<V>[]): Bindings<V> {
    const here = this.#map()
    const after = new Bindings(here)
    this.#at = { near: after, steps: taken(here, steps) }
    return after
  }

  /** The map brought to this moment: those on the way to where it stood then lead here. */
  #map(): Map<string, V> {
    const way: Bindings<V>[] = []
    let last: Bindings<V> = this
    while ('near' in last.#at) {
      way.push(last)
      last = last.#at.near
    }
    const { here } = last.#at
    for (const next of way.reverse()) {
      const { steps } = next.#at as { readonly steps: readonly Step<V>[] }
      last.#at = { near: next, steps: taken(here, steps) }
      next.#at = { here }
      last = next
    }
    return here
  }
}

/** A name bound, or no longer. */
interface Step<V> {
  readonly name: string
  readonly bound: { readonly value: V } | null
}

/** Takes the steps; gives those that lead back. */
function taken<V>(map: Map<string, V>, steps: readonly Step<V>[]): readonly Step<V>[] {
  const back: Step<V>[] = []
  for (const { name, bound } of steps) {
    back.push({ name, bound: map.has(name) ? { value: map.get(name) as V } : null })
    if (bound === null) map.delete(name)
    else map.set(name, bound.value)
  }
  return back.reverse()
}
