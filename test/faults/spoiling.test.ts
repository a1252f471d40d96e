import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HARMS, spoilGround, spoilt } from './spoiling.ts'

let set: ReturnType<typeof spoilGround>
beforeAll(() => {
  set = spoilGround(join(import.meta.dirname, '../..'))
})
afterAll(() => set.at.dispose())

/** A few verbs at a few files, as whole processes; `npm run bench faults` takes all at all. */
const ASKED = [['verify', '--json'], ['teardown']]
const FILES = [/\/own$/, /\/journals\//]

describe.each(Object.keys(HARMS))('a file of local state that is %s', (harm) => {
  it('makes no verb crash, and costs no remnant', () => {
    for (const form of FILES) {
      const path = set.paths.find((one) => form.test(one))
      if (path === undefined) throw new Error(`no file like ${form}`)
      expect(spoilt(path, harm, set, ASKED)).toEqual([])
    }
  })
})
