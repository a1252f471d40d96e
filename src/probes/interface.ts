import type { Probe } from '../model/probe.ts'

export default {
  id: 'interface',
  why: 'What reads the version of an interface is a command that configuration names, and only an approved one may run.',
  argument: 'NAME that configuration declares',
  read: async () => ({ unreadable: 'the command that reads an interface must be approved' }),
} satisfies Probe
