import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RemnantError } from '../src/base/errors.ts'
import { parse } from '../src/distill/parse.ts'
import { formats } from '../src/formats.ts'
import { headOf, openLog } from '../src/host/log.ts'
import { disk, isLog } from './logs/reading.ts'

const root = resolve(import.meta.dirname, '..')
const corpus = resolve(root, process.env['LOG_CORPUS'] || '../shared/corpus')

/** All files that may be logs, under a folder. */
const logsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && (isLog(entry.name) || entry.name.endsWith('.jsonl')))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()

const golden = [...logsIn(join(import.meta.dirname, 'logs')), join(import.meta.dirname, 'sample/session.jsonl')]
const real = existsSync(corpus) ? logsIn(corpus) : []
if (real.length === 0) console.log(`corpus: no logs in ${corpus}; its tests are skipped (LOG_CORPUS names another folder)`)

/** Reads one log to its end as the tool would, and holds it to what every log must keep. */
async function hold(path: string): Promise<void> {
  let head
  try {
    head = await headOf(path, formats, disk)
  } catch (fault) {
    return expectRefusal(fault)
  }
  const recognised = formats.filter((format) => format.recognise(head))
  if (recognised.length !== 1) {
    expect(recognised).toEqual([])
    return openLog(path, formats, disk).then(() => expect.unreachable(), expectRefusal)
  }
  const { format, lines } = await openLog(path, formats, inPieces)
  const seen = new Set<string>()
  try {
    for await (const turn of parse(lines, format)) {
      expect([turn.host !== '', turn.session !== '', turn.record_id !== '']).toEqual([true, true, true])
      expect(turn.at === null || !Number.isNaN(Date.parse(turn.at))).toBe(true)
      expect(turn.kind !== 'edit' || turn.edits.length > 0).toBe(true)
      const identity = `${turn.session} ${turn.record_id}`
      expect(seen.has(identity)).toBe(false)
      seen.add(identity)
    }
  } catch (fault) {
    expectRefusal(fault)
  }
}

function expectRefusal(fault: unknown): void {
  if (!(fault instanceof RemnantError)) throw fault
  expect([fault.fault, fault.hint?.startsWith('expected ')]).toEqual(['malformed', true])
  expect(fault.message).toMatch(/^log ".*" /)
}

/** Chunks whose borders lie in the middle of lines and characters. */
const inPieces = {
  ...disk,
  stream: async function* (path: string) {
    for await (const chunk of disk.stream(path)) {
      const size = 4099
      for (let i = 0; i < chunk.byteLength; i += size) yield chunk.subarray(i, i + size)
    }
  },
}

describe('logs made up for these tests', () => {
  it.each(golden.map((path) => path.slice(root.length + 1)))('%s is read to its end, or refused', async (path) => hold(join(root, path)))
})

describe.runIf(real.length > 0)('logs of the corpus', () => {
  it.each(real.map((path) => path.slice(corpus.length + 1)))('%s is read to its end, or refused', async (path) => hold(join(corpus, path)), 60_000)

  it.each(['claude-code', 'codex'])('are there for %s, and recognised', async (id) => {
    const folders = real.filter((path) => path.slice(corpus.length).includes(`/${id}/`))
    const known = await Promise.all(folders.map(async (path) => headOf(path, formats, disk).then((head) => formats.some((format) => format.id === id && format.recognise(head)), () => false)))
    expect(known.filter((is) => is).length).toBeGreaterThan(0)
  })
})
