import type { Probe } from '../model/probe.ts'

export default {
  id: 'repository',
  why: 'A claim is about one repository, wherever it is cloned; its first commit on the main line is the same in all clones.',
  argument: '',
  read: async (_argument, world) => ({ value: await world.rootCommit() }),
} satisfies Probe
