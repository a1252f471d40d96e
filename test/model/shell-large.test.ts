import { describe, expect, it } from 'vitest'
import { MAX_SHELL_TEXT, readShell } from '../../src/model/shell.ts'

/** As many pieces as fit behind `head`. */
function filled(piece: (i: number) => string, head = '', most = MAX_SHELL_TEXT): string {
  const pieces = [head]
  for (let i = 0, length = head.length; (length += piece(i).length) <= most; i++) pieces.push(piece(i))
  return pieces.join('')
}

const group = `${filled(() => 'a;', '{ ', MAX_SHELL_TEXT / 2)}};r=$?;`
const variables = (head: string): string => filled((i) => `v${i}=;`, head, MAX_SHELL_TEXT / 2)

/** Each with how many commands it has, at least. */
const TEXTS: Readonly<Record<string, readonly [text: string, commands: number]>> = {
  'function definitions': [filled((i) => `f_${i}(){ :;};`), 1000],
  'function definitions in subshells': [filled(() => '(g(){ :;});', filled((i) => `f_${i}(){ :;};`, '', MAX_SHELL_TEXT / 2)), 1000],
  'assignments': [filled((i) => `v${i}=;`, '', MAX_SHELL_TEXT - 1) + 'a', 1],
  'exported assignments': [filled((i) => `v${i}=;`, 'set -a;', MAX_SHELL_TEXT - 1) + 'a', 1],
  'assignments in subshells': [filled(() => '(v=);', variables(''), MAX_SHELL_TEXT - 1) + 'a', 1],
  'variables taken away': [filled(() => 'unset v;', variables(''), MAX_SHELL_TEXT - 1) + 'a', 1],
  'commands in a large environment': [filled(() => 'a;', variables('set -a;')), 4000],
  'prints of one group’s status': [filled(() => 'echo "ok $r";', group), 4500],
}

describe('a large text', () => {
  it.each(Object.entries(TEXTS))('of %s is read within its time', (_, [text, commands]) => {
    const start = process.cpuUsage()
    const reading = readShell(text, { folder: '.', root: '/home/dev/app' })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000).toBeLessThan(2000)
    expect(reading.parsed).toBe(true)
    expect(reading.commands.length).toBeGreaterThanOrEqual(commands)
  })

  it('has one environment for all commands that stand in the same', () => {
    const { commands } = readShell('export A=1; a; b; (c); B=2 d', { folder: '.', root: null })
    const [a, b, c, d] = commands.map(({ command }) => command.env)
    expect(b).toBe(a)
    expect(c).toBe(a)
    expect(d).toEqual([['A', '1'], ['B', '2']])
  })
})
