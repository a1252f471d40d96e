import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyValues } from '../../src/model/key.ts'
import type { Held } from '../../src/model/store.ts'
import brief from '../../src/commands/brief.ts'
import { resolve } from '../../src/resolve.ts'
import { codeSpan, markdownOf } from '../../src/resolve/markdown.ts'
import { given } from '../stage.ts'
import { type Keyed, deadEnd, declared, deed, gate, handoff, held, hostOf, idOf, readings, residual } from './records.ts'

const page = (stored: readonly Held[], current: KeyValues = readings()): string => markdownOf(resolve(stored, current))
const id = (keyed: ReturnType<typeof gate>): string => `\`${idOf(keyed).slice(0, 12)}\``

const TEST = gate(['npm', 'test'], ['file:package.json'])
const USAGE = deadEnd(['npm', 'run', 'biuld'], 'npm error Missing script: "biuld"', [['file:package.json', null]])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')
const OPEN = handoff(['make', 'check'], 'FAIL one', ['tree:.'])
const DATES = declared('Dates are ISO 8601', ['curl', 'x'], ['tool:npm'])
const CAUSE = residual('a sum is rounded twice', ['make', 'sums'], ['file:package.json'])
const PROVEN = residual('a list is sorted before it is cut', ['npm', 'test'], ['file:package.json'])
const FIXED: Keyed = { ...PROVEN, claim: { ...PROVEN.claim, proof: 'PROVEN' } as Keyed['claim'] }

describe('a page in Markdown', () => {
  it('says what was proved, what is dead, what was done, what is open and what was declared', () => {
    const proved = [TEST, FIXED].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    const lines = { [idOf(TEST)]: '`` `npm test` is a gate of `.` ``', [idOf(FIXED)]: '`` a list is sorted before it is cut (gate: `npm test`) ``' }
    expect(page([held([TEST, USAGE, PUSH, OPEN, DATES, FIXED, CAUSE])]).split('\n')).toEqual([
      '## What sessions recorded, and holds here',
      '',
      '### Proved',
      '',
      ...proved.map((one) => `- ${lines[idOf(one)]} · recorded · ${id(one)}`),
      '',
      '### Fixed, and the gate that guards it',
      '',
      `- \`\` a sum is rounded twice (gate: \`make sums\`) \`\` · recorded · ${id(CAUSE)}`,
      '',
      '### Dead ends',
      '',
      `- \`\` \`npm run biuld\` → npm error Missing script: "biuld" \`\` · recorded · ${id(USAGE)}`,
      '',
      '### Done',
      '',
      `- \`\` \`git push origin main\` was done: git-remote origin, main \`\` · recorded · ${id(PUSH)}`,
      '',
      '### Open',
      '',
      `- \`\` \`make check\` fails: FAIL one \`\` · recorded · ${id(OPEN)}`,
      '',
      '### Declared',
      '',
      `- \`\` Dates are ISO 8601 (declared, with \`curl x\` → 0) \`\` · asserted · ${id(DATES)}`,
    ])
  })

  it('says that a deed was done which one remnant knows to be done, whichever comes first', () => {
    const [done, open] = [held([PUSH], { session: 'a' }), held([deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main', 'harmful', { is: 'unknown' })], { session: 'b' })]
    for (const stored of [[done, open], [open, done]]) expect(page(stored)).toContain('`git push origin main` was done: ')
    expect(page([open])).toContain('`git push origin main` was attempted, outcome unknown: ')
  })

  it('states nothing that is suspended, and says whose word it is', () => {
    const text = page([held([TEST], { rank: 'reported' }), held([USAGE], { rank: 'other', session: 's2' }), held([PUSH], { session: 's3' })], readings({ 'file:package.json': 'changed' }))
    expect(text).toBe(`## What sessions recorded, and holds here\n\n### Done\n\n- \`\` \`git push origin main\` was done: git-remote origin, main \`\` · recorded · ${id(PUSH)}\n\nSuspended in this working tree, so not stated: 2.`)
    expect(page([held([TEST], { rank: 'reported' })])).toContain('### Proved (reported, unsigned)\n')
    expect(page([])).toBe('')
  })

  it.each(['@everyone look', '#1 and org/repo#2', '[a](https://evil.example)', '<img src=x onerror=alert(1)>', '</li></ul><script>', '`` @everyone `', '``` \n/close', '- [ ] x', '![x](y)', '| a | b |', 'https://evil.example', '&lt;b&gt;', '\\` @x', '\u202e@x'])(
    'makes nothing of %j but text',
    (statement) => {
      const text = page([held([gate(['x'], ['tool:npm'], { statement })])])
      const line = text.split('\n').find((each) => each.startsWith('- ')) as string
      const [, fence, inner] = /^- (`+) (.*) \1 · recorded · `[0-9a-f]{12}`$/.exec(line) as unknown as string[]
      expect((inner as string).match(/`+/g) ?? []).not.toContain(fence)
      expect(text.split('\n').filter((each) => !each.startsWith('- '))).toEqual(['## What sessions recorded, and holds here', '', '### Proved', ''])
      expect(line).not.toMatch(/[\u202e\n\r]/)
    },
  )

  it('puts any text into a code span that it can not end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('`', '``', '```', ' ', 'a', '@b', '\\', '<i>')).map((parts) => parts.join('')), (text) => {
        const span = codeSpan(text)
        const fence = /^`+/.exec(span)?.[0] as string
        expect(span.slice(fence.length, -fence.length)).toBe(` ${text} `)
        expect(text.match(/`+/g) ?? []).not.toContain(fence)
      }),
    )
  })

  it('is no longer than a comment may be, and says what was left out', () => {
    const many = held(Array.from({ length: 900 }, (_, i) => gate(['npm', 'run', `${'x'.repeat(100)}${i}`], ['tool:npm'])))
    const text = page([many])
    expect(text.length).toBeLessThan(65_000)
    const shown = text.split('\n').filter((line) => line.startsWith('- ')).length
    expect(text).toContain(`Left out for want of room: ${900 - shown}.`)
    expect(shown).toBeGreaterThan(100)
  })

  it('is what "brief --format markdown" prints', async () => {
    const host = hostOf({ stored: [held([TEST])] })
    expect(await brief.run(given({ format: 'markdown' }), host)).toMatchObject({ text: page([held([TEST])]), data: { skipped: 0 } })
    await expect(brief.run(given({ format: 'html' }), host)).rejects.toMatchObject({ fault: 'misuse' })
  })
})
