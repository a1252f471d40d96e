import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import { patternsOf } from '../../src/guard/patterns.ts'
import type { Mutation } from '../../src/model/mutation.ts'
import { readShell } from '../../src/model/shell.ts'

/** A shell text's first command, as a session's log gives it. */
export const typed = (line: string) => readShell(line, { folder: '.', root: '/repo' }).commands[0]?.command ?? commandOf(['?'])

/** `KIND ID`, or null. */
type Target = string | null

export interface Table {
  /** A command line · what again would do · its target · its identifier. */
  readonly means: readonly (readonly [string, 'harmful' | 'convergent', Target, string | null])[]
  /** Dry runs, forms that read, look-alikes. */
  readonly not: readonly string[]
  /** A command line · its output · its target · its identifier · its state hash. `?` before a line: its status is not known. */
  readonly done: readonly (readonly [string, string, string, string | null, (string | null)?])[]
  /** A command line · its output · `not-done` or null. */
  readonly open: readonly (readonly [string, string, 'not-done' | null])[]
}

/** What every member promises, asked of one by a table of what people type and what the tool answers. */
export function mutationSuite(mutation: Mutation, { means, not, done, open }: Table): void {
  const asked = (line: string) => ({ command: typed(line.replace(/^\?/, '')), succeeded: !line.startsWith('?') })
  describe(mutation.id, () => {
    it.each(means)('is meant by %s', (line, repeat, target, identifier) => {
      const intended = mutation.intends(typed(line))
      expect(intended && { ...intended, target: intended.target && `${intended.target.kind} ${intended.target.id}` }).toMatchObject({ repeat, target, identifier })
    })

    it.each(means.filter(([, repeat]) => repeat === 'harmful'))('is seen in a payload that tells of %s', (line) => {
      const payload = JSON.stringify({ tool_input: { command: line } })
      expect(patternsOf([], mutation.names).filter((pattern) => payload.includes(pattern))).not.toEqual([])
    })

    it.each(not)('is not meant by %s', (line) => {
      expect(mutation.intends(typed(line))).toBeNull()
      expect(mutation.confirms(typed(line), done[0]?.[1] ?? '', true)).toBeNull()
    })

    it.each(done.map((row) => ({ line: row[0], output: row[1], target: row[2], identifier: row[3], state_hash: row[4] ?? null })))('is confirmed: $line → $output', ({ line, output, target, identifier, state_hash }) => {
      const { command, succeeded } = asked(line)
      const said = mutation.confirms(command, output, succeeded)
      expect(said).not.toBe('not-done')
      expect(said !== null && said !== 'not-done' && { ...said, target: `${said.target.kind} ${said.target.id}` }).toMatchObject({ target, identifier, state_hash })
    })

    it.each(open)('is not confirmed: %s → %s', (line, output, said) => {
      const { command, succeeded } = asked(line)
      expect(mutation.intends(command)).not.toBeNull()
      expect(mutation.confirms(command, output, succeeded)).toBe(said)
    })
  })
}
