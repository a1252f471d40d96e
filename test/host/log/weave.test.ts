import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { woven } from '../../../src/host/log/weave.ts'
import type { Line } from '../../../src/model/format.ts'

const open: string[] = []

/** A source whose lines hold their own time, or null. */
const source = (file: number, times: readonly (number | null)[], start = times.find((time) => time !== null) ?? 0) => ({
  start,
  open: async function* (): AsyncGenerator<Line> {
    open.push(`+${file}`)
    try {
      for (const [i, value] of times.entries()) yield { file, number: i + 1, offset: 0, value }
    } finally {
      open.push(`-${file}`)
    }
  },
})

const timeOf = ({ value }: Line) => value as number | null

async function order(...sources: ReturnType<typeof source>[]): Promise<string[]> {
  open.length = 0
  const found: string[] = []
  for await (const { file, value } of woven(sources, timeOf)) found.push(`${file}:${value}`)
  return found
}

describe('weaving the files of a session', () => {
  it.each<[string, ReturnType<typeof source>[], string[]]>([
    ['nothing', [], []],
    ['one file', [source(0, [3, 1, 2])], ['0:3', '0:1', '0:2']],
    ['two files by time', [source(0, [1, 4, 6]), source(1, [2, 3, 5])], ['0:1', '1:2', '1:3', '0:4', '1:5', '0:6']],
    ['equal times, the log first', [source(0, [1, 2]), source(1, [1, 2])], ['0:1', '1:1', '0:2', '1:2']],
    ['a line without a time stays with the one before', [source(0, [1, null, 5]), source(1, [2])], ['0:1', '0:null', '1:2', '0:5']],
    ['a line that went back stays where it stands', [source(0, [1, 4, 2]), source(1, [3])], ['0:1', '1:3', '0:4', '0:2']],
    ['a file that starts after the log ended', [source(0, [1]), source(1, [9])], ['0:1', '1:9']],
    ['a file that is empty by now', [source(0, [1]), source(1, [], 0)], ['0:1']],
  ])('%s', async (_what, sources, expected) => {
    expect(await order(...sources)).toEqual(expected)
  })

  it('opens a file when its time has come and closes it at its end', async () => {
    await order(source(0, [1, 9]), source(1, [2]), source(2, [5]))
    expect(open).toEqual(['+0', '+1', '-1', '+2', '-2', '-0'])
  })

  it('closes what is open when its reader leaves', async () => {
    open.length = 0
    for await (const { value } of woven([source(0, [1, 9]), source(1, [2, 8])], timeOf)) if (value === 2) break
    expect(open.toSorted()).toEqual(['+0', '+1', '-0', '-1'])
  })

  it('loses no line and keeps the order of each file', async () => {
    const files = fc.array(fc.array(fc.option(fc.integer({ min: 0, max: 20 }))), { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        const found = await order(...all.map((times, file) => source(file, times)))
        for (const [file, times] of all.entries()) expect(found.filter((line) => line.startsWith(`${file}:`))).toEqual(times.map((time) => `${file}:${time}`))
      }),
      { numRuns: 100 },
    )
  })
})
