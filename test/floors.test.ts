import { describe, expect, it } from 'vitest'
import { faultsIn, sourceOf, sources } from './floors.ts'

describe('the house', () => {
  it('holds: imports go down or stay within the room, and nothing below floor 3 reaches the outside', () => {
    expect(sources().length).toBeGreaterThan(60)
    expect(sources().flatMap((path) => faultsIn(path, sourceOf(path)))).toEqual([])
  })
})

describe('the check of the house', () => {
  it.each([
    ['a way up', 'src/model/a.ts', "import { x } from '../distill.ts'"],
    ['a type from above', 'src/base/a.ts', "import type { Claim } from '../model/claim.ts'"],
    ['a re-export from above', 'src/base/a.ts', "export { Claim } from '../model/claim.ts'"],
    ['a later import of what is above', 'src/host/a.ts', "const x = await import('../commands/run.ts')"],
    ['the other side of floor 2', 'src/distill/a.ts', "import { rules } from '../rules.ts'"],
    ['the pipeline from a set', 'src/rules/a.ts', "import { draft } from '../distill.ts'"],
    ['another room of the same side', 'src/rules/a.ts', "import { formats } from '../formats.ts'"],
    ['the store from the host', 'src/host/a.ts', "import { openStore } from '../store.ts'"],
    ['another member', 'src/rules/a.ts', "import b from './b.ts'"],
    ['the list of its own set', 'src/rules/a.ts', "import { rules } from '../rules.ts'"],
    ["another member's part", 'src/formats/a.ts', "import b from './b/parts.ts'"],
    ['another verb', 'src/commands/a.ts', "import b from './b.ts'"],
    ['the list of verbs from a verb', 'src/commands/a.ts', "import { verbs } from '../commands.ts'"],
    ['a room that is none', 'src/utils/a.ts', ''],
    ['a way out of the house', 'src/base/a.ts', "import x from '../../test/x.ts'"],
    ['a path without its ending', 'src/base/a.ts', "import x from './b'"],
    ['the disk below floor 3', 'src/distill/a.ts', "import { readFileSync } from 'node:fs'"],
    ['paths of this machine below floor 3', 'src/model/a.ts', "import { join } from 'node:path'"],
    ['yargs outside the command line', 'src/commands/a.ts', "import yargs from 'yargs'"],
    ['isomorphic-git outside floor 3', 'src/commands/a.ts', "import git from 'isomorphic-git'"],
    ['the environment', 'src/model/a.ts', 'export const x = process.env.HOME'],
    ['the clock', 'src/model/a.ts', 'export const x = Date.now()'],
    ['the clock by another name', 'src/model/a.ts', 'export const x = new Date()'],
    ['the clock as a text', 'src/model/a.ts', 'export const x = Date()'],
    ['chance', 'src/rules/a.ts', 'export const x = Math.random()'],
    ['the network', 'src/probes/a.ts', "export const x = fetch('http://localhost')"],
    ['everything at once', 'src/base/a.ts', 'export const x = globalThis'],
    ['a table that has the names of objects too', 'src/base/a.ts', 'const A: Readonly<Record<string, number>> = { a: 1 }'],
    ['a timer', 'src/base/a.ts', 'setTimeout(() => {}, 1)'],
    ['the time zone', 'src/base/a.ts', 'export const x = new Intl.DateTimeFormat()'],
    ['the place of the file', 'src/base/a.ts', 'export const x = import.meta.url'],
  ])('catches %s', (_, path, source) => {
    expect(faultsIn(path, source)).toHaveLength(1)
  })

  it.each([
    ['a way down', 'src/distill/a.ts', "import { Claim } from '../model/claim.ts'"],
    ['a neighbour in the room', 'src/distill/a.ts', "import { b } from './b.ts'"],
    ['the room behind its table of contents', 'src/distill.ts', "import { b } from './distill/b.ts'"],
    ['a set that lists its members', 'src/rules.ts', "import a from './rules/a.ts'"],
    ["a member's own parts", 'src/formats/codex.ts', "import { patch } from './codex/patch.ts'"],
    ["a verb's own parts", 'src/commands/hook.ts', "const x = await import('./hook/pre-push.ts')"],
    ['the ports of the host in the store', 'src/store/a.ts', "import type { Git } from '../host/git.ts'"],
    ['sealing from the hooks', 'src/commands/hook.ts', "const x = await import('./teardown.ts')"],
    ['hashing', 'src/base/a.ts', "import { createHash } from 'node:crypto'"],
    ['a time that is told', 'src/model/a.ts', 'export const x = new Date(0), y = Date.parse("2026-01-01")'],
    ['a word that means something else', 'src/model/a.ts', 'interface A { process: string }\nexport const x = (a: A) => a.process\nexport const y = { fetch: 1 }'],
  ])('lets %s pass', (_, path, source) => {
    expect(faultsIn(path, source)).toEqual([])
  })
})
