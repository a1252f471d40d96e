import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { expected, parse } from '../../src/distill/parse.ts'
import { formats } from '../../src/formats.ts'
import { openLog, openLogFrom } from '../../src/host/log.ts'
import type { Line } from '../../src/model/format.ts'
import { disk, turnsOf } from '../logs/reading.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'remnant-log-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (seconds: number) => new Date(Date.UTC(2026, 4, 4, 9, 0, seconds)).toISOString()

/** Two lines of Claude Code: a command and its result. */
const ran = (id: string, seconds: number, session = 's', output = 'ok') =>
  [
    { type: 'assistant', sessionId: session, uuid: `c${id}`, cwd: '/repo', timestamp: at(seconds), message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: `make ${id}` } }] } },
    { type: 'user', sessionId: session, uuid: `r${id}`, cwd: '/repo', timestamp: at(seconds + 1), message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: false, content: output }] }, toolUseResult: { stdout: output, stderr: '' } },
  ].map((line) => JSON.stringify(line))

function put(name: string, ...content: (string | Uint8Array)[]): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content.every((part) => typeof part === 'string') ? `${content.join('\n')}\n` : Buffer.concat(content.map((part) => Buffer.from(part as Uint8Array))))
  return path
}

const ids = async (path: string) => (await turnsOf(path)).map(({ record_id }) => record_id)
const hint = expected(formats)

async function linesOf(lines: AsyncIterable<Line>): Promise<number> {
  let count = 0
  for await (const _ of lines) count += 1
  return count
}

describe('a log that can not be opened', () => {
  it.each<[string, () => string, RegExp]>([
    ['missing', () => join(folder, 'none.jsonl'), /^log ".*none\.jsonl" is not there$/],
    ['empty', () => put('a.jsonl', Buffer.from('')), /^log ".*a\.jsonl" is empty: it has not one whole line$/],
    ['blank', () => put('a.jsonl', '', ' ', ''), /is empty: it has not one whole line$/],
    ['one line, cut', () => put('a.jsonl', Buffer.from('{"type":"user","sess')), /is empty: it has not one whole line$/],
    ['binary', () => put('a.jsonl', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0, 10, 0, 10])), /holds a NUL byte in line 1: it is not a text$/],
    ['not UTF-8', () => put('a.jsonl', Buffer.from([0xff, 0xfe, 0x7b, 10])), /is not UTF-8 in line 1$/],
    ['prose', () => put('a.jsonl', '# A talk', 'with an agent'), /is not JSON in line 1$/],
    ['prose behind JSON', () => put('a.jsonl', '{}', '{}', 'and so on', '{}'), /is not JSON in line 3$/],
    ['of a format that nobody knows', () => put('a.jsonl', '{"a":1}', '{"a":2}'), /was not recognised by its first 2 values: log is of no format that is known here$/],
    ['one JSON document', () => put('a.json', '{"sessionId":"s","messages":[]}'), /was not recognised by its only value: /],
  ])('is refused, saying where reading stopped and what was expected: %s', async (_what, make, message) => {
    const opened = openLog(make(), formats, disk)
    await expect(opened).rejects.toThrow(RemnantError)
    await expect(opened).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(message), hint: _what === 'missing' ? 'name a log that exists' : hint })
  })

  it('is refused on standard input alike', async () => {
    const from = (...parts: string[]) => openLogFrom((async function* () { for (const part of parts) yield Buffer.from(part) })(), formats)
    await expect(from()).rejects.toMatchObject({ fault: 'malformed', message: 'log on standard input is empty: it has not one whole line', hint })
    await expect(from('{"a"', ':1}\n')).rejects.toMatchObject({ message: 'log on standard input was not recognised by its only value: log is of no format that is known here' })
    await expect(from('x\n')).rejects.toMatchObject({ message: 'log on standard input is not JSON in line 1', hint })
  })

  it('is refused while it is read, where a later line breaks', async () => {
    const { lines } = await openLog(put('a.jsonl', ...Array.from({ length: 40 }, (_, i) => ran(`t${i}`, i)).flat(), 'and so on'), formats, disk)
    await expect(linesOf(lines)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/is not JSON in line 81$/), hint })
  })

  it('is read past such a line where somebody wants to be told of it', async () => {
    const told: RemnantError[] = []
    const path = put('a.jsonl', 'no', ...ran('t', 1), 'and so on', ...ran('u', 3))
    const { lines } = await openLog(path, formats, disk, (fault) => told.push(fault))
    expect(await linesOf(lines)).toBe(4)
    expect(told.map(({ message }) => message.replace(/^log "[^"]*" /, ''))).toEqual(['is not JSON in line 1', 'is not JSON in line 4'])
    await expect(openLog(put('b.jsonl', 'no', 'nor this'), formats, disk, () => {})).rejects.toMatchObject({ message: expect.stringMatching(/is not JSON in line 1$/), hint })
  })
})

