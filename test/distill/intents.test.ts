import { describe, expect, it } from 'vitest'
import type { NonIdempotentCommit } from '../../src/model/claim.ts'
import type { Outcome } from '../../src/model/outcome.ts'
import { type Step, distilled, ran } from './session.ts'

const POST = 'curl -s -X POST https://api.example.com/orders -d id=1'
const UNKNOWN: Outcome = { is: 'unknown' }
const DEMO = { target: { kind: 'npm', id: 'demo' }, identifier: 'demo@1.0.0' }

const meant = (command: string, more: Step = {}): Step => ({ kind: 'intent', command, outcome: UNKNOWN, keys: { 'target:npm/demo': 'default demo' }, ...more })
const publishing = (more: Step = {}): Step => meant('npm publish', { intended: DEMO, ...more })

const deedsOf = async (steps: readonly Step[]): Promise<readonly NonIdempotentCommit[]> => (await distilled(steps)).remnant?.non_idempotent_commits ?? []
const told = ({ mutation, outcome, target, identifier }: NonIdempotentCommit): string => `${mutation.argv.join(' ')} ${outcome.is}: ${target.kind} ${target.id} ${identifier}`

describe('a mutation that was noted before it was made', () => {
  it.each<[string, Step[], string[]]>([
    ['is one of which nobody knows the outcome, where the session ended there', [publishing()], ['npm publish unknown: npm demo demo@1.0.0']],
    ['is one by its command line alone too', [meant(POST)], [`${POST} unknown: http https://api.example.com/orders POST https://api.example.com/orders`]],
    ['is one although other commands followed', [publishing({ record_id: 'a' }), ran('ls')], ['npm publish unknown: npm demo demo@1.0.0']],
    ['is nothing where the same call failed', [publishing({ record_id: 'a' }), ran('npm publish', 1, 'npm error 403', { record_id: 'a' })], []],
    ['is nothing where the same call was refused', [publishing({ record_id: 'a' }), ran('npm publish', { is: 'transient' }, '', { record_id: 'a', output: null })], []],
    ['is nothing where it was typed and the same command failed later', [publishing({ record_id: 'intent-a' }), publishing({ record_id: 'b' }), ran('npm publish', 1, 'npm error 403', { record_id: 'b' })], []],
    ['is one although a second try failed', [publishing({ record_id: 'a' }), publishing({ record_id: 'b' }), ran('npm publish', 1, 'npm error 403', { record_id: 'b' })], ['npm publish unknown: npm demo demo@1.0.0']],
    ['is done where a second try went through', [publishing({ record_id: 'a' }), publishing({ record_id: 'b' }), ran('npm publish', 0, '', { record_id: 'b', output: null })], ['npm publish code: npm demo demo@1.0.0']],
    ['is done where its own words say so', [publishing({ record_id: 'a' }), ran('npm publish', 0, '+ demo@1.0.0\n', { record_id: 'a' })], ['npm publish code: npm demo demo@1.0.0']],
    ['is done where its status says so and nobody kept its words', [publishing({ record_id: 'a' }), ran('npm publish', 0, '', { record_id: 'a', output: null })], ['npm publish code: npm demo demo@1.0.0']],
    ['is unknown where nobody kept its status', [publishing({ record_id: 'a' }), ran('npm publish', UNKNOWN, '', { record_id: 'a', output: null })], ['npm publish unknown: npm demo demo@1.0.0']],
    ['is nothing where again would change nothing', [meant('git push origin main')], []],
    ['is nothing where no target is known', [meant('npm publish')], []],
    ['is nothing where the text can not be read', [meant('npm publish "')], []],
  ])('%s', async (_, steps, expected) => {
    expect((await deedsOf(steps)).map(told).map((line) => line.replace(/ sha256:[0-9a-f]{64}$/, ''))).toEqual(expected)
  })

  it('is told apart from its own result by a record of the same id and words', async () => {
    const steps = [publishing({ record_id: 'a', at: null }), { ...publishing({ record_id: 'a', at: null }), kind: 'command' as const, intended: undefined as never }]
    expect((await deedsOf(steps)).map(told)).toEqual(['npm publish unknown: npm demo demo@1.0.0'])
  })
})
