import { describe, expect, it } from 'vitest'
import allow from '../../src/commands/allow.ts'
import deny from '../../src/commands/deny.ts'
import { mutations } from '../../src/mutations.ts'
import { toolchains } from '../../src/signatures.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { commandOf } from '../../src/model/command.ts'
import { gate, held, idOf } from '../resolve/records.ts'
import { given, stage } from '../stage.ts'

const ROOT = 'r'.repeat(40)
const TEST = gate(['npm', 'test'], ['tool:npm'])
const LINT = gate(['make', 'lint'], ['tool:npm'])

async function approved() {
  const made = stage({ sets: { toolchains, mutations }, host: { world: async () => ({ rootCommit: async () => ROOT }) as never } })
  const { digest } = await made.store.write(held([TEST, LINT]).remnant)
  await allow.run(given({ what: digest, yes: true }), made.host)
  const stands = (): boolean[] => [['npm', 'test'], ['make', 'lint']].map((argv) => openApprovals(made.repository, made.files, ROOT).isApproved(commandOf(argv)))
  return { ...made, digest, stands }
}

describe('deny', () => {
  it('takes back a claim\'s command alone', async () => {
    const { host, stands } = await approved()
    expect(await deny.run(given({ what: idOf(TEST) }), host)).toMatchObject({ text: 'no longer approved  `npm test`', data: { denied: [commandOf(['npm', 'test'])] }, status: 0 })
    expect(stands()).toEqual([false, true])
  })

  it('takes back all commands of a remnant', async () => {
    const { host, stands, digest } = await approved()
    expect((await deny.run(given({ what: digest }), host)).data?.['denied']).toHaveLength(2)
    expect(stands()).toEqual([false, false])
  })

  it('says so where nothing was approved, or there is no such claim', async () => {
    const { host } = await approved()
    await deny.run(given({ what: idOf(TEST) }), host)
    expect(await deny.run(given({ what: idOf(TEST) }), host)).toMatchObject({ text: 'nothing of it was approved', status: 1 })
    expect(await deny.run(given({ what: '00000000' }), host)).toMatchObject({ status: 1, data: { denied: [] } })
  })
})
