import { describe, expect, it } from 'vitest'
import { afterTyping } from '../../src/model/kept-shell.ts'

const at = { folder: '/r', altered: false }

describe('a shell that goes on', () => {
  it.each<[string, string | null, boolean]>([
    ['make', '/r', false],
    ['cd /x && make', '/x', false],
    ['cd "/x y" && make', '/x y', false],
    ['cd /x && cd y', null, false],
    ['cd x', null, false],
    ['make; cd /x', null, false],
    ['(cd /x; make)', null, false],
    ['cat abcd', '/r', false],
    ['export A=1', '/r', true],
    ['make && source x', '/r', true],
    ['. x', '/r', true],
    ['A=1', '/r', true],
    ['A=1 make', '/r', false],
    ['ls .', '/r', false],
    ['$env:A = 1', '/r', true],
    ['cd /x && . venv/bin/activate && make', '/x', true],
  ])('stands and is, after "%s", at %s, altered: %s', (command, folder, altered) => {
    expect(afterTyping(at, command)).toEqual({ folder, altered })
  })

  it('stays altered, and stays where nobody knows', () => {
    expect(afterTyping(afterTyping(at, 'export A=1; cd x'), 'make')).toEqual({ folder: null, altered: true })
  })

  it('is told of a long text in no time', () => {
    const started = performance.now()
    for (const piece of ['cd ', ' \t', 'A=', ';.', '( ', '\n', 'A=x;', "cd '"]) afterTyping(at, piece.repeat(50_000))
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
