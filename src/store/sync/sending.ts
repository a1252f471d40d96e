import { RemnantError } from '../../base/errors.ts'
import type { SentList } from './queue.ts'
import type { Sent, Transport } from './transport.ts'

/** As many refs as the first connection carries: a cut line costs one chunk. */
const CHUNK = 1000
/** Each connection is told all refs that the remote has by then, so each carries so much more than the last. */
const GROWTH = 3
const MOST = 20_000

/** What a remote has of what may leave. Lists are sorted. */
export interface Outgoing {
  /** What it has not got. */
  readonly open: readonly string[]
  /** What it has as it is here. */
  readonly there: readonly string[]
  /** It names something else so: not ours to change. */
  readonly taken: readonly string[]
  /** It had them from here, and has them no more: somebody took them away there. */
  readonly gone: readonly string[]
}

/** Compares what may leave with what a remote has. `here`: the object that each ref names here. */
export function outgoing(refs: readonly string[], here: (ref: string) => string | null, remote: ReadonlyMap<string, string>, sent: SentList): Outgoing {
  const where = new Map(
    refs.map((ref) => {
      const there = remote.get(ref)
      return [ref, there === undefined ? (sent.has(ref) ? 'gone' : 'open') : there === here(ref) ? 'there' : 'taken'] as const
    }),
  )
  const of = (state: keyof Outgoing): string[] => refs.filter((ref) => where.get(ref) === state)
  return { open: of('open'), there: of('there'), taken: of('taken'), gone: of('gone') }
}

/**
 * Sends refs in chunks and remembers at once what arrived. Where two clones make one ref at the same moment, one is told no:
 * what was refused is looked at once more on the remote. Throws as the transport does; what was sent before that is remembered.
 */
export async function send(refs: readonly string[], here: (ref: string) => string | null, transport: Transport, sent: SentList, progress: (done: number) => void = () => {}): Promise<Sent[]> {
  const results: Sent[] = []
  for (let at = 0, size = CHUNK; at < refs.length; at += size, size = Math.min(size * GROWTH, MOST)) {
    const chunk = await transport.send(refs.slice(at, at + size), here)
    const doubted = chunk.filter(({ state }) => state === 'refused' || state === 'taken')
    const settled = doubted.length === 0 ? chunk : await lookAgain(chunk, here, transport)
    sent.add(settled.filter(({ state }) => state === 'sent' || state === 'there').map(({ ref }) => ref))
    results.push(...settled)
    progress(results.length)
  }
  return results
}

/** What is there as it is here has arrived, by whomever; what is not there at all was refused by an accident of the moment, or for good. */
async function lookAgain(chunk: readonly Sent[], here: (ref: string) => string | null, transport: Transport): Promise<Sent[]> {
  const remote = await transport.list()
  const once = chunk.map((one) => (one.state === 'refused' || one.state === 'taken' ? judged(one, here, remote) : one))
  const again = once.filter(({ state }) => state === 'refused').map(({ ref }) => ref)
  if (again.length === 0) return once
  const second = new Map((await attempt(again, transport)).map((one) => [one.ref, one]))
  return once.map((one) => second.get(one.ref) ?? one)
}

async function attempt(refs: readonly string[], transport: Transport): Promise<readonly Sent[]> {
  try {
    return await transport.send(refs)
  } catch (thrown) {
    if (thrown instanceof RemnantError) return []
    throw thrown
  }
}

function judged(one: Sent, here: (ref: string) => string | null, remote: ReadonlyMap<string, string>): Sent {
  const there = remote.get(one.ref)
  if (there === undefined) return one.state === 'refused' ? one : { ref: one.ref, state: 'refused', reason: 'another one was made and removed there meanwhile' }
  return { ref: one.ref, state: there === here(one.ref) ? 'there' : 'taken' }
}
