import type { Probe } from '../model/probe.ts'

export default {
  id: 'os-release',
  why: 'A kernel or distribution upgrade is worth a mention, though few claims rest on it.',
  argument: '',
  read: async (_argument, { kernelRelease, distribution }) => ({ value: `${kernelRelease} ${distribution}` }),
} satisfies Probe
