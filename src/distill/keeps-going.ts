import type { CanonicalCommand } from '../model/command.ts'
import { programOf } from '../model/toolchain.ts'

/**
 * Whether a runner is told to go on behind a step that failed, to run several at a time, or runs one script in many packages: then
 * the lines that end its output are those of the step that ended last, and one that failed may stand anywhere above.
 */
export function keepsGoing(command: CanonicalCommand): boolean {
  const { program, args } = programOf(command)
  // What a script hands on may be meant for a runner inside of it.
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  if (args.some((word) => GOES_ON.test(word))) return true
  if (/^(?:g|gnu)?make$/.test(program)) return own.some((word) => MAKE.test(word))
  if (command.env.some(([name]) => /^npm_config_(?:workspaces?|recursive|filter)$/i.test(name))) return true
  if (!PACKAGES.has(program)) return own.includes(':::')
  return own.some((word) => MANY.test(word)) || own.filter((word) => /^(?:-w|--workspace)(?:=|$)/.test(word)).length > 1
}

const GOES_ON = /^--(?:keep-going|no-bail|bail=false|continue|continue-on-error|no-exit-on-error)(?:=(?!false|never).*)?$/
const MAKE = /^(?:-[A-Za-z]*[kj][A-Za-z]*\d*|--jobs(?:=.*)?)$/
const PACKAGES = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const MANY = /^(?:--workspaces(?:=true)?|--?ws|workspaces?|foreach|-r|--recursive|--parallel|--filter(?:=.*)?|-F)$/
