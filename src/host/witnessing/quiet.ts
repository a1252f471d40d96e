import type { HookEvent } from '../../model/agent.ts'

/**
 * Whether a command only looks at files, in plain words: no claim can come of it, and it changes nothing. What is not certain is
 * not quiet. A command that could not be found is not quiet either: that says something of the machine.
 */
export function isQuiet(command: HookEvent['command'], outcome: HookEvent['outcome']): boolean {
  if (outcome.is === 'code' && outcome.code > 2) return false
  const text = typeof command === 'string' ? command.trim() : (command ?? []).join(' ')
  if (typeof command !== 'string' || text === '' || /[`$<>&;\n\\(){}]/.test(text.replace(HARMLESS_ENDS, ''))) return text === ''
  return text.replace(HARMLESS_ENDS, '').replace(QUOTED, (quoted) => quoted.replaceAll('|', ' ')).split('|').every((part) => LOOKS.test(part.trim()))
}

const HARMLESS_ENDS = / 2>(?:&1|\/dev\/null)(?= *(?:\||$))/g

/** A bar in quotes is none. */
const QUOTED = /'[^']*'|"[^"]*"/g

const LOOKS =
  /^(?:(?:ls|cat|head|tail|e?grep|fgrep|wc|pwd|stat|file|du|df|date|whoami|nl|cut|tr|basename|dirname|realpath|readlink|tree|rg)(?: |$)|sed -n '?\d+(?:,\d+)?p'?(?: |$)|find (?!.*-(?:exec|ok|delete|fprint|fls))|git (?:status|log|diff|show|blame|rev-parse|ls-files)(?: (?!.*--(?:output|ext-diff|exit-code|quiet))|$))/
