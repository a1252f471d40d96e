import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../src/command.ts'
import { allCommands } from '../src/commands.ts'
import { readEffect } from '../src/model/declaration.ts'
import { top } from './floors.ts'

let commands: Command[]
beforeAll(async () => {
  commands = await allCommands()
})

const SKILL = 'skills/git-remnant/SKILL.md'
const textOf = (path: string): string => readFileSync(join(top, path), 'utf8')

describe.each([SKILL, 'skills/AGENTS.md'])('%s', (path) => {
  const typed = [...textOf(path).matchAll(/`git remnant ([a-z]+)([^`]*)`/g)].map(([, verb, rest]) => ({ verb: verb as string, rest: rest as string }))

  it('names verbs and options that exist', () => {
    expect(typed.length).toBeGreaterThan(3)
    for (const { verb, rest } of typed) {
      const command = commands.find(({ name }) => name === verb)
      expect(command?.name, verb).toBe(verb)
      const [own = ''] = rest.split(' -- ')
      for (const [, option] of own.replace(/"[^"]*"/g, '""').matchAll(/\s--([a-z-]+)/g)) expect(Object.keys(command?.options ?? {}), verb).toContain(option)
      if (rest.includes(' -- ')) expect(command?.rest, verb).toBeDefined()
    }
  })

  it('teaches run, claim and why, with effects that can be read', () => {
    expect(typed.map(({ verb }) => verb)).toEqual(expect.arrayContaining(['run', 'claim', 'why', 'brief']))
    for (const { rest } of typed) for (const [, effect] of rest.matchAll(/--effect "([^"]*)"/g)) expect(readEffect(effect as string)).not.toBeNull()
  })

  it('is short', () => {
    expect(textOf(path).length).toBeLessThan(2500)
  })
})

describe('the skill', () => {
  it('has a head that every host takes: no fields but the portable ones', () => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---\n/.exec(textOf(SKILL)) ?? []
    const fields = head.split('\n').map((line) => /^([a-z-]+): (.+)$/.exec(line) as RegExpExecArray)
    expect(fields.map(([, name]) => name)).toEqual(['name', 'description'])
    expect(fields[0]?.[2]).toBe('git-remnant')
    expect((fields[1]?.[2] as string).length).toBeLessThan(1024)
  })
})
