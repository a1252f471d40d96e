import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessionStart } from '../../../src/commands/hook/session-start.ts'
import { journalPath } from '../../../src/host/journals/append.ts'
import { type HookEvent, NOTHING_YET } from '../../../src/model/agent.ts'
import { claudeCode, hear, hostAt } from '../../agents/sessions.ts'
import { ENV, type Stage, stage } from '../../stage.ts'

const event = (set: Stage, more: Partial<HookEvent> = {}): HookEvent => ({ ...NOTHING_YET, host: 'claude-code', session: 's1', moment: 'start', cwd: set.dir, transcript: null, ...more })

/** Starts a session with a file that its shells read; what stands there then. */
async function started(set: Stage, session: string, env: string): Promise<string> {
  await sessionStart(event(set, { session }), hostAt(set.dir, { ...ENV, HOME: set.base, CLAUDE_ENV_FILE: env }))
  try {
    return readFileSync(env, 'utf8')
  } catch {
    return ''
  }
}

/** An unsealed journal of a dead end that holds here. */
async function leftover(set: Stage): Promise<void> {
  const { payload, event } = claudeCode.after({ is: 'command', command: 'no-such-tool --help', code: 127, output: '/bin/bash: line 1: no-such-tool: command not found\n' }, 'c1', { home: set.base, dir: set.dir, session: 'old' }, new Date().toISOString(), null)
  await hear(payload, event, hostAt(set.dir, { ...ENV, HOME: set.base }))
}

describe('the name of a session', () => {
  it('is exported once, quoted for the shell, behind what stands there', async () => {
    const set = stage()
    const env = join(set.base, 'env')
    writeFileSync(env, 'export A=1')
    await started(set, "it's; $(x)", env)
    expect(await started(set, "it's; $(x)", env)).toBe(`export A=1\nexport GIT_REMNANT_SESSION='it'\\''s; $(x)'\n`)
  })

  it.each(['a\nb', 'a\u0000b', '\u202eab', 'x'.repeat(300)])('is not exported where it could be more than a name: %j', async (session) => {
    const set = stage()
    expect(await started(set, session, join(set.base, 'env'))).toBe('')
  })
})

describe('a session\'s start', () => {
  it('says nothing where nothing is stored, and asks for no sets', async () => {
    const set = stage()
    const host = hostAt(set.dir, { ...ENV, HOME: set.base })
    expect(await sessionStart(event(set), host)).toBe('')
  })

  it('seals what was left, and goes on where one part fails', async () => {
    const set = stage()
    await leftover(set)
    const told = await sessionStart(event(set), hostAt(set.dir, { ...ENV, HOME: set.base, CLAUDE_ENV_FILE: join(set.dir, 'README.md/env') }))
    expect(told).toContain('- `no-such-tool --help` → no-such-tool: command not found')
    expect(() => readFileSync(journalPath('claude-code', 'old', set.repository))).toThrow('ENOENT')
  })

  it('leaves a running session\'s journal alone after compaction', async () => {
    const set = stage()
    await leftover(set)
    await sessionStart(event(set, { compacted: true }), hostAt(set.dir, { ...ENV, HOME: set.base }))
    expect(readFileSync(journalPath('claude-code', 'old', set.repository), 'utf8')).toContain('no-such-tool')
  })
})
