import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { afterAll, describe, expect, it } from 'vitest'
import { agents } from '../../src/agents.ts'
import { commandLine, oursIn, withHooks, withoutHooks } from '../../src/host/agent-config/edit.ts'
import { foundAgents, installAgent, uninstallAgents } from '../../src/host/agent-config.ts'
import { showFiles } from '../../src/host/agent-config/known.ts'
import { openGit } from '../../src/host/git.ts'
import type { Agent } from '../../src/model/agent.ts'
import { ENV, stage } from '../stage.ts'

const P = "/opt/it's here/git-remnant"
const named = (id: string): Agent => agents.find((agent) => agent.names.includes(id)) as Agent
const lineOf = (agent: Agent, package_ = P) => (event: string) => commandLine(package_, agent.id, event)

/** Settings as people write them: any JSON, some hooks of their own, comments, either line end, any indentation, or none. */
const settings = fc
  .record({
    rest: fc.dictionary(fc.constantFrom('permissions', 'env', 'a key', 'ü', '$schema'), fc.oneof(fc.string(), fc.integer(), fc.constant([]), fc.constant({}), fc.constant({ allow: ['Bash(npm *)', 'x,}'] })), { maxKeys: 3 }),
    hooks: fc.option(
      fc.dictionary(
        fc.constantFrom('PreToolUse', 'PostToolUse', 'SessionStart', 'Stop', 'preToolUse', 'BeforeTool'),
        fc.array(fc.record({ matcher: fc.constantFrom('Bash', '', '*'), hooks: fc.constant([{ type: 'command', command: 'echo "}],"' }]) }), { maxLength: 3 }),
      ),
    ),
    indent: fc.constantFrom(0, 1, 2, 4, '\t'),
    eol: fc.constantFrom('\n', '\r\n'),
    end: fc.constantFrom('', '\n', '\n\n', '  '),
    comment: fc.constantFrom('', '// "hooks": {\n', '/* } ] , */ ', '// ü\n'),
    inside: fc.constantFrom('', ' // first', ' /* one, */'),
    trailing: fc.boolean(),
  })
  .map(({ rest, hooks, indent, eol, end, comment, inside, trailing }) => {
    let text = JSON.stringify(hooks === null ? rest : { ...rest, hooks }, null, indent)
    if (inside !== '' && text.startsWith('{\n')) text = text.replace('{\n', `{${inside}\n`)
    if (trailing && /[^{]\n\}$/.test(text)) text = text.replace(/\n\}$/, ',\n}')
    return `${comment}${text}${end}`.replaceAll('\n', eol)
  })
const anyText = fc.oneof({ weight: 8, arbitrary: settings }, { weight: 1, arbitrary: fc.constantFrom('', '\n', '// nothing yet\n', '/* c */', '  \r\n', '{}', '{\n}\n', '{ }') })

