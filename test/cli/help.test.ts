import { beforeAll, describe, expect, it } from 'vitest'
import { EXIT, EXIT_BUG } from '../../src/base/errors.ts'
import { STATUSES, helpOf, manualOf, synopsisOf } from '../../src/cli/help.ts'
import type { Command } from '../../src/command.ts'
import { allCommands, verbs } from '../../src/commands.ts'

let commands: Command[]
beforeAll(async () => {
  commands = await allCommands()
})

describe('the commands', () => {
  it('are named as their files are, porcelain first', () => {
    expect(commands.map(({ name }) => name)).toEqual(verbs.map(({ name }) => name))
    expect(commands.map(({ kind }) => kind)).toEqual([...commands.map(({ kind }) => kind)].sort().reverse())
  })

  it('say in one line, without a full stop, what they do', () => {
    for (const { name, summary } of commands) expect({ name, summary }).toEqual({ name, summary: expect.stringMatching(/^\S[^\n]{10,88}[^.\n]$/) })
  })

  it('have no option of one letter and none named like a global one', () => {
    const names = commands.flatMap(({ options }) => Object.keys(options ?? {}))
    expect(names.filter((name) => !/^[a-z][a-z-]+$/.test(name) || ['json', 'help', 'version'].includes(name))).toEqual([])
  })

  it('have no positional named like an option', () => {
    const clashes = commands.filter(({ options, positionals }) => (positionals ?? []).some(({ name }) => Object.hasOwn(options ?? {}, name)))
    expect(clashes.map(({ name }) => name)).toEqual([])
  })
})

describe('help', () => {
  it('lists every verb with its summary, in order, and every exit status', () => {
    const { overview } = helpOf(commands, '1.2.3')
    const found = commands.map(({ name, summary }) => overview.search(new RegExp(`^  ${name} +${summary.slice(0, 20).replace(/[()]/g, '.')}`, 'im')))
    expect(found).not.toContain(-1)
    expect(found).toEqual([...found].sort((a, b) => a - b))
    for (const [status, meaning] of STATUSES) expect(overview).toContain(`  ${String(status).padEnd(3)}  ${meaning}\n`)
  })

  it('of a verb has its synopsis, its options, positionals and statuses', () => {
    for (const command of commands) {
      const page = helpOf(commands, '1.2.3').verbs[command.name] ?? ''
      expect(page.replace(/\s+/g, ' ')).toContain(`usage: ${synopsisOf(command)}`)
      for (const name of Object.keys(command.options ?? {})) expect(page).toContain(`\n  --${name}`)
      for (const { name } of command.positionals ?? []) expect(page).toContain(`\n  ${name.toUpperCase()}`)
      for (const status of Object.keys(command.statuses ?? {})) expect(page).toMatch(new RegExp(`^  ${status} `, 'm'))
    }
  })

  it('fits a terminal', () => {
    const { overview, verbs } = helpOf(commands, '1.2.3')
    expect([overview, ...Object.values(verbs)].flatMap((page) => page.split('\n')).filter((line) => line.length > 100 && line.includes(' '))).toEqual([])
  })
})

describe('the exit statuses', () => {
  it('are those of the faults, of a bug, and the two answers', () => {
    expect(STATUSES.map(([status]) => status)).toEqual([...new Set([0, 1, EXIT_BUG, ...Object.values(EXIT)])].sort((a, b) => a - b))
  })
})

describe('the manual page', () => {
  it('has every verb, every option and every status of its own', () => {
    const page = manualOf(commands, '1.2.3')
    const plain = page.replaceAll('\\-', '-').replaceAll('\\&', '').replaceAll('\\e', '\\')
    for (const command of commands) {
      expect(plain).toContain(`.SS "${synopsisOf(command).replaceAll('…', '...')}"`)
      for (const { describe } of Object.values(command.options ?? {})) expect(plain).toContain(`\n${describe.replaceAll('→', '\\(->').replaceAll('…', '...')}\n`)
      for (const [status, meaning] of Object.entries(command.statuses ?? {})) expect(plain).toContain(`.B exit ${status}\n${meaning.replaceAll('…', '...')}\n`)
    }
  })

  it('has no line that roff would take for a request of its own', () => {
    const requests = manualOf(commands, '1.2.3').split('\n').filter((line) => /^[.']/.test(line))
    expect(requests.filter((line) => !/^\.(?:TH|ad|SH|SS|TP|PP|B|I|RI)(?: |$)/.test(line))).toEqual([])
  })

  it('escapes what roff would read', () => {
    const odd: Command = { name: 'odd', kind: 'porcelain', summary: '.so /etc/passwd', details: "'quoted' a\\b", run: async () => ({}) }
    const page = manualOf([odd], '1')
    expect(page).toContain('\n\\&.so /etc/passwd.\n')
    expect(page).toContain("\n\\&'quoted' a\\eb\n")
  })
})