describe('an open log', () => {
  it('is read up to where it is cut', async () => {
    const [call, result] = ran('t', 1) as [string, string]
    expect(await ids(put('a.jsonl', Buffer.from(`${call}\n${result}\n${ran('u', 3)[0]?.slice(0, 60)}`)))).toEqual(['t'])
  })

  it('can be read again', async () => {
    const path = put('a.jsonl', ...ran('t', 1))
    const log = await openLog(path, formats, disk)
    expect(log.format.id).toBe('claude-code')
    expect(log.names).toEqual([path])
    expect(await linesOf(log.lines)).toBe(2)
    expect(await linesOf((await openLog(path, formats, disk)).lines)).toBe(2)
  })

  it('says of each line where it stands', async () => {
    const path = put('a.jsonl', ...ran('t', 1))
    const places: object[] = []
    for await (const { file, number, offset } of (await openLog(path, formats, disk)).lines) places.push({ file, number, offset })
    expect(places).toEqual([{ file: 0, number: 1, offset: 0 }, { file: 0, number: 2, offset: Buffer.byteLength(ran('t', 1)[0] as string) + 1 }])
  })

  it('comes from a stream as well, with all of its lines', async () => {
    const bytes = Buffer.from(Array.from({ length: 60 }, (_, i) => ran(`t${i}`, i)).flat().join('\n'))
    const source = async function* () {
      for (let i = 0; i < bytes.length; i += 97) yield bytes.subarray(i, i + 97)
    }
    const { lines, names, format } = await openLogFrom(source(), formats)
    const found: string[] = []
    for await (const { record_id } of parse(lines, format)) found.push(record_id)
    expect([names, found.length, new Set(found).size]).toEqual([['-'], 60, 60])
  })

  it('is never held whole', async () => {
    const path = put('a.jsonl', ...Array.from({ length: 2000 }, (_, i) => ran(`t${i}`, i, 's', 'x'.repeat(2000))).flat())
    let read = 0
    const counting = {
      ...disk,
      stream: async function* (name: string) {
        for await (const chunk of disk.stream(name)) {
          read += chunk.byteLength
          yield chunk
        }
      },
    }
    const { lines, format } = await openLog(path, formats, counting)
    for await (const { record_id } of parse(lines, format)) if (record_id === 't5') break
    expect(read).toBeLessThan((disk.stat(path)?.size ?? 0) / 4)
  })
})

describe('the files of sub-agents', () => {
  it('are read in the order of time, whether beside or below the log', async () => {
    const path = put('s.jsonl', ...ran('a', 1), ...ran('d', 20))
    put('agent-1.jsonl', ...ran('b', 5))
    put('s/subagents/agent-2.jsonl', ...ran('c', 10))
    put('s/subagents/workflows/wf_1/agent-3.jsonl', ...ran('e', 30))
    expect(await ids(path)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect((await openLog(path, formats, disk)).names.map((name) => name.slice(folder.length + 1))).toEqual([
      's.jsonl',
      'agent-1.jsonl',
      's/subagents/agent-2.jsonl',
      's/subagents/workflows/wf_1/agent-3.jsonl',
    ])
  })

  it('are left where they are of another session, of another format, of none, or no agent’s', async () => {
    const path = put('s.jsonl', ...ran('a', 1))
    put('agent-1.jsonl', ...ran('b', 5, 'other'))
    put('agent-2.jsonl', 'prose')
    put('agent-3.jsonl', Buffer.from(''))
    put('agent-4.jsonl', '{"type":"session_meta","payload":{"id":"s"}}')
    put('agent-5.json', ...ran('c', 5))
    put('t.jsonl', ...ran('d', 5))
    put('t/subagents/agent-6.jsonl', ...ran('e', 5))
    expect(await ids(path)).toEqual(['a'])
    expect((await openLog(path, formats, disk)).names).toEqual([path])
  })

  it('are not looked for around a sub-agent’s own file', async () => {
    put('agent-1.jsonl', ...ran('a', 1))
    expect(await ids(put('agent-2.jsonl', ...ran('b', 2)))).toEqual(['b'])
  })

  it('name themselves where they break', async () => {
    const path = put('s.jsonl', ...ran('a', 1))
    put('agent-1.jsonl', ...Array.from({ length: 30 }, (_, i) => ran(`b${i}`, i)).flat(), 'no')
    await expect(ids(path)).rejects.toThrow(/^log ".*agent-1\.jsonl" is not JSON in line 61$/)
  })
})

describe('a log that is a folder of events', () => {
  const action = (id: string, command: string) => ({ id, kind: 'ActionEvent', timestamp: '2026-06-01T10:00:00', tool_name: 'terminal', action: { command } })
  const result = (of: string, exit_code: number) => ({ id: `o${of}`, kind: 'ObservationEvent', action_id: of, observation: { exit_code, content: [{ type: 'text', text: 'x' }] } })
  const conversation = (name: string, under = '') => {
    const events = [action('a', 'make'), result('a', 0), action('b', 'npm test'), result('b', 1)]
    // The tenth sorts before the second by name alone.
    for (const [i, event] of events.entries()) put(`${name}/${under}event-${[0, 1, 2, 10][i]}-${event.id}.json`, JSON.stringify(event, null, 2))
    return join(folder, name)
  }

  it.each([['beside each other', ''], ['in a folder of their own', 'events/']])('is read in the order of their numbers: %s', async (_, under) => {
    const path = conversation(`conversation ${under.length}`, under)
    put(`conversation ${under.length}/base_state.json`, '{"id":"x"}')
    const { format, session, names, lines } = await openLog(path, formats, disk)
    expect([format.id, session !== null, names.map((name) => basename(name))]).toEqual(['openhands', true, ['event-0-a.json', 'event-1-oa.json', 'event-2-b.json', 'event-10-ob.json']])
    const outcomes: unknown[] = []
    for await (const { command, outcome } of parse(lines, format)) outcomes.push([command, outcome])
    expect(outcomes).toEqual([['make', { is: 'code', code: 0 }], ['npm test', { is: 'code', code: 1 }]])
  })

  it('is refused where it holds none, or one that can not be read', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true })
    await expect(openLog(join(folder, 'empty'), formats, disk)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/^log ".*empty" is a folder without events$/), hint: expect.stringContaining('OpenHands') })
    const path = conversation('cut')
    put('cut/event-1-oa.json', '{"id": ')
    await expect(openLog(path, formats, disk)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringContaining('event-1-oa.json') })
  })
})
