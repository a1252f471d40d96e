import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chosen, othersInWords } from '../../../src/commands/teardown/sessions.ts'
import { ephemera } from '../../../src/ephemera.ts'
import type { Turn } from '../../../src/model/observation.ts'
import { clone } from '../../clone.ts'
import { planted } from '../../secrets/planted.ts'
import { WRITERS } from '../../secrets/writers.ts'

const turn = (session: string, record_id: string): Turn => ({ host: 'openhands', session, record_id, at: null, kind: 'command', cwd: null, head: null, command: 'make', outcome: { is: 'success' }, output: null, edits: [], declared: null, keys: {} })

async function taken(named: string | null, ...turns: readonly Turn[]) {
  const its = chosen(named)
  const all = (async function* () {
    yield* turns
  })()
  const records: string[] = []
  for await (const { record_id } of its.turns(all)) records.push(record_id)
  return { records, others: [...its.others] }
}

describe('the session that is taken from a log', () => {
  const turns = [turn('a', '1'), turn('b', '2'), turn('a', '3'), turn('c', '4')]
  it('is the first', async () => expect(await taken(null, ...turns)).toEqual({ records: ['1', '3'], others: ['b', 'c'] }))
  it('is the one that was named', async () => expect(await taken('b', ...turns)).toEqual({ records: ['2'], others: ['a', 'c'] }))
  it('is none where none was named and none is there', async () => expect(await taken(null)).toEqual({ records: [], others: [] }))
  it('is not another than was named', async () => {
    await expect(taken('d', ...turns)).rejects.toMatchObject({ fault: 'nothing', message: 'the log shows nothing of that session' })
    await expect(taken('d')).rejects.toMatchObject({ fault: 'nothing' })
  })
})

describe('what is said of the other sessions', () => {
  const said = (...ids: string[]) => othersInWords(new Set(ids), ephemera)
  it.each<[string[], string | null]>([
    [[], null],
    [['b'], 'git-remnant: the log holds 1 other session (b); --session ID picks one'],
    [['b', 'c', 'd'], 'git-remnant: the log holds 3 other sessions (b, c, d); --session ID picks one'],
    [['b', 'c', 'd', 'e'], 'git-remnant: the log holds 4 other sessions (b, c, d, …); --session ID picks one'],
    [['b\u001b[2J\u202e'], 'git-remnant: the log holds 1 other session (b<U+001B>[2J<U+202E>); --session ID picks one'],
    [['b'.repeat(200)], 'git-remnant: the log holds 1 other session; --session ID picks one'],
  ])('of %j is one line', async (ids, line) => expect(await said(...ids)).toBe(line))

  it('names none whose id holds a secret', async () => {
    const { text } = planted(3).find(({ name }) => name === 'GitHub, classic') as { text: string }
    expect(await said(text, 'b')).toBe('git-remnant: the log holds 2 other sessions (b, …); --session ID picks one')
  })
})

describe('teardown of a log of many tasks', () => {
  const passed = ' Test Files  1 passed (1)\n      Tests  4 passed (4)\n'

  it.each(['openhands', 'mini-swe-agent'])('of %s takes the first, says how many others there are, and takes the one that is named', (format) => {
    const made = clone()
    const path = join(made.base, 'output.jsonl')
    made.write('package.json', JSON.stringify({ name: 'app', scripts: { test: 'vitest', lint: 'eslint .' } }))
    const written = [['acme__one-1', 'npm test'], ['acme__two-2', 'npm run lint'], ['acme__three-3', 'npm test']].flatMap(([session = '', command = '']) => WRITERS[format]?.(session, [{ command, code: 0, output: passed }], made.dir) ?? [])
    writeFileSync(path, written.map((value) => `${JSON.stringify(value)}\n`).join(''))
    const kept = (digest: string) => JSON.parse(made.remnant('show', digest, '--json').stdout) as unknown
    const teardown = (...more: readonly string[]) => made.remnant('teardown', '--transcript', path, '--here', '--json', ...more)

    const first = teardown()
    expect(first.stderr).toBe('git-remnant: the log holds 2 other sessions (acme__two-2, acme__three-3); --session ID picks one\n')
    expect(JSON.stringify(kept(JSON.parse(first.stdout).digest))).toContain('"session_id":"acme__one-1"')

    const second = teardown('--session', 'acme__two-2', '--explain')
    expect([second.stderr, second.status]).toEqual(['', 0])
    const told = JSON.parse(second.stdout)
    expect(JSON.stringify(kept(told.digest))).toContain('"session_id":"acme__two-2"')
    expect(told.explained[0].claims).toMatchObject([{ place: { file: path, line: 2 } }])

    const none = teardown('--session', 'acme__four-4')
    expect([none.status, JSON.parse(none.stdout).error.message]).toEqual([66, 'the log shows nothing of that session'])
  })
})
