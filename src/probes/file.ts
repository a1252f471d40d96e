import { type Probe, nearestAbove } from '../model/probe.ts'

export default {
  id: 'file',
  why: 'A claim that rests on a file holds for that content; git names it alike in every clone.',
  argument: 'PATH from the top of the work tree',
  async read(argument, world) {
    const found = await world.stat(argument)
    if (found === null) return { value: 'absent', ...(await nearestAbove(argument, world)) }
    if (found.kind !== 'file') return { unreadable: `"${argument}" is no file` }
    const value = await world.blob(argument)
    return value === null ? { unreadable: `"${argument}" went away` } : { value, changed: found.changed, moved: found.moved }
  },
} satisfies Probe
