import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { blobId } from '../src/base/digest.ts'
import { formats } from '../src/formats.ts'
import { openLog } from '../src/host/log.ts'
import type { Turn } from '../src/model/observation.ts'
import { disk, turnsOf } from './logs/reading.ts'

const sample = join(import.meta.dirname, 'sample')
const log = join(sample, 'session.jsonl')
const ROOT = '/home/dev/clockwork/'
const inProject = (path: string) => readFileSync(join(sample, 'project', path))

const turns = await turnsOf(log)
const outcomeOf = ({ outcome }: Turn) => (outcome.is === 'code' ? outcome.code : outcome.is)
const outcomes = (command: string) => turns.filter((turn) => turn.command === command).map(outcomeOf)

describe('the shipped sample', () => {
  it('is one session of Claude Code with a sub-agent', async () => {
    const { format, names } = await openLog(log, formats, disk)
    expect([format.id, names.length]).toEqual(['claude-code', 2])
    expect(new Set(turns.map(({ session }) => session)).size).toBe(1)
    expect(turns.every(({ cwd, at }) => cwd === '/home/dev/clockwork' && at?.startsWith('2026-06-11T08:1'))).toBe(true)
    expect(turns.map(({ at }) => at)).toEqual(turns.map(({ at }) => at).toSorted())
  })

  it.each<[string, (string | number)[]]>([
    ['npm run typecheck', [1]],
    ['jest', [127]],
    ['npm test', [1, 'success']],
    ['npm test 2>&1 | tail -20', ['success']],
    ['make lint', ['success']],
    ['node src/cli.mjs 1d', [64, 'success']],
    ['grep -n "days" README.md', ['answer']],
    ['make docs || true', ['success']],
    ['npm install --save-dev jest', ['transient']],
    ['git add -A && git commit -m "Read days in durations"', ['success']],
    ['git push origin main', ['success']],
  ])('tells of `%s`', (command, expected) => {
    expect(outcomes(command)).toEqual(expected)
  })

  it('declares one thing, after the command that proves it', () => {
    const at = turns.findIndex(({ command }) => typeof command === 'string' && command.startsWith('git remnant claim '))
    expect(turns[at]?.command).toContain('--by "npm test"')
    expect(turns.slice(0, at).findLast(({ command }) => command === 'npm test')?.outcome).toEqual({ is: 'success' })
  })

  it('ends in the project beside it', () => {
    const after = new Map(turns.flatMap(({ edits }) => edits).map(({ path, after }) => [path, after]))
    expect([...after.keys()].toSorted()).toEqual(['README.md', 'src/duration.mjs', 'test/duration.mjs'].map((path) => ROOT + path))
    for (const [path, blob] of after) expect(blob).toBe(blobId(inProject(path.slice(ROOT.length))))
  })

  it('has gates that rest on different files: package.json for the tests, the Makefile for the style', () => {
    expect(JSON.parse(inProject('package.json').toString()).scripts).toEqual({ test: 'node --test' })
    expect(inProject('Makefile').toString()).toMatch(/^lint:\n\tnode scripts\/lint\.mjs /m)
    expect(turns.map(({ edits }) => edits).flat().map(({ path }) => path).filter((path) => /package\.json|Makefile|lint/.test(path))).toEqual([])
  })

  it('is a project without dependencies, so that it runs anywhere', () => {
    const manifest = JSON.parse(inProject('package.json').toString())
    expect([manifest.dependencies, manifest.devDependencies, existsSync(join(sample, 'project', 'node_modules'))]).toEqual([undefined, undefined, false])
  })
})
