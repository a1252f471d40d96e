import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { refuseProse } from '../src/distill/screen.ts'
import { commandOf, shown } from '../src/model/command.ts'
import { rules } from '../src/rules.ts'

const refusalOf = (text: string) => refuseProse({ field: 'statement', text }, rules)

const good = rules.flatMap(({ id }) => readFileSync(new URL(`./rules/${id}/ok.txt`, import.meta.url), 'utf8').split('\n')).filter((line) => line !== '')

describe('the rules together', () => {
  it.each([...new Set(good)])('let "%s" pass', (text) => expect(refusalOf(text)).toBeNull())

  it.each([
    ["Let's try this next", 'no-deixis'],
    ['I think the path is X', 'no-deixis'],
    ['The path is probably X', 'no-hedge'],
    ["Let's use pnpm", 'no-plan'],
    ['', 'declarative'],
    [' \n\t', 'declarative'],
    ['After that, the build passed', 'no-deixis'],
    ['The build was fixed', 'not-narrative'],
  ])('refuse "%s" by %s', (text, rule) => expect(refusalOf(text)?.rule).toBe(rule))

  it('let the sentence of document 001 pass', () => expect(refusalOf('The API schema requires a Bearer token')).toBeNull())

  it.each([
    [['npm', 'test']],
    [['sh', '-c', 'echo "let us try `this` here"; exit 1']],
    [['grep', '-r', 'I think', 'src']],
    [['node', '-e', "console.log('it`s')"]],
    [['git', 'commit', '-m', "I'll fix it later, maybe?"]],
    [['printf', '%s\n', 'a', "b'c`d"]],
    [['echo', '``', '`']],
  ])('let our own statements about %j pass', (argv) => {
    for (const folder of ['.', 'packages/this', 'apps/now what'])
      for (const text of [`\`${shown(commandOf(argv))}\` is a gate of \`${folder}\``, `\`${shown(commandOf(argv))}\` passes in \`${folder}\``]) expect(refusalOf(text)).toBeNull()
  })

  it('see through a sentence that only looks like one of our own', () => {
    expect(refusalOf('`a`. I think `b` passes in `c`')?.rule).toBe('no-deixis')
    expect(refusalOf('`a`. The cache is probably stale, so `b` is a gate of `c`')?.rule).toBe('no-hedge')
  })

  it('stand each under its own name with a reason', () => {
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
    for (const { why } of rules) expect(why).toMatch(/^[A-Z].{30,}\.$|\)\.$/)
  })

  it('say how a statement is to be put, with an example that all of them admit', () => {
    for (const { hint } of rules) {
      expect(hint).toMatch(/^(?:say|name) \S.{30,}[^.]$/)
      for (const [, text = ''] of hint.matchAll(/"([^"]+)"/g)) expect(rules.filter((rule) => rule.refuse({ field: 'statement', text }) !== null)).toEqual([])
    }
  })
})
