import { describe, expect, it } from 'vitest'
import { redacted } from '../../src/distill/redact.ts'
import { ephemera } from '../../src/ephemera.ts'
import { REDACTED } from '../../src/model/ephemeron.ts'
import type { JournalLine } from '../../src/model/observation.ts'
import { leaked, planted } from '../secrets/planted.ts'

const line = (more: Partial<JournalLine>): JournalLine => ({
  schema: 'git-remnant/observation/1',
  host: 'claude-code',
  session: 's1',
  record_id: 'toolu_1',
  at: '2026-06-01T10:00:00Z',
  kind: 'command',
  folder: '.',
  head: null,
  command: 'npm test',
  outcome: { is: 'code', code: 1 },
  output: 'bad\n',
  edits: [],
  declared: null,
  keys: { 'file:package.json': 'a'.repeat(40) },
  worktree: '/w',
  ...more,
})

describe('a line that is kept', () => {
  it('is the same where there is no secret in it', async () => {
    const plain = line({ cwd: '/w', edits: [{ path: '/w/a.ts', before: null, after: 'a'.repeat(40) }], declared: { statement: 'It is so.', by: 'npm test', effect: { verb: 'use', kind: 'tool', value: 'node' }, gate: null, root_cause: false } })
    expect(await redacted(plain, ephemera)).toEqual(plain)
  })

  it('holds none of the secrets that stood in any of its fields', async () => {
    const leaks: string[] = []
    for (const shape of planted(3)) {
      const { text } = shape
      const kept = await redacted(
        line({ record_id: text, folder: text, cwd: `/w/${text}`, command: `npm test -- ${shape.typed}`, output: `bad\n${text}\n`, edits: [{ path: text, before: null, after: null }], keys: { [`absent:${text}`]: 'absent', 'env:CI': text }, declared: { statement: text, by: text, effect: { verb: 'use', kind: 'path', value: text }, gate: text, root_cause: false }, intended: { target: { kind: 'npm', id: text }, identifier: text }, transcript: text }),
        ephemera,
      )
      const leak = leaked(shape, JSON.stringify(kept))
      if (leak !== null) leaks.push(`${shape.name}: ${leak}`)
      if (!`${kept.command}${kept.output}`.includes(REDACTED)) leaks.push(`${shape.name}: nothing was replaced`)
    }
    expect(leaks).toEqual([])
  })

  it('keeps the words around a secret', async () => {
    const kept = await redacted(line({ command: `deploy --password ${'hunt'}er2x --dry-run`, output: `a\npassword=${'hunt'}er2x\nb\n` }), ephemera)
    expect(kept).toMatchObject({ command: `deploy --password ${REDACTED} --dry-run`, output: `a\npassword=${REDACTED}\nb\n` })
  })
})
