import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Rule } from '../../src/model/rule.ts'

/** Holds a rule to its tables: each line of `<id>/ok.txt` passes, each of `<id>/ng.txt` is refused without being repeated. */
export function judges(rule: Rule, folder: string): void {
  const [ok, ng] = [casesOf(folder, 'ok'), casesOf(folder, 'ng')]

  it('has a table worth the name', () => {
    expect(ok.length).toBeGreaterThanOrEqual(60)
    expect(ng.length).toBeGreaterThanOrEqual(60)
  })
  it.each(ok)('lets "%s" pass', (text) => expect(rule.refuse({ field: 'statement', text })).toBeNull())
  it.each(ng)('refuses "%s" without repeating it', (text) => {
    const refused = rule.refuse({ field: 'statement', text })
    expect(refused).not.toBeNull()
    for (const word of namesIn(text)) expect(`${refused?.reason} ${refused?.word}`).not.toContain(word)
    if (refused?.word !== undefined) expect(text.toLowerCase().replace(/[‘’]/g, "'")).toContain(refused.word)
  })
  it('answers a hostile text in no time', () => {
    const started = performance.now()
    for (const piece of ['if ', 'a', '`', "'", '"', 'that ', 'failed ', 'so then ', 'the file ', '- ', 'x.', '\n']) rule.refuse({ field: 'statement', text: piece.repeat(100_000) })
    expect(performance.now() - started).toBeLessThan(3000)
  })
}

const casesOf = (folder: string, side: 'ok' | 'ng'): string[] =>
  readFileSync(new URL(`./${folder}/${side}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')

/** What names something: code, numbers, and words with signs. */
const namesIn = (text: string): string[] => [...text.matchAll(/`[^`]+`|\d{2,}|\w+[./_-]\w+/g)].map(([name]) => name.replaceAll('`', ''))
