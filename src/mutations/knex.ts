import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { migrationTarget } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'knex',
  why: 'A batch of migrations is run once and recorded; seeds are run as often as they are asked for.',
  names: ['knex'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.verb === 'seed:run' || call.verb === 'migrate:rollback' || call.verb === 'migrate:down' ? 'harmful' : 'convergent', target: migrationTarget(command), identifier: call.name }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    if (/^Already (?:up to date|at the base migration)|^No migrations? to/m.test(output) || /^(?:Error|\w{1,60}Error): |migration(?: file)? "[^"\n]{1,200}" failed/m.test(output)) return 'not-done'
    const batch = /^Batch (\d{1,9}) (?:run|rolled back): \d{1,9} migrations?/m.exec(output)?.[1]
    const seeds = call.verb === 'seed:run' && /^Ran \d{1,9} seed files?/m.test(output)
    if (batch === undefined && !seeds) return null
    const files = [...output.matchAll(/^([\w./-]{1,200}\.[cm]?[jt]s)$/gm)].map(([, file]) => file as string)
    return doneAt(migrationTarget(command), call.name ?? files.at(-1)?.replace(/^.*\//, '') ?? (batch === undefined ? null : `batch ${batch}`))
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly verb: string; readonly name: string | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'knex') return null
  const given = readArguments(args, VALUES)
  const [verb = '', name] = given.words
  if (!/^(?:migrate:(?:latest|up|down|rollback)|seed:run)$/.test(verb) || given.has('-h', '--help')) return null
  return { verb, name: name ?? given.value('--specific') }
}

const VALUES = optionNames('--env --knexfile --cwd --client --connection --migrations-directory --migrations-table-name --specific --esm-interop')
