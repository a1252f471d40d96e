import type { Probe } from '../model/probe.ts'

export default {
  id: 'platform',
  why: 'Binaries and most tools behave otherwise on another system, architecture or C library.',
  argument: '',
  read: async (_argument, { platform, arch, libc }) => {
    const value = `${platform} ${arch} ${libc}`
    return { value, text: value }
  },
} satisfies Probe
