import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { STATUSES, synopsisOf } from '../src/cli/help.ts'
import type { Command } from '../src/command.ts'
import { allCommands } from '../src/commands.ts'
import { rules } from '../src/rules.ts'
import { top } from './floors.ts'

let commands: Command[]
beforeAll(async () => {
  commands = await allCommands()
})

const readme = (): string => readFileSync(join(top, 'README.md'), 'utf8')

describe('the README', () => {
  it('has the tables of verbs and exit statuses that help and manual have (npx vitest run test/readme.test.ts -u writes them)', async () => {
    const whole = filled(readme(), {
      verbs: `${table(['verb', 'does'], rowsOf('porcelain'))}\n\n${table(['plumbing: JSON values in and out, one a line', 'does'], rowsOf('plumbing'))}`,
      statuses: table(['status', 'means'], STATUSES.map(([status, meaning]) => [String(status), meaning])),
    })
    await expect(whole).toMatchFileSnapshot('../README.md')
    for (const { name } of commands) expect(whole).toMatch(new RegExp(`^\\| \`${name}[ \`]`, 'm'))
    for (const [status] of STATUSES) expect(whole).toMatch(new RegExp(`^\\| ${status} \\| \\w`, 'm'))
  })

  it('names no verb and no option that is none', () => {
    const known = new Set([...commands.map(({ name }) => name), 'help', 'VERB'])
    const mentioned = [...readme().matchAll(/\bgit remnant ([A-Za-z]+)/g)].map(([, verb]) => verb as string)
    expect(mentioned.length).toBeGreaterThan(5)
    const verbs = mentioned.filter((verb) => !known.has(verb))
    expect(verbs.filter((verb) => !PROSE.includes(verb))).toEqual([])
    for (const [, verb, rest] of readme().matchAll(/\bgit remnant ([a-z]+)((?: [^\n#|`]*)?)/g)) {
      const command = commands.find(({ name }) => name === verb)
      const [own = ''] = (rest as string).split(' -- ')
      for (const [, option] of command === undefined ? [] : own.matchAll(/\s--([a-z][a-z-]*)/g))
        expect([...Object.keys(command?.options ?? {}), 'json', 'help'], `git remnant ${verb}`).toContain(option)
    }
  })

  it('names every rule', () => {
    for (const { id } of rules) expect(readme()).toContain(`\`${id}\``)
  })
})

/** Words that follow the name where it is the subject of a sentence or a column. */
const PROSE = ['keeps', 'is', 'does', 'has']

/** A text with what stands between `<!-- NAME -->` and `<!-- /NAME -->` replaced; other marks stay as they are. */
const filled = (text: string, parts: Readonly<Record<string, string>>): string =>
  Object.entries(parts).reduce((page, [name, part]) => {
    const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
    const [from, to] = [page.indexOf(start), page.indexOf(end)]
    return from === -1 || to === -1 ? page : `${page.slice(0, from + start.length)}${part}\n${page.slice(to)}`
  }, text)

const rowsOf = (kind: Command['kind']): [string, string][] =>
  commands
    .filter((command) => command.kind === kind)
    .map((command) => [`\`${synopsisOf(command).replace(/^git remnant /, '')}\``, command.summary.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())])

const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): string =>
  [head, ['---', '---'] as const, ...rows].map(([left, right]) => `| ${left.replaceAll('|', '\\|')} | ${right.replaceAll('|', '\\|')} |`).join('\n')
