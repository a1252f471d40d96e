import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import verify from '../../../src/commands/verify.ts'
import { lists } from '../../../src/commands/verify/lists.ts'
import type { StoreFault } from '../../../src/model/store.ts'
import { madeUpKey } from '../../signing.ts'
import { given, stage } from '../../stage.ts'

const [A, B] = ['a1'.repeat(32), '0f'.repeat(32)]
const { type, blob } = madeUpKey(7)
const JOURNAL_KEYS = JSON.stringify({ schema: 'git-remnant/journal-keys/1', worktree: '/w é', host: 'git-remnant', session: 'a "b" \\ \u0001', record_id: 'r', keys: { platform: 'linux', root: 'x' } })

/** Lines as they are written, by list. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  own: [A, `?${A}`],
  reported: [A],
  approvals: [`allow command ${A}`, `deny config ${B}`],
  signers: [`deny ${type} ${blob}`, `allow someone@example.org ${type} ${blob}`, `allow a@x.org,*@y.org namespaces="git-remnant,git",valid-before="20270101" ${type} ${blob}`],
  proofs: [`${A} ${A.slice(24)} PROVEN ${B}`, `${A} ${B} INFRA_FAILURE -`],
  reds: [`${A} ${B}`],
  parts: [`${A} ${B}`],
  [`sent/${A.slice(32)}`]: [`refs/remnants/${A}`, `refs/remnants/sig/${A}/${B}`],
  'journals/x.jsonl': [JOURNAL_KEYS],
  'sealed/x.jsonl': [JOURNAL_KEYS],
  'purged/x.jsonl': [JSON.stringify({ rule: 'no-plan', reason: 'a reason', record_id: 'r', list: 'dead_ends', n: [true, false, null, -1.5] })],
}

const GARBAGE = ['garbage', 'garbage words of somebody', 'not a digest', 'A1', '../../x', 'allow everything under the sun', 'deny everything', '{not json', '{"a" "b"', '{]', '[1', '\ufffd\0', '?x', 'allow  command', `${A}x`]

describe('lists of a clone', () => {
  const all = () => {
    const { files, dir } = stage()
    for (const path of Object.keys(LINES)) {
      mkdirSync(join(dir, '.git/remnant', path, '..'), { recursive: true })
      writeFileSync(join(dir, '.git/remnant', path), '')
    }
    return lists(join(dir, '.git/remnant'), files)
  }

  it('know their own lines, and whatever a crash may leave of one', () => {
    const found = all()
    expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(LINES).sort())
    for (const { path, isLine, isCut } of found)
      for (const line of LINES[path] as readonly string[]) {
        expect([path, line, isLine(line), isCut(line)]).toEqual([path, line, true, false])
        for (let end = 1; end < line.length; end++) {
          const cut = line.slice(0, end)
          expect([path, cut, isLine(cut) || isCut(cut)]).toEqual([path, cut, true])
        }
      }
  })

  it('take nothing else for a line that was cut', () => {
    for (const { path, isLine, isCut } of all()) for (const line of GARBAGE) expect([path, line, isLine(line) || isCut(line)]).toEqual([path, line, false])
  })
})

it.each([
  ['own', 'counts as a stranger\'s'],
  ['reported', 'until the next "git remnant fetch"'],
  ['approvals', 'what it denied is to be denied again'],
  ['signers', 'say it again with "git remnant allow"'],
])('calls words in the place of %s a fault, and says what it means', async (name, means) => {
  const { host, dir } = stage()
  mkdirSync(join(dir, '.git/remnant'), { recursive: true })
  writeFileSync(join(dir, '.git/remnant', name), 'garbage\nmore garbage words\n')
  const { data, status } = await verify.run(given(), host)
  expect(status).toBe(74)
  expect((data as { faults: readonly StoreFault[] }).faults).toEqual([{ subject: `remnant/${name}`, fault: "has 2 lines that can't be read (line 1)", repair: expect.stringMatching(/^take those lines out by hand: they are not read; /) as string }])
  expect((data as { faults: readonly StoreFault[] }).faults[0]?.repair).toContain(means)
})
