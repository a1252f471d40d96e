import { type Probe, nearestAbove } from '../model/probe.ts'

export default {
  id: 'absent',
  why: 'That a path is missing stops being true the moment that it is made.',
  argument: 'PATH from the top of the work tree',
  async read(argument, world) {
    const found = await world.stat(argument)
    // A package need not lie where it was missed: Node goes on looking above the work tree.
    const name = PACKAGE.exec(argument)?.[1]
    if (found === null && name !== undefined && (await world.moduleOutside(name))) return { value: 'present', text: 'present' }
    if (found === null) return { value: 'absent', text: 'absent', ...(await nearestAbove(argument, world)) }
    return { value: 'present', text: 'present', changed: found.changed }
  },
} satisfies Probe

const PACKAGE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/@.][^/@]*)$/
