import { expect, it } from 'vitest'
import type { Probe, World } from '../../src/model/probe.ts'
import interfaceVersion from '../../src/probes/interface.ts'

it('interface is unreadable as long as its command is not approved', async () => {
  const probe: Probe = interfaceVersion
  expect(await probe.read('api', {} as World)).toEqual({ unreadable: 'the command that reads an interface must be approved' })
})
