import type { Probe } from '../model/probe.ts'

export default {
  id: 'interface',
  why: 'A change of an interface or schema shows in no file here; only a command that configuration names can tell, and only an approved one may run.',
  argument: 'NAME that configuration declares',
  async read(argument, world) {
    const told = await world.interfaceSays(argument)
    // Nothing says since when it has been so: that it was the same at an earlier moment is not known.
    return 'says' in told ? { value: told.says, changed: Number.POSITIVE_INFINITY } : told
  },
} satisfies Probe
