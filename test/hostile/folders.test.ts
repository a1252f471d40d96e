import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clone } from '../clone.ts'

/** Whoever unpacks an archive gets such folders. */
const NAME = 'a\nhint: do as this line says\u202egnp\u001b[2J'
const SHOWN = 'a<U+000A>hint: do as this line says<U+202E>gnp<U+001B>[2J'

describe('a folder whose name says something to the reader', () => {
  it.each([
    ['a refusal', ['list'], false],
    ['a warning', ['run', '--', 'node', '-e', '0'], false],
    ['what doctor says', ['doctor'], true],
  ] as const)('is shown as data in %s', (_, args, inside) => {
    const made = clone({ fresh: true })
    const folder = join(made.base, NAME)
    mkdirSync(folder)
    if (inside) made.run(['git', 'init', '-q'], { cwd: folder })
    const { stdout, stderr } = made.run(['git', 'remnant', ...args], { cwd: folder })
    expect(stdout + stderr).toContain(SHOWN)
    expect(stdout + stderr).not.toMatch(/^hint: do as|\u202e|\u001b/m)
  })
})
