import { type Json, canonical } from '../../src/base/canonical.ts'
import { withExplanations } from '../../src/commands/teardown/explain.ts'
import { parse } from '../../src/distill/parse.ts'
import { draft, seal } from '../../src/distill.ts'
import { ephemera } from '../../src/ephemera.ts'
import { formats } from '../../src/formats.ts'
import { AMBIENT, STRUCTURAL } from '../../src/model/key.ts'
import type { Sets } from '../../src/model/sets.ts'
import { mutations } from '../../src/mutations.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'
import { type Planted, leaked } from './planted.ts'
import { PLACES, SESSION_NAME } from './places.ts'
import { ROOT, type Writer } from './step.ts'
import { WRITERS } from './writers.ts'

const sets: Sets = { formats, probes: [], rules, toolchains, ephemera, mutations }
/** As if nobody looked for secrets: what would get out then shows that a place leads somewhere. */
const blind: Sets = { ...sets, ephemera: ephemera.filter(({ weight }) => weight === 'noise') }

/** All that outlives the session: the remnant's bytes, what is written down of purges, and what is said of it. */
export async function kept(format: string, values: readonly Json[], looking = true): Promise<string> {
  const reader = formats.find(({ id }) => id === format)
  if (reader === undefined) throw new Error(`no format "${format}"`)
  const lines = (async function* () {
    for (const [i, value] of values.entries()) yield { file: 0, number: i + 1, offset: 0, value }
  })()
  const seen = looking ? sets : blind
  const made = await draft(parse(lines, reader), seen, { journal: true, roots: [ROOT], ambient: AMBIENT, structural: STRUCTURAL })
  const readings = new Map(made.wanted.map((key) => [key, { value: key.startsWith('absent') ? 'absent' : key === 'target:git-remote/origin' ? 'github.com:dev/clockwork.git' : `value of ${key.length}` }]))
  const distillation = seal(made, readings, 'here')
  const { remnant, purged } = distillation
  const said = await withExplanations({ text: '', data: {} }, [{ made, distillation, places: null }], seen)
  return [remnant === null ? '' : canonical(remnant), JSON.stringify(purged), said.text, JSON.stringify(said.data)].join('\n')
}

export interface Trial {
  readonly shape: Planted
  readonly place: string
  readonly format: string
}

/** Every shape in every place of every format. */
export const trials = (shapes: readonly Planted[]): readonly Trial[] =>
  Object.keys(WRITERS).flatMap((format) => [...Object.keys(PLACES), SESSION_NAME].flatMap((place) => shapes.map((shape) => ({ shape, place, format }))))

/** What of the secret outlives a session that holds it; null: nothing. */
export async function leakOf({ shape, place, format }: Trial, looking = true): Promise<string | null> {
  const steps = PLACES[place]?.(shape, 1) ?? [{ command: 'npm test', code: 0, output: ' Test Files  1 passed (1)\n      Tests  4 passed (4)\n' }, { command: 'frob', code: 127, output: 'sh: 1: frob: not found' }]
  const session = place === SESSION_NAME ? shape.text : '0199c0de-0000-7000-8000-000000000001'
  return leaked(shape, await kept(format, (WRITERS[format] as Writer)(session, steps), looking))
}
