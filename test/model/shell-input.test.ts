import { describe, expect, it } from 'vitest'
import { readShell } from '../../src/model/shell.ts'

const readIn = (text: string) => readShell(text, { folder: '.', root: '/repo' }).commands
const named = (text: string, program: string) => readIn(text).find(({ command }) => command.argv[0] === program)

describe('a command that only its input or its environment leaves open', () => {
  it.each(['a | x -', 'a | b | x -', "x - <<'END'\nhello\nEND", 'x <<< hello', 'env -u A -u B x', 'env --unset=A x', 'a | env -u A x', 'env -u A B=1 x'])('has words that stand as they are: %s', (text) => {
    expect(named(text, 'x')).toMatchObject({ symbolic: true, worded: true })
  })

  it.each(['a | x "$Y"', 'env -u A x $Y', 'env -i x', 'env -u "$A" x', 'env -C /tmp x', 'cd "$Y" && a | x', 'x "$(a)" <<< y', 'B=$Y env -u A x'])('and any other has not: %s', (text) => {
    const read = named(text, 'x') ?? named(text, 'xargs') ?? named(text, 'env')
    expect(read?.worded ?? false).toBe(false)
  })

  it('is like any other where nothing is left open', () => {
    expect(named('x y', 'x')).toMatchObject({ symbolic: false })
    expect(named('x y', 'x')?.worded).toBeUndefined()
  })
})

describe('what filters leave of the lines of a command', () => {
  it.each<[string, 'count' | 'other' | undefined]>([
    ['x | tail -2', undefined], ['x | head -3', undefined], ['x | grep y | sort', undefined], ['x | tee f', undefined], ['x', undefined],
    ['x | wc -l', 'count'], ["x | wc -l | tr -d ' '", 'count'], ['x | grep -c y', 'count'], ['x | sed s/a/b/ | wc -l', 'count'],
    ['x | cut -c2-', 'other'], ['x | sed s/a/b/', 'other'], ["x | awk '{print $2}'", 'other'], ['x | grep -o y', 'other'], ['x | wc -l | sed s/a/b/', 'other'], ["x | tr -d ' '", 'other'], ['x | jq .a', 'other'], ['x | rg -r b a', 'other'],
  ])('%s', (text, through) => {
    expect(named(text, 'x')?.through).toBe(through)
  })
})
