import { readFileSync } from 'node:fs'
import type { World } from '../../model/probe.ts'
import { headOf } from './head.ts'

type Machine = Pick<World, 'platform' | 'arch' | 'libc' | 'kernelRelease' | 'distribution' | 'isRoot' | 'noNewPrivileges'>

/** What this machine and this process are; what has to be looked up, when it is asked for. */
export const machine = (): Machine => ({
  platform: process.platform,
  arch: process.arch,
  get libc() {
    return process.platform === 'linux' ? libcIn(headOf(process.execPath, 8192)) : '-'
  },
  get kernelRelease() {
    return process.getBuiltinModule('node:os').release()
  },
  get distribution() {
    return distributionIn(textAt('/etc/os-release') ?? textAt('/usr/lib/os-release') ?? '')
  },
  isRoot: process.getuid?.() === 0,
  get noNewPrivileges() {
    return /^NoNewPrivs:\s*1$/m.test(textAt('/proc/self/status') ?? '')
  },
})

/** By the loader that a program's first bytes name, as the kernel reads it. */
export function libcIn(program: string): string {
  const loader = /\/ld-(musl|linux)[\w.-]*\.so/.exec(program)?.[1]
  return loader === 'musl' ? 'musl' : loader === 'linux' ? 'glibc' : '-'
}

/** `ID-VERSION_ID`; a rolling distribution has no version. */
export function distributionIn(osRelease: string): string {
  const field = (name: string): string => new RegExp(`^${name}=(["']?)(.*)\\1\\s*$`, 'm').exec(osRelease)?.[2] ?? ''
  return field('ID') === '' ? '-' : `${field('ID')}-${field('VERSION_ID')}`
}

function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
