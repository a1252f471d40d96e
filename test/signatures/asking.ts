import { toolchains } from '../../src/signatures.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Ending, Failure, Toolchain } from '../../src/model/toolchain.ts'

/** A command line without quotes, in a folder of the repository. */
export const typed = (line: string, folder = '.') => commandOf(line.split(' '), { folder })

export const ended = (line: string, output: string, code: number | null = 1, folder = '.'): Ending => ({ command: typed(line, folder), code, output })

/** A failure that the toolchain must recognise; whether its runner was started is asked by itself. */
export function failureOf(...asked: Parameters<typeof recognised>): Omit<Failure, 'unstarted'> {
  const { unstarted: _, ...failure } = recognised(...asked)
  return failure
}

/** Whether the runner did not find what it was told to run. */
export const isUnstarted = (...asked: Parameters<typeof recognised>): boolean => recognised(...asked).unstarted === true

function recognised(toolchain: Toolchain, line: string, output: string, code: number | null = 1, folder = '.'): Failure {
  const failure = toolchain.failure(ended(line, output, code, folder))
  if (failure === null || failure === 'transient') throw new Error(`no failure but ${failure}`)
  return failure
}

/** The members that know a command, without the fallback; a script's manager yields to the tool of that name. */
export function knowing(line: string): string[] {
  const found = toolchains.slice(0, -1).filter((one) => one.knows(typed(line)) !== null).map(({ id }) => id)
  return found.length > 1 ? found.filter((id) => id !== 'package-scripts') : found
}

/** Lines as they look with what a session's place and moment put into them taken out: a stand-in for the real normaliser. */
export const settled = (failure: Failure): string[] => failure.lines.map((line) => line.replace(/(?:\/[\w.-]+)+\/(?=[\w.-]+\.\w)/g, '').replace(/\d+/g, '0'))
