import type { Probe } from '../model/probe.ts'

export default {
  id: 'absent-tool',
  why: 'That a program is missing stops being true the moment that it is installed.',
  argument: 'NAME, or FOLDER/NAME as seen from a folder',
  async read(argument, world) {
    const cut = argument.lastIndexOf('/')
    const [folder, name] = cut === -1 ? ['.', argument] : [argument.slice(0, cut), argument.slice(cut + 1)]
    if (name === '') return { unreadable: 'it names no program' }
    // A file of the folder is no program by its name alone: no shell would find it.
    const program = await world.program(name, folder)
    return program === null ? { value: 'absent', text: 'absent' } : { value: 'present', text: 'present', changed: program.changed }
  },
} satisfies Probe
