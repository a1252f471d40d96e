import { describe, expect, it } from 'vitest'
import log from '../../src/commands/log.ts'
import { type Keyed, type Shape, argumentsOf, gate, handoff, held, idOf, hostOf } from '../resolve/records.ts'
import { given, stage } from '../stage.ts'

const TEST = gate(['npm', 'test'], ['tool:npm'])
const LINT = gate(['make', 'lint'], ['tool:npm'])
const OPEN = handoff(['make', 'e2e'], 'ERR', ['tool:npm'])
const short = (digest: string): string => digest.slice(0, 12)
const one = (claims: readonly Keyed[], session: string, until: string, supersedes: Shape['supersedes'] = []) => held(claims, { session, until, supersedes })

const first = one([TEST, OPEN], 'one', '2026-06-01T10:00:00Z')
const second = one([LINT], 'two', '2026-06-02T10:00:00Z')
// A clock that went wrong: what answers still stands before what it answers.
const third = one([TEST], 'three', '2026-05-01T10:00:00Z', [[first.digest, [idOf(TEST)]]])
const fourth = one([TEST, LINT], 'four', '2026-06-04T10:00:00Z', [[second.digest, [idOf(LINT)]], [third.digest, [idOf(TEST)]]].sort() as never)
const all = [first, second, third, fourth]

const digests = async (given: Record<string, string> = {}) =>
  ((await log.run(argumentsOf(given), hostOf({ stored: all }))).data?.['remnants'] as { digest: string }[]).map(({ digest }) => digest)

describe('log', () => {
  it('shows the latest first, and each before what it answers', async () => {
    expect(await digests()).toEqual([fourth, second, third, first].map(({ digest }) => digest))
  })

  it('shows one remnant and its ancestors', async () => {
    expect(await digests({ DIGEST: third.digest.slice(0, 10) })).toEqual([third.digest, first.digest])
    expect(await digests({ DIGEST: second.digest })).toEqual([second.digest])
  })

  it('says which claims of which were answered, from both ends', async () => {
    const { text } = await log.run(argumentsOf({ DIGEST: third.digest }), hostOf({ stored: all }))
    expect(text?.split('\n')).toEqual([
      `${short(third.digest)}  2026-05-01T10:00:00Z  own  claude-code three`,
      '  1 invariant',
      `  answers ${short(first.digest)}: ${short(idOf(TEST))}`,
      `  answered by ${short(fourth.digest)}: ${short(idOf(TEST))}`,
      `${short(first.digest)}  2026-06-01T10:00:00Z  own  claude-code one`,
      '  1 invariant, 1 handoff',
      `  answered by ${short(third.digest)}: ${short(idOf(TEST))}`,
    ])
  })

  it('names a remnant that is damaged, and fails only where that was asked for', async () => {
    const broken = { digest: 'f'.repeat(64), fault: 'remnant "ffffffffffff" does not hash to its name' }
    const host = () => hostOf({ stored: [first, broken] })
    expect((await log.run(argumentsOf(), host())).text).toContain(`${short(broken.digest)}  broken: ${broken.fault}`)
    await expect(log.run(argumentsOf({ DIGEST: broken.digest }), host())).rejects.toMatchObject({ fault: 'corrupt' })
  })

  it('has nothing to show where there is nothing', async () => {
    expect(await log.run(argumentsOf(), hostOf({}))).toMatchObject({ text: 'no remnants here', data: { remnants: [] } })
    expect((await log.run(argumentsOf({ DIGEST: '0000' }), hostOf({ stored: all }))).status).toBe(1)
  })

  it('is the history that git itself goes through', async () => {
    const { store, host, git } = stage()
    for (const { remnant } of all) await store.write(remnant)
    for (const { digest } of [fourth, third]) {
      const ours = ((await log.run(given({ DIGEST: digest }), host)).data?.['remnants'] as { digest: string }[]).map((each) => `Remnant ${each.digest}`)
      expect(git('log', '--format=%s', '--topo-order', `refs/remnants/${digest}`).trim().split('\n').sort()).toEqual(ours.sort())
    }
  })
})
