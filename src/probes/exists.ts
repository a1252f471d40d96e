import { type Probe, nearestAbove } from '../model/probe.ts'

export default {
  id: 'exists',
  why: 'What a command names must be there for it to run, whatever it holds.',
  argument: 'PATH from the top of the work tree',
  async read(argument, world) {
    const found = await world.stat(argument)
    const above = await nearestAbove(argument, world)
    if (found === null) return { value: 'absent', text: 'absent', ...above }
    // What was there before its folder changed last, or has not changed itself since, was there all the while.
    return { value: found.kind, text: found.kind, changed: Math.min(found.changed, above.changed), moved: above.moved }
  },
} satisfies Probe
