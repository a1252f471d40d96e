import type { Probe, World } from '../model/probe.ts'

export default {
  id: 'exists',
  why: 'What a command names must be there for it to run, whatever it holds.',
  argument: 'PATH from the top of the work tree',
  async read(argument, world) {
    const found = await world.stat(argument)
    const above = await changedAbove(argument, world)
    if (found === null) return { value: 'absent', text: 'absent', changed: above }
    // What was there before its folder changed last, or has not changed itself since, was there all the while.
    return { value: found.kind, text: found.kind, changed: Math.min(found.changed, above) }
  },
} satisfies Probe

/** When an entry was last made or removed in the nearest folder that there is. */
async function changedAbove(path: string, world: World): Promise<number> {
  const above = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.'
  return (await world.stat(above))?.changed ?? changedAbove(above, world)
}
