import { release } from 'node:os'
import { describe, expect, it } from 'vitest'
import { distributionIn } from '../../src/host/world/machine.ts'
import type { World } from '../../src/model/probe.ts'
import osRelease from '../../src/probes/os-release.ts'
import { ground, valueOf } from './ground.ts'

describe('os-release', () => {
  it('is kernel and distribution', async () => {
    expect(await osRelease.read('', { kernelRelease: '6.1.0', distribution: 'debian-12' } as World)).toEqual({ value: '6.1.0 debian-12' })
  })

  it('begins with the release of this kernel', async () => {
    expect(await valueOf(osRelease, '', ground().world())).toMatch(new RegExp(`^${release().replace(/[.+]/g, '\\$&')} \\S+$`))
  })

  it.each([
    ['PRETTY_NAME="Debian 12"\nVERSION_ID="12"\nID=debian\n', 'debian-12'],
    ["ID='alpine'\nVERSION_ID=3.20.1\n", 'alpine-3.20.1'],
    ['ID=arch\nBUILD_ID=rolling\n', 'arch-'],
    ['', '-'],
  ])('reads %j', (text, distribution) => {
    expect(distributionIn(text)).toBe(distribution)
  })
})
