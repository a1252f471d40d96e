import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { libcIn } from '../../src/host/world/machine.ts'
import type { World } from '../../src/model/probe.ts'
import platform from '../../src/probes/platform.ts'
import { ground, valueOf } from './ground.ts'

describe('platform', () => {
  it('is system, architecture and C library', async () => {
    const world = { platform: 'linux', arch: 'arm64', libc: 'musl' } as World
    expect(await platform.read('', world)).toEqual({ value: 'linux arm64 musl', text: 'linux arm64 musl' })
  })

  it('agrees with what this program itself says', async () => {
    Object.assign(process.report, { excludeNetwork: true })
    const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } }
    const libc = process.platform !== 'linux' ? '-' : header.glibcVersionRuntime === undefined ? 'musl' : 'glibc'
    expect(await valueOf(platform, '', ground().world())).toBe(`${process.platform} ${process.arch} ${libc}`)
    expect(execFileSync(process.execPath, ['-p', 'process.arch'], { encoding: 'utf8' }).trim()).toBe(process.arch)
  })

  it.each([
    ['\x7fELF…/lib64/ld-linux-x86-64.so.2\0', 'glibc'],
    ['\x7fELF…/lib/ld-linux-aarch64.so.1\0', 'glibc'],
    ['\x7fELF…/lib/ld-musl-x86_64.so.1\0', 'musl'],
    ['\x7fELF…', '-'],
  ])('tells the C library by the loader in %j', (head, libc) => {
    expect(libcIn(head)).toBe(libc)
  })
})
