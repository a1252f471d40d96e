import { appendFileSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { appendToJournal, closeJournal, openSession, readJournal, takeJournals } from '../../src/host/journals.ts'
import { journalFolder, journalPath, sealedFolder } from '../../src/host/journals/append.ts'
import type { JournalLine, Turn } from '../../src/model/observation.ts'
import { type Stage, stage } from '../stage.ts'

const NOW = new Date('2026-11-29T12:00:00Z')

function line(set: Stage, record_id: string, more: Partial<JournalLine> = {}): JournalLine {
  return {
    schema: 'git-remnant/observation/1',
    worktree: set.dir,
    host: 'claude-code',
    session: 's1',
    record_id,
    at: '2026-11-29T10:00:00.000Z',
    kind: 'command',
    folder: '.',
    cwd: set.dir,
    head: null,
    command: 'npm test',
    outcome: { is: 'success' },
    output: 'ok',
    edits: [],
    declared: null,
    keys: {},
    ...more,
  }
}

const add = (set: Stage, ...lines: JournalLine[]): void => lines.forEach((one) => appendToJournal(one, set.repository, set.files))
const take = (set: Stage) => takeJournals(set.dir, null, set.repository, set.files)

async function turns(set: Stage): Promise<Turn[]> {
  const all: Turn[] = []
  for (const journal of await take(set)) for await (const turn of readJournal(journal, set.dir, set.files)) all.push(turn)
  return all
}
const told = async (set: Stage) => (await turns(set)).slice(1).map(({ record_id, kind, outcome, keys }) => [record_id, kind, outcome.is, Object.keys(keys).length])

describe('a journal', () => {
  it('begins with the folder of its session, and joins the keys that were read later', async () => {
    const set = stage()
    add(set, line(set, 'a', { cwd: '/elsewhere' }))
    appendToJournal({ schema: 'git-remnant/journal-keys/1', worktree: set.dir, host: 'claude-code', session: 's1', record_id: 'a', keys: { platform: 'x' } }, set.repository, set.files)
    const [start, first] = (await turns(set)) as [Turn, Turn]
    expect(start).toMatchObject({ kind: 'edit', cwd: set.dir, edits: [], command: null })
    expect(first).toMatchObject({ record_id: 'a', cwd: '/elsewhere', keys: { platform: 'x' }, outcome: { is: 'success' } })
    expect(first).not.toHaveProperty('folder')
  })

  it('of git remnant run keeps its own form', async () => {
    const set = stage()
    const { cwd: _none, ...own } = line(set, 'a', { host: 'git-remnant', folder: 'sub' })
    add(set, own)
    expect(await turns(set)).toMatchObject([{ record_id: 'a', cwd: null, folder: 'sub' }])
  })

  it('passes over what a crash cut short, and what is of another work tree', async () => {
    const set = stage()
    add(set, line(set, 'a'))
    appendFileSync(journalPath('claude-code', 's1', set.repository), '{"schema":"git-remnant/obs')
    add(set, line(set, 'b'), line(set, 'c', { worktree: '/elsewhere' }))
    expect((await told(set)).map(([id]) => id)).toEqual(['a', 'b'])
  })

  it('takes a record that comes twice for one, and of a host that names no call what comes again at once', async () => {
    const set = stage()
    const nameless = (id: string, second: number) => line(set, `~${id}`, { at: new Date(Date.UTC(2026, 10, 29, 10, 0, second)).toISOString() })
    add(set, line(set, 'a'), line(set, 'a'), nameless('1', 0), nameless('2', 1), nameless('3', 20))
    expect((await told(set)).map(([id]) => id)).toEqual(['a', '~1', '~3'])
  })

  it('gives a result the id of the intent that it answers, where the host names no call', async () => {
    const set = stage()
    const intent = (id: string, command: string): JournalLine => line(set, id, { kind: 'intent', outcome: { is: 'unknown' }, output: null, command })
    add(set, intent('~1', 'npm publish'), line(set, '~2'), line(set, '~3', { command: 'npm publish' }), intent('a', 'git push'), line(set, '~4', { command: 'git push' }))
    expect((await told(set)).map(([id, kind]) => [id, kind])).toEqual([
      ['~1', 'intent'],
      ['~2', 'command'],
      ['~1', 'command'],
      ['a', 'intent'],
      ['~4', 'command'],
    ])
  })
})

describe('a session\'s journals', () => {
  it('are found by their work tree alone, or by their session', async () => {
    const set = stage()
    add(set, line(set, 'a'), line(set, 'b', { session: 's2' }), line(set, 'c', { session: 's3', worktree: '/elsewhere' }))
    expect((await takeJournals(set.dir, 's2', set.repository, set.files)).map(({ session }) => session)).toEqual(['s2'])
    expect((await take(set)).map(({ session }) => session).sort()).toEqual(['s1', 's2'])
    expect(readdirSync(journalFolder(set.repository)).filter((name) => !name.includes('.taken.'))).toHaveLength(1)
  })

  it('are kept when they are sealed, part by part, and read again before what comes next', async () => {
    const set = stage()
    for (const id of ['a', 'b', 'c']) {
      add(set, line(set, id))
      const [journal] = await take(set)
      if (journal === undefined) throw new Error('none')
      await closeJournal(journal, [], NOW, set.repository, set.files)
      expect(readdirSync(journalFolder(set.repository))).toEqual([])
      expect(await take(set)).toEqual([])
    }
    expect(readdirSync(sealedFolder(set.repository))).toHaveLength(3)
    for (const name of readdirSync(sealedFolder(set.repository))) expect(statSync(join(sealedFolder(set.repository), name)).mode & 0o777).toBe(0o600)
    add(set, line(set, 'd'))
    expect((await told(set)).map(([id]) => id)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('lose no line of a writer that had opened one before it was taken', async () => {
    const set = stage()
    add(set, line(set, 'a'))
    const [journal] = await take(set)
    if (journal === undefined) throw new Error('none')
    const [taken] = [...journal.open.keys()] as [string]
    appendFileSync(taken, `${JSON.stringify(line(set, 'late'))}\n`)
    await closeJournal(journal, [], NOW, set.repository, set.files)
    expect((await told(set)).map(([id]) => id)).toEqual(['a', 'late'])
  })

  it('are taken again where a sealer was killed', async () => {
    const set = stage()
    add(set, line(set, 'a'))
    await take(set)
    add(set, line(set, 'b'))
    expect((await told(set)).map(([id]) => id)).toEqual(['a', 'b'])
  })

  it('are taken again, though both were written within one tick of the clock', async () => {
    const set = stage()
    const at = new Date('2026-11-29T10:00:00Z')
    const ticking = { ...set.files, stat: (path: string) => { const stat = set.files.stat(path); return stat === null ? null : { ...stat, changed: at.getTime() } } }
    for (const id of ['a', 'b', 'c']) {
      add(set, line(set, id))
      await takeJournals(set.dir, null, set.repository, ticking)
    }
    expect((await told(set)).map(([id]) => id)).toEqual(['a', 'b', 'c'])
  })

  it('go after a while', async () => {
    const set = stage()
    add(set, line(set, 'a'))
    const [journal] = await take(set)
    if (journal === undefined) throw new Error('none')
    await closeJournal(journal, [], new Date(), set.repository, set.files)
    add(set, line(set, 'b', { session: 's2' }))
    const [other] = await take(set)
    if (other === undefined) throw new Error('none')
    await closeJournal(other, null, new Date(Date.now() + 15 * 86_400_000), set.repository, set.files)
    expect(readdirSync(sealedFolder(set.repository))).toEqual([])
  })

  it('that somebody named are never joined by commands that name none', async () => {
    const set = stage()
    add(set, line(set, 'a', { host: 'git-remnant', session: 'named' }))
    expect(await openSession('git-remnant', set.dir, set.repository, set.files)).toBeNull()
    const own = 'run-01234567-89ab-cdef-0123-456789abcdef'
    add(set, line(set, 'b', { host: 'git-remnant', session: own }))
    expect(await openSession('git-remnant', set.dir, set.repository, set.files)).toBe(own)
  })

  it('are each one file, whatever the session is called', () => {
    const set = stage()
    for (const session of ['../../x', 'ü\n', 'a'.repeat(5000)]) add(set, line(set, 'a', { session }))
    expect(readdirSync(journalFolder(set.repository)).every((name) => /^claude-code-[0-9a-f]{64}\.jsonl$/.test(name))).toBe(true)
    writeFileSync(join(journalFolder(set.repository), 'note.txt'), '')
    expect(readFileSync(journalPath('claude-code', '../../x', set.repository), 'utf8')).toContain('"session":"../../x"')
  })
})
