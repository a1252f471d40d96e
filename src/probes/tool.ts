import { plainLines } from '../base/plain.ts'
import type { Probe } from '../model/probe.ts'

/** What most programs call a version: two numbers or more, and what hangs on them. */
const VERSION = /\d+(?:\.\d+)+[\w.+-]*/
const MAX_TEXT = 200

export default {
  id: 'tool',
  why: 'Another version of a program may know other options and give other results.',
  argument: 'NAME, or FOLDER/NAME as seen from a folder',
  async read(argument, world) {
    const cut = argument.lastIndexOf('/')
    const [folder, name] = cut === -1 ? ['.', argument] : [argument.slice(0, cut), argument.slice(cut + 1)]
    if (name === '') return { unreadable: 'it names no program' }
    const program = (cut === -1 ? null : await world.program(argument, '.')) ?? (await world.program(name, folder))
    if (program === null) return { value: 'absent', text: `${name} absent` }
    const says = await world.version(program)
    if (says === null) return { unreadable: `"${name} --version" could not be told` }
    const value = versionIn(plainLines(says))
    return { value, ...(!value.startsWith('file ') && { text: `${name} ${value}`.slice(0, MAX_TEXT) }), changed: program.changed }
  },
} satisfies Probe

const versionIn = (output: string): string => VERSION.exec(output)?.[0] ?? (output.trim().split('\n')[0] as string).trim()
