import type { Ending } from '../call.ts'

/**
 * How a command of Copilot CLI ended. "success" means that it ran; the status stands in the host's own last line. Of
 * PowerShell 0 says nothing: a program that is not there ends so too. `result` null: a failure of which no more is known.
 */
export function endingOf(result: string | null, tool = 'bash'): Ending {
  const told = /(?:^|\n)<(?:exited with exit code|shellId: [^\s>]{1,80} completed with exit code) (-?\d{1,9})>\s{0,20}$/.exec(result?.trimEnd() ?? '')
  if (result === null || told === null) return { outcome: { is: 'unknown' }, output: result, ...(result !== null && { cut: true }) }
  const [output, code] = [result.slice(0, told.index), Number(told[1])]
  if (code === 0 && /^powershell$/i.test(tool)) return { outcome: { is: 'unknown' }, output }
  return { outcome: code < 0 ? { is: 'transient' } : { is: 'code', code }, output }
}