describe('hooks in settings', () => {
  it('stand last in their lists, beside all that was there, and go byte for byte', () => {
    fc.assert(
      fc.property(anyText, fc.constantFrom(...agents), (text, agent) => {
        const edited = withHooks(text, agent.hooks, lineOf(agent))
        if (edited === null) throw new Error(`not edited: ${JSON.stringify(text)}`)
        const [before, now] = [parse(text, [], { allowTrailingComma: true }) ?? agent.hooks.fields, parse(edited.text, [], { allowTrailingComma: true })]
        expect({ ...now, hooks: undefined }).toEqual({ ...before, hooks: undefined })
        for (const { event, entry } of agent.hooks.points) expect(now.hooks[event]).toEqual([...(before.hooks?.[event] ?? []), entry(lineOf(agent)(event))])
        for (const [event, list] of Object.entries(before.hooks ?? {})) expect(now.hooks[event].slice(0, (list as unknown[]).length)).toEqual(list)
        for (const comment of text.match(/\/\/.*|\/\*.*?\*\//g) ?? []) expect(edited.text).toContain(comment.trimEnd())
        expect(withoutHooks(edited.text, edited.steps, agent.hooks.fields)).toBe(text)
      }),
      { numRuns: 400 },
    )
  })

  it('go from settings that were changed meanwhile, or of which no more is known, and take nothing else along', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(...agents), fc.boolean(), (text, agent, forgotten) => {
        const edited = withHooks(text, agent.hooks, lineOf(agent))
        if (edited === null) throw new Error('not edited')
        const changed = forgotten ? edited.text : `// new\n${edited.text}`
        const back = withoutHooks(changed, forgotten ? [] : edited.steps, agent.hooks.fields)
        if (back === null) throw new Error('not undone')
        expect(oursIn(back).size).toBe(0)
        const lists = (value: string) => {
          const { hooks, ...rest } = parse(value, [], { allowTrailingComma: true }) ?? {}
          return { ...rest, hooks: Object.fromEntries(Object.entries((hooks ?? {}) as Record<string, unknown[]>).filter(([, list]) => list.length > 0)) }
        }
        expect(lists(back)).toEqual(lists(text))
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['what is no JSON', '{"a": }'],
    ['a list', '[]'],
    ['hooks that are a list', '{"hooks": []}'],
    ['a list of hooks that is none', '{"hooks": {"PreToolUse": {}}}'],
    ['names that stand twice', '{"hooks": {}, "hooks": {}}'],
    ['text behind it', '{} {}'],
  ])('are not added to %s', (_, text) => {
    expect(withHooks(text, named('claude').hooks, lineOf(named('claude')))).toBeNull()
  })

  it('run one shell string that lets the call through where we are gone', () => {
    expect(commandLine(P, 'claude-code', 'PreToolUse')).toBe(
      `command -v git-remnant >/dev/null 2>&1 && [ -x '/opt/it'\\''s here/git-remnant/hooks/guard' ] || exit 0; exec '/opt/it'\\''s here/git-remnant/hooks/guard' claude-code PreToolUse`,
    )
  })
})

describe('the configuration of an agent', () => {
  const set = stage()
  afterAll(set.dispose)
  const git = openGit(set.repository, ENV)
  const at = (path: string): string => join(set.dir, path)
  const put = (path: string, text: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
    chmodSync(at(path), mode)
  }
  const install = (id: string, from = P) => installAgent(named(id), git, from, set.files)
  const takeBack = (): string[] => {
    const gone = uninstallAgents(agents, [set.dir], set.repository.commonDir, set.files)
    showFiles(set.repository.commonDir, set.files)
    rmSync(join(set.repository.commonDir, 'remnant'), { recursive: true, force: true })
    return gone
  }
  const exclude = (): string => readFileSync(join(set.repository.commonDir, 'info/exclude'), 'latin1')

  it.each(agents.map((agent) => [agent.names[0] as string, agent.hooks.file]))('of %s is made where there is none, hidden from git, and goes with its folder', async (id, file) => {
    const before = exclude()
    expect(await install(id)).toMatchObject({ state: 'installed', reason: null, lines: null, path: at(file) })
    expect(oursIn(readFileSync(at(file), 'utf8')).size).toBe(named(id).hooks.points.length)
    expect(set.git('status', '--porcelain')).toBe('')
    expect(await install(id)).toMatchObject({ state: 'unchanged' })
    expect(takeBack()).toEqual([at(file)])
    expect(existsSync(dirname(at(file)))).toBe(false)
    expect(exclude()).toBe(before)
  })

  it('keeps its bytes and its mode when ours come, move to another package, and go', async () => {
    const text = '{\r\n\t// mine\r\n\t"env": {"A": "ü"},\r\n\t"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": []}]}\r\n}'
    put('.claude/settings.local.json', text, 0o600)
    const path = at('.claude/settings.local.json')
    expect((await install('claude', '/old')).state).toBe('installed')
    expect((await install('claude')).state).toBe('updated')
    const ours = oursIn(readFileSync(path, 'utf8'))
    expect(ours.get('PreToolUse')).toEqual([commandLine(P, 'claude-code', 'PreToolUse')])
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(takeBack()).toEqual([path])
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(lstatSync(path).mode & 0o777).toBe(0o600)
    expect(takeBack()).toEqual([])
    rmSync(at('.claude'), { recursive: true })
  })

  it.each<[string, string, () => void, RegExp]>([
    ['git tracks it', 'gemini', () => void (put('.gemini/settings.json', '{}\n'), set.git('add', '-f', '.gemini')), /git tracks it/],
    ['it is a link', 'claude', () => (mkdirSync(at('.claude')), symlinkSync('/dev/null', at('.claude/settings.local.json'))), /settings\.local\.json is a link/],
    ['its folder is a link', 'codex', () => symlinkSync(set.base, at('.codex')), /^\.codex is a link/],
    ['it is broken', 'copilot', () => put('.github/hooks/git-remnant.json', '{"version": 1,'), /no.* JSON whose hooks/],
    ['it is no UTF-8', 'claude', () => (rmSync(at('.claude'), { recursive: true, force: true }), put('.claude/settings.local.json', new Uint8Array([123, 255, 125]))), /UTF-8/],
  ])('is left alone where %s, and the entries to add are told', async (_, id, prepare, reason) => {
    prepare()
    const told = await install(id)
    expect(told).toMatchObject({ state: 'by hand', reason: expect.stringMatching(reason) })
    const { hooks } = JSON.parse(told.lines ?? '')
    expect(Object.keys(hooks)).toEqual(named(id).hooks.points.map(({ event }) => event))
    expect(takeBack()).toEqual([])
  })

  it('is that of the agents whose program or folder is here', () => {
    const bin = join(set.base, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'copilot'), '', { mode: 0o755 })
    mkdirSync(join(set.base, 'empty/.gemini'), { recursive: true })
    expect(foundAgents(agents, join(set.base, 'empty'), { PATH: bin }).map(({ id }) => id)).toEqual(['gemini-cli', 'copilot-cli'])
    expect(foundAgents(agents, bin, { PATH: '' })).toEqual([])
  })
})
