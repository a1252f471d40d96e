import { describe, expect, it } from 'vitest'
import type { World } from '../../src/model/probe.ts'
import privilege from '../../src/probes/privilege.ts'
import { ground, valueOf } from './ground.ts'

describe('privilege', () => {
  it.each([
    [true, false, 'root'],
    [true, true, 'root'],
    [false, true, 'restricted'],
    [false, false, 'user'],
  ])('with root %s and no new privileges %s is %s', async (isRoot, noNewPrivileges, value) => {
    expect(await privilege.read('', { isRoot, noNewPrivileges } as World)).toEqual({ value, text: value })
  })

  it('is root for the user 0 of this machine alone', async () => {
    expect((await valueOf(privilege, '', ground().world())) === 'root').toBe(process.getuid?.() === 0)
  })
})
