import { Effect } from './claim.ts'
import type { Declared } from './observation.ts'

/**
 * What `git remnant claim STATEMENT [--by CMD] [--effect EFFECT] [--gate CMD] [--root-cause]` declares, from its argument list.
 * null: another command, or not in that form.
 */
export function readDeclaration(argv: readonly string[]): Declared | null {
  const ours = ourVerb(argv)
  if (ours?.verb !== 'claim') return null
  const given = new Map<string, string>()
  const statements: string[] = []
  let open = true
  for (let i = 0; i < ours.rest.length; i++) {
    const word = ours.rest[i] as string
    if (open && word === '--') open = false
    else if (!open || !word.startsWith('-')) statements.push(word)
    else {
      const at = word.indexOf('=')
      const name = at === -1 ? word : word.slice(0, at)
      if (given.has(name) || !(VALUED.has(name) || (FLAGS.has(name) && at === -1))) return null
      const value = FLAGS.has(name) ? 'yes' : at === -1 ? ours.rest[++i] : word.slice(at + 1)
      if (value === undefined || value.trim() === '' || (at === -1 && value.startsWith('--'))) return null
      given.set(name, value)
    }
  }
  const [statement, ...more] = statements
  if (statement === undefined || more.length > 0 || statement.trim() === '') return null
  const typed = given.get('--effect')
  const effect = typed === undefined ? null : readEffect(typed)
  if (typed !== undefined && effect === null) return null
  return { statement, by: given.get('--by') ?? null, effect, gate: given.get('--gate') ?? null, root_cause: given.has('--root-cause') }
}

/** `use command npm test` or `use:command:npm test`; null for anything else. */
export function readEffect(text: string): Effect | null {
  const found = /^\s*([a-z]+)(?:\s+|:)([a-z]+)(?:\s+|:)(\S.*)$/s.exec(text)
  if (found === null) return null
  const effect = Effect.safeParse({ verb: found[1], kind: found[2], value: (found[3] as string).trim() })
  return effect.success ? effect.data : null
}

/** Whether a command is ours: what it prints is never evidence. */
export const isOurs = (argv: readonly string[]): boolean => ourVerb(argv) !== null

/** The verb of `git remnant VERB …`, `git-remnant VERB …` and what stands behind it; `folder`: `git -C`; `clear`: git got no other option. */
export function ourVerb(argv: readonly string[]): { verb: string; rest: readonly string[]; folder: string | null; clear: boolean } | null {
  const program = nameOf(argv[0] ?? '')
  if (program === 'git-remnant') return { verb: argv[1] ?? '', rest: argv.slice(2), folder: null, clear: true }
  if (program === 'npx' || program === 'bunx' || program === 'pnpx') {
    const at = argv.findIndex((word, i) => i > 0 && !word.startsWith('-'))
    return at !== -1 && /^git-remnant(?:@.*)?$/s.test(argv[at] as string) ? { verb: argv[at + 1] ?? '', rest: argv.slice(at + 2), folder: null, clear: true } : null
  }
  if (program !== 'git') return null
  let folder: string | null = null
  let clear = true
  let at = 1
  for (; at < argv.length && (argv[at] as string).startsWith('-'); at++) {
    const word = argv[at] as string
    clear &&= word === '-C' && folder === null
    if (word === '-C') folder = argv[at + 1] ?? null
    if (GIT_VALUED.has(word)) at += 1
  }
  return argv[at] === 'remnant' ? { verb: argv[at + 1] ?? '', rest: argv.slice(at + 2), folder, clear } : null
}

const VALUED = new Set(['--by', '--effect', '--gate'])
const FLAGS = new Set(['--root-cause', '--json'])
const GIT_VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--config-env', '--super-prefix'])

const nameOf = (program: string): string => (/[\\/]/.test(program) ? (/[^\\/]*$/.exec(program)?.[0] ?? '') : program).replace(/\.(?:exe|cmd|cjs|js)$/i, '')
