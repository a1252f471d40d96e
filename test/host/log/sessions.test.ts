import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/base/digest.ts'
import { formats } from '../../../src/formats.ts'
import { isHostsOwnPlace, logOfSession, newestLog } from '../../../src/host/log/sessions.ts'
import { disk } from '../../logs/reading.ts'

const TREE = '/home/ann/my.shop'
const CLAUDE = '.claude/projects/-home-ann-my-shop'
const CODEX = '.codex/sessions/2026/04/02'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'remnant-home-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

function put(name: string, changed: number, ...lines: object[]): string {
  const path = join(home, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(path, changed, changed)
  return path
}

const claude = (cwd: string | undefined = TREE, sessionId = 's') => ({ type: 'user', sessionId, uuid: 'u', cwd, message: { content: 'hi' } })
const codex = (cwd: string = TREE, id = 's') => ({ type: 'session_meta', timestamp: '2026-04-02T10:00:00Z', payload: { id, cwd } })
const newest = (tree = TREE, env: Record<string, string> = {}) => newestLog(tree, { HOME: home, ...env }, formats, disk)

describe('the newest log of a work tree', () => {
  it('is none where no host was', async () => {
    expect(await newest()).toBeNull()
    expect(await newestLog(TREE, {}, formats, disk)).toBeNull()
  })

  it('is the one that changed last, of whatever host', async () => {
    const first = put(`${CLAUDE}/a.jsonl`, 100, claude())
    const second = put(`${CODEX}/rollout-2026-04-02T10-00-00-s.jsonl`, 200, codex())
    expect(await newest()).toBe(second)
    utimesSync(first, 300, 300)
    expect(await newest()).toBe(first)
    expect(await newest(`${TREE}/`)).toBe(first)
  })

  it('is never one of another folder', async () => {
    put(`${CODEX}/rollout-2026-04-02T10-00-00-a.jsonl`, 900, codex('/home/ann/other'))
    put(`${CODEX}/rollout-2026-04-02T10-00-00-b.jsonl`, 900, codex(`${TREE}/web`))
    put('.claude/projects/-home-ann-other/a.jsonl', 900, claude('/home/ann/other'))
    // `/home/ann/my-shop` and `/home/ann/my.shop` share a folder of Claude Code.
    put(`${CLAUDE}/b.jsonl`, 900, claude('/home/ann/my-shop'))
    expect(await newest()).toBeNull()
    expect(await newest('/home/ann/my-shop')).toBe(join(home, CLAUDE, 'b.jsonl'))
  })

  it.each<[string, string, object]>([
    ['Gemini CLI, by the hash of its folder', '.gemini/tmp/my-shop/chats/session-2026-04-28T10-00-5e0f.jsonl', { sessionId: 's', projectHash: sha256(TREE), startTime: 't' }],
    ['Copilot CLI', '.copilot/session-state/s/events.jsonl', { type: 'session.start', data: { sessionId: 's', context: { cwd: TREE } } }],
    ['Pi', '.pi/agent/sessions/--home-ann-my.shop--/2026_s.jsonl', { type: 'session', version: 3, id: 's', timestamp: 't', cwd: TREE }],
  ])('may be one of %s', async (_host, name, line) => {
    const path = put(name, 100, line)
    expect([await newest(), await newest('/home/ann/other')]).toEqual([path, null])
    expect(await logOfSession('s', TREE, { HOME: home }, formats, disk)).toBe(path)
    expect(await isHostsOwnPlace(path, TREE, { HOME: home }, formats, disk)).toBe(true)
  })

  it('may leave out its folder where the host’s own folder names it, or have gone below it', async () => {
    const path = put(`${CLAUDE}/a.jsonl`, 100, { type: 'mode', sessionId: 's' })
    expect(await newest()).toBe(path)
    const below = put(`${CLAUDE}/b.jsonl`, 200, claude(`${TREE}/web`))
    expect(await newest()).toBe(below)
  })

  it('is no sub-agent’s, and none that can not be read', async () => {
    const path = put(`${CLAUDE}/a.jsonl`, 100, claude())
    put(`${CLAUDE}/agent-1f.jsonl`, 900, claude())
    put(`${CLAUDE}/c.jsonl`, 900)
    writeFileSync(join(home, CLAUDE, 'd.jsonl'), 'prose\n')
    put(`${CLAUDE}/notes.txt`, 900, claude())
    expect(await newest()).toBe(path)
  })

  it('is looked for where the hosts were told to keep their logs, too', async () => {
    const moved = put('cfg/projects/-home-ann-my-shop/a.jsonl', 100, claude())
    expect(await newest(TREE, { CLAUDE_CONFIG_DIR: join(home, 'cfg') })).toBe(moved)
    const archived = put('cx/archived_sessions/rollout-2026-04-02T10-00-00-s.jsonl', 200, codex())
    expect(await newest(TREE, { CODEX_HOME: join(home, 'cx') })).toBe(archived)
  })

  it('is found by looking into few files, the newest first', async () => {
    for (let i = 0; i < 60; i++) put(`${CODEX}/rollout-2026-04-02T10-00-${String(i).padStart(2, '0')}-x.jsonl`, 1000 + i, codex('/home/ann/other'))
    put(`${CODEX}/rollout-2026-04-02T09-00-00-old.jsonl`, 10, codex())
    let opened = 0
    const counting = { ...disk, stream: (path: string) => ((opened += 1), disk.stream(path)) }
    expect(await newestLog(TREE, { HOME: home }, formats, counting)).toBeNull()
    expect(opened).toBe(40)
    const mine = put(`${CODEX}/rollout-2026-04-02T11-00-00-new.jsonl`, 5000, codex())
    opened = 0
    expect([await newestLog(TREE, { HOME: home }, formats, counting), opened]).toEqual([mine, 1])
  })
})

describe('the log of a session', () => {
  const of = (session: string) => logOfSession(session, TREE, { HOME: home }, formats, disk)

  it('is the one that says so inside', async () => {
    put(`${CLAUDE}/aaa.jsonl`, 900, claude(TREE, 'aaa'))
    const b = put(`${CLAUDE}/bbb.jsonl`, 100, claude(TREE, 'bbb'))
    const c = put(`${CODEX}/rollout-2026-04-02T10-00-00-ccc.jsonl`, 100, codex(TREE, 'ccc'))
    expect([await of('bbb'), await of('ccc'), await of('ddd')]).toEqual([b, c, null])
  })

  it('is not one of another folder', async () => {
    put(`${CODEX}/rollout-2026-04-02T10-00-00-ccc.jsonl`, 100, codex('/home/ann/other', 'ccc'))
    expect(await of('ccc')).toBeNull()
  })
})

describe('a host’s own place', () => {
  const own = (path: string) => isHostsOwnPlace(path, TREE, { HOME: home }, formats, disk)

  it.each<[string, string, object, boolean]>([
    ['a log of this folder where Claude Code keeps it', `${CLAUDE}/a.jsonl`, claude(), true],
    ['a log of this folder where Codex keeps it', `${CODEX}/rollout-2026-04-02T10-00-00-s.jsonl`, codex(), true],
    ['a log of another folder where Codex keeps it', `${CODEX}/rollout-2026-04-02T10-00-00-s.jsonl`, codex('/x'), false],
    ['a log of another folder that only looks alike', `${CLAUDE}/a.jsonl`, claude('/home/ann/my-shop'), false],
    ['a copy of a log somewhere else', 'Downloads/a.jsonl', claude(), false],
    ['a log a floor too deep', `${CLAUDE}/old/a.jsonl`, claude(), false],
    ['another host’s log', `${CLAUDE}/a.jsonl`, codex(), false],
    ['a log under another name', `${CODEX}/copy.jsonl`, codex(), false],
  ])('%s', async (_what, name, line, expected) => {
    expect(await own(put(name, 100, line))).toBe(expected)
  })

  it('is no place for a log that is not there', async () => {
    mkdirSync(join(home, CLAUDE), { recursive: true })
    await expect(own(join(home, CLAUDE, 'none.jsonl'))).resolves.toBe(false)
  })
})
