import { enteredBy } from './call.ts'

/**
 * A shell that goes on from call to call, as far as tells what was typed into it. `folder` null: nobody knows where it
 * stands. `altered`: its environment is no longer the one that it started with, so that a command typed there is another
 * command than the same words elsewhere.
 */
export interface KeptShell {
  readonly folder: string | null
  readonly altered: boolean
}

/** The shell after a text was typed into it. Read generously: a word that could move or alter it counts as if it did. */
export function afterTyping(shell: KeptShell, command: string): KeptShell {
  const altered = shell.altered || ALTERS.test(command) || SOURCES.test(command)
  const moves = [...command.matchAll(MOVES)].length
  if (moves === 0) return { ...shell, altered }
  const entered = enteredBy(command)
  return { folder: moves === 1 ? entered : null, altered }
}

const MOVES = /(?:^|[\s;&|({])(?:cd|pushd|popd|chdir|Set-Location|Push-Location|Pop-Location)(?=[\s;&|)}]|$)/gi
const ALTERS = /(?:^|[\s;&|({])(?:export|source|alias|unalias|set|unset|eval|exec|declare|typeset|readonly|shopt|umask|ulimit|trap|nvm|conda|mamba|pyenv|deactivate|activate|use)(?=[\s;&|)}]|$)|\$env:/i
const SOURCES = /(?:^|[\n;&|({])[ \t]{0,100}(?:\.[ \t]|[A-Za-z_]\w{0,100}=\S{0,4000}[ \t]{0,20}(?:$|[\n;&|]))/
