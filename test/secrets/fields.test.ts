import { describe, expect, it } from 'vitest'
import { leakOf, trials } from './judge.ts'
import { formats } from '../../src/formats.ts'
import { readBy } from '../logs/reading.ts'
import { PLACES, SESSION_NAME } from './places.ts'
import { planted } from './planted.ts'
import type { Step } from './step.ts'
import { WRITERS } from './writers.ts'

const shapes = planted(7)
/** Each shape in each place, in a format that takes turns; `npm run bench secrets` goes through all of them. */
const IN_TURN = Object.keys(WRITERS)
const inTurn = trials(shapes).filter(({ shape, place, format }) => {
  const turn = shapes.indexOf(shape) + [...Object.keys(PLACES), SESSION_NAME].indexOf(place)
  return IN_TURN[turn % IN_TURN.length] === format && turn % 4 === 0
})

/** What stands there is kept by nobody, whether one looks for secrets or not. */
const NEVER_KEPT = ['a container', 'the output of git', 'the output of what passed', 'the name of a Python module that is missing', 'an option that is not known', 'the path of an edit', 'a branch', 'what was published']

/** Formats that record how a command ended, but for `claude-code`, which shows all places; and places that lead somewhere in each. */
const PROVING = ['codex', 'observation', 'gemini-cli', 'opencode', 'pi', 'copilot-cli', 'mini-swe-agent', 'openhands']
const SHOWN = ['words of a command that is not there', 'words of a command that failed', 'the output of a program that failed', 'the output of a test that failed', 'a folder', 'what a push said', 'a declared statement', SESSION_NAME]

describe('a planted secret', () => {
  it('has more than 80 shapes', () => expect(new Set(shapes.map(({ name }) => name)).size).toBeGreaterThan(80))

  it.each([...Object.keys(PLACES), SESSION_NAME])('does not get out of %s', async (place) => {
    const leaks: string[] = []
    for (const trial of inTurn) {
      if (trial.place !== place) continue
      const leak = await leakOf(trial)
      if (leak !== null) leaks.push(`${trial.format}: ${trial.shape.name}: ${leak}`)
    }
    expect(leaks).toEqual([])
  })

  const PROBE = shapes.filter(({ name }) => name === 'Linear')
  it.each(trials(PROBE).filter(({ format, place }) => format === 'claude-code' && !NEVER_KEPT.includes(place)))('would get out of $place if nobody looked', async (trial) => {
    const leak = (await leakOf(trial, false)) ?? (await leakOf({ ...trial, shape: shapes.find(({ name }) => name === 'named value') as (typeof shapes)[number] }, false))
    expect(leak).not.toBeNull()
  })
})

describe('what each format writes of a session', () => {
  const [plain] = shapes.filter(({ name }) => name === 'Linear') as [(typeof shapes)[number]]
  const steps: readonly Step[] = [{ command: 'npm test', code: 0, output: 'ok' }, { folder: 'packages/a', command: 'frob', code: 127, output: 'sh: 1: frob: not found' }, { edit: 'src/a.ts' }]

  it.each(formats.map(({ id }) => id))('of %s is read by it alone, step by step', (id) => {
    const values = WRITERS[id]?.('0199c0de-0000-7000-8000-000000000001', steps) ?? []
    const readers = formats.filter((format) => format.recognise(values.slice(0, 50)))
    expect(readers.map((format) => format.id)).toEqual([id])
    const turns = readBy(readers[0] as (typeof formats)[number], values)
    expect(turns.filter(({ command }) => command === 'npm test')).toHaveLength(1)
    expect(turns.filter(({ command, cwd, folder }) => typeof command === 'string' && `${cwd ?? ''} ${folder ?? ''} ${command}`.includes('packages/a') && command.includes('frob'))).toHaveLength(1)
    expect(turns.filter(({ edits, command }) => JSON.stringify([edits, command]).includes('src/a.ts'))).toHaveLength(1)
  })

  // That a command passed Pi does not record, so that nothing can be declared with it.
  const leading = PROVING.flatMap((format) => SHOWN.filter((place) => format !== 'pi' || place !== 'a declared statement').map((place) => ({ format, place })))
  it.each(leading)('of $format would let $place get out if nobody looked', async ({ format, place }) => {
    expect(await leakOf({ shape: plain, place, format }, false)).not.toBeNull()
  })
})
