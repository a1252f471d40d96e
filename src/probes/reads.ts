import type { Probe } from '../model/probe.ts'
import { follow } from './reads/command.ts'
import { Inputs } from './reads/inputs.ts'
import { isInput } from './reads/stdin.ts'

/**
 * What a command can read, found by following its words and the texts of what they start: scripts, modules, makefiles, headers.
 * Where a text does what only running tells, all of the work tree counts as well.
 */
export default {
  id: 'reads',
  why: 'A command that can only reach some files rests on those, and on all of them where its text does not tell.',
  argument: '["FOLDER","PROGRAM","WORD"…] as canonical JSON',
  async read(argument, world) {
    const words = parsed(argument)
    if (words === null) return { unreadable: 'it names no command' }
    const inputs = await Inputs.open(world)
    if (inputs === null) return { value: 'absent' }
    const [folder = '.', ...typed] = words
    const redirected = typed.length > 2 && typed.at(-2) === '<'
    if (redirected) await inputs.path(typed.at(-1) as string, folder, 'read')
    const argv = redirected ? typed.slice(0, -2) : typed
    await follow(argv, { folder, inputs, depth: 0, made: new Set(), fed: redirected && !isInput(typed.at(-1) as string) })
    return inputs.reading()
  },
} satisfies Probe

function parsed(argument: string): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(argument)
    return Array.isArray(value) && value.length > 1 && value.every((word) => typeof word === 'string' && !/[\0\x01\x02]/.test(word)) ? (value as string[]) : null
  } catch {
    return null
  }
}
