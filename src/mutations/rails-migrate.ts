import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { migrationTarget } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'rails-migrate',
  why: 'The schema of a database that others use is moved; a rollback or a seed moves it once more each time.',
  names: ['rails', 'rake'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: /^db:(?:seed|rollback|migrate:redo|forward)/.test(call.task) ? 'harmful' : 'convergent', target: migrationTarget(command), identifier: call.version }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^(?:rails|rake) aborted!|^(?:[\w:]{1,100}Error): /m.test(output)) return 'not-done'
    const last = [...output.matchAll(/^==  ?(\d{1,20}) [\w:]{1,200}: (?:migrated|reverted) \([\d.]{1,20}s\) =*$/gm)].at(-1)
    if (last !== undefined) return doneAt(migrationTarget(command), last[1] as string)
    if (/^db:migrate/.test(call.task)) return null
    return succeeded ? doneAt(migrationTarget(command), call.version) : null
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly task: string; readonly version: string | null } | null {
  const argv = command.argv[0] === 'bundle' && command.argv[1] === 'exec' ? command.argv.slice(2) : command.argv
  const { program, args } = programOf({ argv: argv[0] === 'ruby' ? argv.slice(1) : argv })
  if (!/^(?:(?:\.\/)?bin\/)?(?:rails|rake)$/.test(program) || args.some((arg) => /^(?:-n|--dry-run|-h|--help|-T|--tasks|-P)$/.test(arg))) return null
  const task = args.find((arg) => TASK.test(arg))
  if (task === undefined) return null
  const version = [...args, ...command.env.map(([name, value]) => `${name}=${value}`)].map((arg) => /^VERSION=(\d{1,20})$/.exec(arg)?.[1]).find((found) => found !== undefined)
  return { task, version: version ?? null }
}

const TASK = /^db:(?!migrate:status|\w+:dump)(?:migrate|rollback|forward|seed|setup|prepare|reset|drop|create|schema:load)(?::\w{1,40})?$/
