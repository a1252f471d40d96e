import fc from 'fast-check'

/** One change of some bytes, at a place told as a share of their length. */
type Change =
  | { readonly is: 'flip'; readonly at: number; readonly bit: number }
  | { readonly is: 'cut'; readonly at: number }
  | { readonly is: 'drop' | 'twice'; readonly at: number; readonly size: number }
  | { readonly is: 'put'; readonly at: number; readonly text: string }
  | { readonly is: 'value'; readonly at: number; readonly text: string }

/** What breaks readers: odd characters, numbers, depths, names and sizes. */
const ODD = [
  '\0', '\n', '\r\n', '"', '\\', '\\u0000', '\\ud800', '\u2028', '\ufeff', '\u202e', '\ud800', '{', '}', '[', ']', ',', ':', ' ', '\t',
  '$(', '`', '"$(', "'", '((', '))', '<<EOF\n', ';', '&&', '|', '>', '#', '*', '~', '%', '{a,b}', '$((', '${', 'case x in', 'function f {',
  '['.repeat(200), '{"a":'.repeat(200), '('.repeat(500), '$('.repeat(300), ' '.repeat(5000), 'a'.repeat(20_000), '0'.repeat(400), '-'.repeat(300),
  '__proto__', 'constructor', '../../../../etc/passwd', '/dev/null', 'C:\\x', '-rf', '2'.repeat(64), '1e999', '-0', '9007199254740993',
]
/** What may stand where JSON had another value. */
const VALUES = [
  'null', 'true', '[]', '{}', '""', '0', '-1', '1.5', '1e308', '9007199254740993', '"\\u0000"', '"\\ud800"', '"__proto__"', '{"__proto__":{"x":1}}', '{"a":1,"a":2}', '[[]]', '[null]',
  `"${'x'.repeat(3000)}"`, `${'['.repeat(70)}${']'.repeat(70)}`, '{"type":null}', '{"length":1e9}', '"2026-13-45T99:99:99Z"', '"\\u001b[31m"', '{"toString":1}', '"../.."', '"/"', '"."', '"constructor"',
]

const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ is: fc.constant('flip' as const), at: share, bit: fc.nat(7) }),
  fc.record({ is: fc.constant('cut' as const), at: share }),
  fc.record({ is: fc.constantFrom('drop' as const, 'twice' as const), at: share, size: fc.integer({ min: 1, max: 400 }) }),
  fc.record({ is: fc.constant('put' as const), at: share, text: fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'binary', maxLength: 20 })) }),
  { weight: 4, arbitrary: fc.record({ is: fc.constant('value' as const), at: share, text: fc.oneof(fc.constantFrom(...VALUES), fc.json({ maxDepth: 3 })) }) },
)

/** A seed with up to six changes. `json`: places of whole JSON values are found and filled with others. */
export const mutants = (seeds: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> =>
  fc.record({ seed: fc.nat(seeds.length - 1), changes: fc.array(change, { maxLength: 6 }) }).map(({ seed, changes }) => changes.reduce<Buffer>(changed, Buffer.from(seeds[seed] as Uint8Array)))

function changed(bytes: Buffer, one: Change): Buffer {
  const at = Math.floor(one.at * bytes.byteLength)
  switch (one.is) {
    case 'flip': {
      const copy = Buffer.from(bytes)
      if (copy.byteLength > 0) copy[at] = (copy[at] as number) ^ (1 << one.bit)
      return copy
    }
    case 'cut':
      return bytes.subarray(0, at)
    case 'drop':
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + one.size)])
    case 'twice':
      return Buffer.concat([bytes.subarray(0, at + one.size), bytes.subarray(at)])
    case 'put':
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(one.text), bytes.subarray(at)])
    case 'value': {
      const place = valueNear(bytes, at)
      return place === null ? bytes : Buffer.concat([bytes.subarray(0, place.from), Buffer.from(one.text), bytes.subarray(place.to)])
    }
  }
}

/** The value of the first field behind a place: what stands behind `":`, up to its end. */
function valueNear(bytes: Buffer, at: number): { from: number; to: number } | null {
  let from = bytes.indexOf('":', at)
  if (from === -1) from = bytes.indexOf('":')
  if (from === -1) return null
  from += 2
  let [depth, quoted] = [0, false]
  for (let to = from; to < bytes.byteLength; to++) {
    const char = bytes[to] as number
    if (quoted) {
      if (char === 92) to += 1
      else if (char === 34) quoted = false
    } else if (char === 34) quoted = true
    else if (char === 123 || char === 91) depth += 1
    else if (char === 125 || char === 93) {
      if (depth === 0) return { from, to }
      depth -= 1
    } else if (char === 44 && depth === 0) return { from, to }
  }
  return null
}
