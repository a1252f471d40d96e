import { describe, expect, it } from 'vitest'
import { mutations } from '../../src/mutations.ts'
import { toolchains } from '../../src/signatures.ts'
import type { CanonicalCommand } from '../../src/model/command.ts'
import type { Reading } from '../../src/model/key.ts'
import { resolve } from '../../src/resolve.ts'
import { type Knowledge, type Plan, planOf, suspendedIn } from '../../src/resolve/plan.ts'
import { type Keyed, type Shape, SEALED, deadEnd, declared, deed, gate, handoff, held, idOf, readings, residual } from './records.ts'

const AFTER = { 'file:package.json': 'blob-9', 'tree:.': 'tree-9', 'tool:npm': '12' }
const KEYS = ['file:package.json']

const knowing = (isApproved: (command: CanonicalCommand) => boolean = () => true): Knowledge => ({ toolchains, mutations, isApproved })

function planned(claims: readonly Keyed[], { shape = {}, changed = AFTER, knowledge = knowing() }: { shape?: Shape; changed?: Readonly<Record<string, string | Reading>>; knowledge?: Knowledge } = {}): Plan {
  const current = readings(changed)
  return planOf(suspendedIn(resolve([held(claims, shape)], current)), knowledge, current)
}

const words = ({ probes }: Plan): string[] => probes.map(({ command }) => command.argv.join(' '))
const reasons = ({ stays }: Plan): string[] => stays.map(({ reason }) => reason)

