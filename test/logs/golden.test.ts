import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from '../../src/distill/parse.ts'
import { formats } from '../../src/formats.ts'
import { headOf, openLog } from '../../src/host/log.ts'
import { disk, isLog, turnsBeside, turnsOf } from './reading.ts'

const here = import.meta.dirname
const logs = formats.flatMap(({ id }) => readdirSync(join(here, id)).filter(isLog).map((name) => ({ id, name })))

describe('golden logs', () => {
  it('are there for every format', () => {
    expect(formats.map(({ id }) => logs.filter((log) => log.id === id).length).every((count) => count > 0)).toBe(true)
  })

  it.each(logs)('$id/$name gives exactly the turns beside it', async ({ id, name }) => {
    const path = join(here, id, name)
    expect(existsSync(turnsBeside(path))).toBe(true)
    expect(await turnsOf(path)).toEqual(JSON.parse(readFileSync(turnsBeside(path), 'utf8')))
  })

  it.each(logs)('$id/$name is recognised by its own format alone', async ({ id, name }) => {
    const head = await headOf(join(here, id, name), formats, disk)
    expect(formats.filter((format) => format.recognise(head)).map((format) => format.id)).toEqual([id])
  })

  it.each(logs.filter(({ id }) => id !== 'observation'))('$id/$name read twice over gives each finished turn once', async ({ id, name }) => {
    const path = join(here, id, name)
    const { format } = await openLog(path, formats, disk)
    const twice = async function* () {
      for (let i = 0; i < 2; i++) yield* (await openLog(path, formats, disk)).lines
    }
    const ids: string[] = []
    for await (const turn of parse(twice(), format)) ids.push(`${turn.session} ${turn.record_id}`)
    expect(ids.toSorted()).toEqual((await turnsOf(path)).map((turn) => `${turn.session} ${turn.record_id}`).toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })
})
