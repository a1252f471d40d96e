import { describe, expect, it } from 'vitest'
import { patternsOf } from '../../src/guard/patterns.ts'

const commands = (...lines: string[]) => lines.map((line) => ({ argv: line.split(' ') }))
const sees = (patterns: readonly string[], command: unknown): boolean => {
  const payload = JSON.stringify({ cwd: '/home/dev/work', tool_input: { command } })
  return patterns.some((pattern) => payload.includes(pattern))
}

describe('patterns for the shell', () => {
  it.each<[string, unknown, boolean]>([
    ['jest', 'jest', true],
    ['jest', 'cd a && jest', true],
    ['jest', 'jest;ls', true],
    ['jest', 'jest|tail', true],
    ['jest', '(jest)', true],
    ['jest', 'ls\njest', true],
    ['jest', 'jest\nls', true],
    ['jest', '"jest" --ci', true],
    ['jest', ['jest'], true],
    ['jest', 'npm test', false],
    ['jest', 'ls jest-project', false],
    ['npm test', 'npm test', true],
    ['npm test', 'npm test -- --ci', true],
    ['npm test', ['npm', 'test'], true],
    ['npm test', ['bash', '-lc', 'npm test'], true],
    ['npm test', 'npm run build', false],
    ['node "a', 'node "a', true],
    ['./gradlew build', './gradlew build', true],
  ])('of %s see %j: %s', (line, command, expected) => {
    expect(sees(patternsOf(commands(line), []), command)).toBe(expected)
  })

  it.each<[string, unknown, boolean]>([
    ['npm publish', 'npm publish', true],
    ['npm publish', 'npm --workspaces=false publish', true],
    ['npm publish', 'pnpm publish && echo done', true],
    ['npm publish', 'yarn npm publish', true],
    ['npm publish', ['npm', 'publish'], true],
    ['npm publish', 'npm test', false],
    ['npm publish', 'node scripts/publisher.mjs', false],
    ['psql', "psql -c 'x'", true],
    ['psql', '/usr/bin/psql', true],
    ['psql', 'npm test', false],
  ])('of the mutation %s see %j: %s', (name, command, expected) => {
    expect(sees(patternsOf([], [name]), command)).toBe(expected)
  })

  it('hold no empty line, which would see everything', () => {
    expect(patternsOf(commands('', '"', 'jest', '\n', '/'), ['npm publish']).filter((pattern) => pattern.trim() === '' || pattern.includes('\n'))).toEqual([])
  })

  it('are few however many dead ends there are, and still see each', () => {
    const many = commands(...Array.from({ length: 10_000 }, (_, i) => `tool-${i}-absent --run`))
    const patterns = patternsOf(many, [])
    expect(patterns.length).toBeLessThanOrEqual(600)
    expect(many.filter(({ argv }) => !sees(patterns, argv.join(' ')))).toEqual([])
    expect(sees(patterns, 'npm test')).toBe(false)
  })
})
