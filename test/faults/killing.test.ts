import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SCENES, killed } from './killing.ts'

const HOME = join(import.meta.dirname, '../..')

/** A few of the steps of a few verbs; `npm run bench faults` takes all of all. */
const SAMPLE: Readonly<Record<string, number>> = { 'teardown, the first of a repository': 2, 'forget what something answers': 1, init: 1 }

it.each(Object.entries(SAMPLE))('%s: killed at some of its steps, it loses nothing, and is finished by the next run', (name, points) => {
  const scene = SCENES.find((one) => one.name === name)
  if (scene === undefined) throw new Error(`no scene "${name}"`)
  const { steps, wrong } = killed(scene, HOME, (all) => Array.from({ length: points }, (_, i) => Math.ceil(((i + 0.7) * all) / points)))
  expect(wrong).toEqual([])
  expect(steps).toBeGreaterThan(20)
})
