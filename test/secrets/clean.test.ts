import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { screen } from '../../src/distill/screen.ts'
import { ephemera } from '../../src/ephemera.ts'
import { cleanTexts } from './clean.ts'

const secrets = ephemera.filter(({ weight }) => weight === 'secret')

describe('a text without a secret', () => {
  it('is taken for one in at most 1 of 100', async () => {
    const texts = cleanTexts(join(import.meta.dirname, '..', '..'))
    expect(texts.length).toBeGreaterThan(1000)
    const wrong: string[] = []
    for (const text of texts) for (const { kind } of (await screen([{ field: 'text', text }], { session: '', root: null }, secrets)).slice(0, 1)) wrong.push(`${kind}: ${text.slice(0, 200)}`)
    expect(wrong.length / texts.length, wrong.join('\n')).toBeLessThanOrEqual(0.01)
  })
})
