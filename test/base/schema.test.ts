import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { RemnantError } from '../../src/base/errors.ts'
import { Integer, ObjectId, Sha256, Text, Time, check } from '../../src/base/schema.ts'

const Thing = z.strictObject({
  name: Text.check(z.minLength(1)),
  count: Integer,
  items: z.array(z.strictObject({ kind: z.enum(['a', 'b']), at: z.nullable(Time) })),
  by_name: z.record(Text.check(z.regex(/^[a-z]+$/)), Sha256),
  is: z.discriminatedUnion('type', [z.strictObject({ type: z.literal('x') }), z.strictObject({ type: z.literal('y'), n: Integer })]),
})
const good = { name: 'n', count: 1, items: [{ kind: 'a', at: null }], by_name: {}, is: { type: 'x' } }

function refused(value: unknown): RemnantError {
  try {
    check(Thing, value, 'thing', 'look again')
  } catch (thrown) {
    if (thrown instanceof RemnantError) return thrown
    throw thrown
  }
  throw new Error('nothing was thrown')
}

describe('a check', () => {
  it('hands back the value itself', () => {
    expect(check(Thing, good, 'thing')).toBe(good)
  })

  it.each<[string, unknown, string]>([
    ['another type', { ...good, name: 7 }, 'thing lacks a string at "name"'],
    ['a missing field', { ...good, items: undefined }, 'thing lacks an array at "items"'],
    ['no object', 'x', 'thing lacks an object'],
    ['an unknown field', { ...good, canary: 1 }, 'thing has an unknown field'],
    ['two unknown fields', { ...good, canary: 1, canary2: 2 }, 'thing has an unknown field (2 of them)'],
    ['an unknown field inside', { ...good, items: [{ kind: 'a', at: null, canary: 1 }] }, 'thing has an unknown field at "items[0]"'],
    ['a value outside its list', { ...good, items: [good.items[0], { kind: 'canary', at: null }] }, 'thing has a value that is not allowed at "items[1].kind"'],
    ['a lone surrogate', { ...good, name: 'canary\ud800' }, 'thing has text that is not Unicode at "name"'],
    ['a fraction', { ...good, count: 1.5 }, 'thing lacks an int at "count"'],
    ['a name that the input chose', { ...good, by_name: { 'CANARY canary': 'x' } }, 'thing has a value that is not allowed at "by_name.…"'],
    ['a value under such a name', { ...good, by_name: { canarycanarycanarycanarycanarycanary: 'x' } }, 'thing has a value that is not allowed at "by_name.…"'],
    ['a value of no alternative', { ...good, is: { type: 'canary' } }, 'thing has a value that is not allowed at "is.type"'],
  ])('names the place of %s, and not the value', (_, value, message) => {
    const fault = refused(value)
    expect(fault.message).toBe(message)
    expect(fault.message).not.toMatch(/canary/i)
    expect(fault).toMatchObject({ fault: 'malformed', hint: 'look again' })
  })

  it('never has the value in its message', () => {
    const canary = fc.stringMatching(/^[A-Za-z]{6,40}$/).map((text) => `Q7${text}`)
    const bad = canary.chain((text) =>
      fc.constantFrom<unknown>(
        { ...good, name: [text] }, { ...good, count: text }, { ...good, [text]: 1 }, { ...good, items: [{ kind: text, at: null }] }, { ...good, items: [{ kind: 'a', at: text }] },
        { ...good, by_name: { [text]: text } }, { ...good, is: { type: text } }, { ...good, is: { type: 'y', n: text } }, text, [text],
      ).map((value) => ({ text, value })),
    )
    fc.assert(
      fc.property(bad, ({ text, value }) => {
        const fault = refused(value)
        expect(`${fault.message} ${fault.hint}`).not.toContain(text)
      }),
    )
  })
})

describe('a kind of text', () => {
  it.each<[string, z.ZodMiniType, unknown, boolean]>([
    ['text', Text, '', true],
    ['text', Text, 'é🎉', true],
    ['text', Text, '\udc00', false],
    ['hash', Sha256, 'a'.repeat(64), true],
    ['hash', Sha256, 'A'.repeat(64), false],
    ['hash', Sha256, 'a'.repeat(63), false],
    ['hash', Sha256, `${'a'.repeat(64)}\n`, false],
    ['object id', ObjectId, 'a'.repeat(40), true],
    ['object id', ObjectId, 'a'.repeat(64), true],
    ['object id', ObjectId, 'a'.repeat(41), false],
    ['time', Time, '2026-06-01T10:22:31Z', true],
    ['time', Time, '2026-06-01T10:22:31.123Z', true],
    ['time', Time, '2026-06-01T10:22:31+02:00', false],
    ['time', Time, '2026-13-01T10:22:31Z', false],
    ['time', Time, '2026-06-01', false],
    ['integer', Integer, 3, true],
    ['integer', Integer, 3.5, false],
    ['integer', Integer, Number.NaN, false],
  ])('%s', (_, schema, value, valid) => {
    expect(schema.safeParse(value).success).toBe(valid)
  })
})
