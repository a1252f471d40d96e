import { join } from 'node:path'
import { expect, it } from 'vitest'
import { doors } from './doors.ts'
import { fuzz } from './fuzzing.ts'

const RUNS = 300

it.each(doors(join(import.meta.dirname, '../logs')).map((door) => [door.name, door] as const))('takes in %s that somebody spoilt, or refuses them clearly and soon', async (_name, door) => {
  try {
    const { runs, crash, slow } = await fuzz(door, RUNS, 20260601)
    expect({ crash, slow }).toEqual({ crash: null, slow: null })
    expect(runs).toBe(RUNS)
  } finally {
    door.close?.()
  }
})
