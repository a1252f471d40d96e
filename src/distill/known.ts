import { table } from '../base/table.ts'
import { type CanonicalCommand, commandKey } from '../model/command.ts'
import { withoutCaches } from '../model/temporary-caches.ts'
import type { Invocation, Toolchain } from '../model/toolchain.ts'
import { sameKey } from '../model/temporary-caches.ts'

/** What the toolchains say of a command: whose it is, and in whose words its output may speak. */
export interface Known {
  readonly key: string
  /** The same for every spelling of one command. */
  readonly alias: string
  /** The command itself; equal commands are one object, since a session says the same thing many times. */
  readonly command: CanonicalCommand
  readonly toolchain: Toolchain | null
  readonly invocation: Invocation | null
  /** Its own toolchain and the fallback; all of them where it hands over to others, or nobody knows it. */
  readonly readers: readonly Toolchain[]
  /** The same, the most telling first: who hands over knows least of what failed. */
  readonly tellers: readonly Toolchain[]
}

export type Lookup = (command: CanonicalCommand) => Known

/** Asks the toolchains once for each command. The order of the set decides between two that know it; its last is the fallback. */
export function knowing(toolchains: readonly Toolchain[]): Lookup {
  const asked = new Map<string, Known>()
  return (command) => {
    const key = commandKey(command)
    const found = asked.get(key) ?? ask(command, toolchains)
    asked.set(key, found)
    return found
  }
}

function ask(command: CanonicalCommand, toolchains: readonly Toolchain[]): Known {
  const fallback = toolchains.slice(-1)
  for (const toolchain of toolchains) {
    const known = toolchain.knows(command)
    if (known === null) continue
    const invocation = isHollow(command) ? { ...known, verifies: false } : known
    if (!invocation.delegates) {
      const readers = [...new Set([toolchain, ...fallback])]
      return { key: sameKey(command), alias: aliasOf(command), command, toolchain, invocation, readers, tellers: readers }
    }
    const others = toolchains.filter((one) => one !== toolchain && !fallback.includes(one))
    return { key: sameKey(command), alias: aliasOf(command), command, toolchain, invocation, readers: toolchains, tellers: [...new Set([...others, toolchain, ...fallback])] }
  }
  return { key: sameKey(command), alias: aliasOf(command), command, toolchain: null, invocation: null, readers: toolchains, tellers: toolchains }
}

/** `npm t`, `npm run test` and `npm test` are one command; so are the short names of cargo's verbs, and one that keeps its cache elsewhere. */
function aliasOf(spelled: CanonicalCommand): string {
  const command = withoutCaches(spelled)
  const [program = '', ...args] = command.argv
  const [verb = '', ...rest] = args
  const named = SCRIPTS.has(program) && /^(?:run|run-script|rum|urn)$/.test(verb) ? rest : args
  const short = named === rest ? rest[0] : SHORT[program]?.[verb]
  const words = short === undefined ? named : [short, ...named.slice(1)]
  return sameKey({ ...command, argv: [program, ...words] })
}

const SCRIPTS = new Set(['npm', 'pnpm', 'yarn', 'bun'])
const NPM: Readonly<Record<string, string>> = table({ t: 'test', tst: 'test' })
const SHORT: Readonly<Record<string, Readonly<Record<string, string>>>> = table({ npm: NPM, pnpm: NPM, cargo: table({ t: 'test', b: 'build', c: 'check', r: 'run' }) })

/** Whether a command is told to check nothing, or not to mind: it can't fail, so it is no gate. */
function isHollow({ argv, env }: CanonicalCommand): boolean {
  const [program = '', ...args] = argv
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (env.some(([variable]) => /^(?:MAKEFLAGS|GNUMAKEFLAGS|npm_config_(?:script_shell|ignore_scripts|dry_run)|BASH_ENV)$/i.test(variable))) return true
  if (args.length > 1 && args.some((word) => /^(?:--version|-V)$/.test(word))) return true
  if (args.some((word) => HOLLOW.test(word))) return true
  if (/^g?make$/.test(name)) return args.some((word, i) => /^(?:-[a-zA-Z]*[inqt][a-zA-Z]*|--ignore-errors|--question|--touch|SHELL=.*|MAKEFLAGS=.*)$/.test(word) || (word === '/dev/null' && args[i - 1] === '-f'))
  return /^(?:ba|da|z|k)?sh$/.test(name) && args.includes('-n')
}

const HOLLOW =
  /^(?:-h|-\?|--help|--usage|--dry-run|--just-print|--list|--listTests|--list-tests|--collect-only|--co|--ignore-scripts|--script-shell(?:=.*)?|--deselect(?:=.*)?|--no-run|-run=(?:NONE|XXX|\^\$)|--passWithNoTests|--exit-zero|--no-fail)$/
