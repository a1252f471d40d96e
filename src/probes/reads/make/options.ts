import { joinPath } from '../../../model/key.ts'
import { STEERS } from '../shell/steering.ts'

/** What the words of a make ask for. */
export interface Options {
  /** Where it works, from the top. */
  readonly folder: string
  /** The makefile that is named; null: one of the usual names. */
  readonly file: string | null
  /** It only says what it would do. */
  readonly idle: boolean
  readonly goals: readonly string[]
  /** Variables that its words set. */
  readonly given: readonly (readonly [string, string])[]
}

/** The words of a make that starts in a folder; `refused`: why what it reads can't be told by them. */
export function optionsOf(args: readonly string[], from: string): Options | { readonly refused: string } {
  let folder = from
  let file: string | null = null
  let idle = false
  const goals: string[] = []
  const given: [string, string][] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    const option = /^(?:-([CfjlI])|--(directory|file|makefile|jobs)(?:=|$))(.*)$/s.exec(arg)
    if (option !== null) {
      const name = option[1] ?? option[2]
      const value = option[3] !== '' ? (option[3] as string) : /^(?:j|jobs|l)$/.test(name ?? '') ? (/^\d+$/.test(args[i + 1] ?? '') ? (args[++i] as string) : '') : (args[++i] ?? '')
      if (name === 'C' || name === 'directory') folder = folder === '?' ? '?' : (joinPath(folder, value) ?? '?')
      else if (name === 'f' || name === 'file' || name === 'makefile') {
        if (file !== null) return { refused: 'several makefiles' }
        if (value === '-') return { refused: 'a makefile from its standard input' }
        file = value
      } else if (name === 'I') return { refused: 'makefiles from elsewhere' }
    } else if (/^-[nskBwi]+$/.test(arg)) idle ||= arg.includes('n')
    else if (/^--(?:dry-run|just-print|recon)$/.test(arg)) idle = true
    else if (/^--(?:silent|quiet|keep-going|always-make|no-print-directory|print-directory|output-sync(?:=\w+)?)$/.test(arg)) continue
    else if (/^[A-Za-z_]\w*[:?]?=/.test(arg)) {
      const cut = arg.indexOf('=')
      if (STEERS.test(arg.slice(0, cut)) && !/^C\w*FLAGS/.test(arg)) return { refused: 'a variable that steers what make reads' }
      given.push([arg.slice(0, cut).replace(/[:?]$/, ''), arg.slice(cut + 1)])
    } else if (arg.startsWith('-')) return { refused: `make ${arg} may read anything` }
    else goals.push(arg)
  }
  return folder === '?' || /\s/.test(folder) ? { refused: 'a make that lies outside' } : { folder, file, idle, goals, given }
}

/** Variables of the environment by which make reads or looks for something else. */
export const STEERING = ['MAKEFLAGS', 'GNUMAKEFLAGS', 'MAKEFILES', 'MFLAGS', 'SHELL_FLAGS']