describe('the plan of a reprobe', () => {
  it.each([
    ['a gate', gate(['npm', 'test'], KEYS), 'npm test'],
    ['what passed', gate(['node', 'tools/x.mjs'], KEYS, { statement: '`node tools/x.mjs` passes in `.`' }), 'node tools/x.mjs'],
    ['a residual by its gate', residual('a list is sorted before it is cut', ['npm', 'test'], KEYS), 'npm test'],
    ['an open gate', handoff(['npm', 'test'], 'ERR', KEYS), 'npm test'],
    ['a dead end that is a check', deadEnd(['npx', 'tsc', '--noEmit'], 'ERR', [['file:package.json', null]]), 'npx tsc --noEmit'],
    ['a tool that refused its command line', deadEnd(['npm', 'frobnicate'], 'Unknown command: "frobnicate"', [['file:package.json', null]]), 'npm frobnicate'],
  ])('runs the command of %s', (_, claim, command) => {
    expect([words(planned([claim])), reasons(planned([claim]))]).toEqual([[command], []])
  })

  it('runs what a declaration tells to use, not what it was said after', () => {
    const use = declared('the tests need no network', ['node', '--version'], KEYS)
    expect(words(planned([{ ...use, claim: { ...use.claim, effect: { verb: 'use', kind: 'command', value: 'npm test' } } as never }]))).toEqual(['npm test'])
    const avoid = { ...use, claim: { ...use.claim, effect: { verb: 'avoid', kind: 'command', value: 'npm test' } } as never }
    expect([words(planned([avoid])), reasons(planned([avoid]))]).toEqual([[], ['declared']])
  })

  it.each([
    ['a deed whose target is another', deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main'), 'mutation', { 'target:git-remote/origin': 'elsewhere' }],
    ['a gate that pushes', gate(['git', 'push', 'origin', 'main'], KEYS), 'mutation', AFTER],
    ['a dead end that would push', deadEnd(['git', 'push', 'origin', 'main'], 'denied', [['file:package.json', null]]), 'mutation', AFTER],
    ['a dead end that hands over to a script', deadEnd(['npm', 'run', 'deploy'], 'Missing script: "deploy"', [['file:package.json', null]]), 'not-harmless', AFTER],
    ['a dead end of a program that nobody knows', deadEnd(['terraform', 'aply'], 'unknown command "aply"', [['file:package.json', null]]), 'not-harmless', AFTER],
    ['what reads from a file', gate(['sort', '<', 'names'], KEYS), 'not-runnable', AFTER],
    ['what ran outside', gate(['npm', 'test'], KEYS, { folder: '../other' }), 'not-runnable', AFTER],
  ])('runs nothing for %s', (_, claim, reason, changed) => {
    expect([words(planned([claim], { changed })), reasons(planned([claim], { changed }))]).toEqual([[], [reason]])
  })

  it.each([
    ['in a container', { where: 'container:web' }],
    ['as another user', { privilege: 'root' }],
  ])('runs nothing that ran %s', (_, place) => {
    const claim = gate(['npm', 'test'], KEYS)
    const { verification_receipt: receipt } = claim.claim as never as { verification_receipt: { command: object } }
    const elsewhere = { ...claim, claim: { ...claim.claim, verification_receipt: { ...receipt, command: { ...receipt.command, ...place } } } as never }
    expect(reasons(planned([elsewhere]))).toEqual(['not-runnable'])
  })

  it('runs nothing that is not approved, to the byte', () => {
    const knowledge = knowing(({ argv }) => argv.join(' ') === 'npm test')
    const plan = planned([gate(['npm', 'test'], KEYS), gate(['npm', 'test', ''], KEYS)], { knowledge })
    expect([words(plan), reasons(plan)]).toEqual([['npm test'], ['not-approved']])
  })

  it('runs one command once, whatever the number of claims', () => {
    const plan = planned([gate(['npm', 'test'], KEYS), residual('a list is sorted before it is cut', ['npm', 'test'], KEYS)])
    expect(plan.probes.map(({ claims }) => claims.length)).toEqual([2])
  })

  it('is empty where nothing is suspended, and runs no claim that holds', () => {
    expect(planned([gate(['npm', 'test'], KEYS)], { changed: {} })).toEqual({ probes: [], looked: [], stays: [] })
    expect(words(planned([gate(['npm', 'test'], KEYS), gate(['make', 'lint'], ['file:src/app.ts'])]))).toEqual(['npm test'])
  })

  it('runs all of a remnant after a structural drift', () => {
    expect(words(planned([gate(['npm', 'test'], KEYS), gate(['make', 'lint'], ['file:src/app.ts'])], { changed: { platform: 'linux arm64 glibc' } })).sort()).toEqual(['make lint', 'npm test'])
  })

  describe('of a program that was missed', () => {
    const missed = (keys: readonly string[]): Keyed => {
      const claim = deadEnd(['jest'], 'jest: command not found', keys.map((key): [string, null] => [key, null]))
      return { ...claim, claim: { ...claim.claim, class: 'program-missing' } as never }
    }
    const sealed = { ...SEALED, 'absent-tool:jest': 'absent' }
    const looks = (now: string, claim: Keyed, shape: Shape = {}) =>
      planned([claim], { shape: { sealed, ...shape }, changed: { platform: 'other', 'absent-tool:jest': now } })

    it.each([
      ['absent', false],
      ['present', true],
    ])('looks whether it is there, and runs nothing (%s)', (now, isThere) => {
      const plan = looks(now, missed(['absent-tool:jest']))
      expect([plan.looked.map((one) => one.isThere), plan.probes, plan.stays]).toEqual([[isThere], [], []])
    })

    it('does not take a look for enough where the claim rests on more, or is another\'s', () => {
      expect(reasons(looks('absent', missed(['absent-tool:jest', 'file:package.json'])))).toEqual([])
      expect(words(looks('absent', missed(['absent-tool:jest', 'file:package.json'])))).toEqual(['jest'])
      expect(looks('absent', missed(['absent-tool:jest']), { rank: 'other' }).looked).toEqual([])
    })
  })

  it.each(['reported', 'other'] as const)('runs nothing for what is %s', (rank) => {
    const plan = planned([gate(['npm', 'test'], KEYS)], { shape: { rank } })
    expect([plan.probes, reasons(plan)]).toEqual([[], ['unsigned']])
  })

  it('answers of signed claims only what a run itself would show', () => {
    const shape = { rank: 'signed' as const }
    const mine = [gate(['npm', 'test'], KEYS), residual('a list is sorted before it is cut', ['npm', 'test'], KEYS), declared('the tests need no network', ['npm', 'test'], KEYS)]
    const plan = planned(mine, { shape })
    expect([plan.probes.flatMap(({ claims }) => claims.map(({ here }) => here.claim.claim_id)), reasons(plan)]).toEqual([[idOf(mine[0] as Keyed)], ['no-command', 'no-command']])
  })
})
