import type { Probe } from '../model/probe.ts'

export default {
  id: 'privilege',
  why: 'What root may do is denied to a user, and less still is left where no new privileges can be had.',
  argument: '',
  read: async (_argument, { isRoot, noNewPrivileges }) => {
    const value = isRoot ? 'root' : noNewPrivileges ? 'restricted' : 'user'
    return { value, text: value }
  },
} satisfies Probe
