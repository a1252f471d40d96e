import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { migrationTarget, serverAt } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'prisma',
  why: 'Applied migrations are recorded in the database; again they change nothing, but a reset loses its rows.',
  names: ['prisma'],
  intends(command) {
    const verb = verbIn(command)
    return verb === null ? null : { repeat: 'convergent', target: migrationTarget(command), identifier: null }
  },
  confirms(command, output, succeeded) {
    const verb = verbIn(command)
    if (verb === null) return null
    if (/^(?:Error: |Error code: |P\d{4}\b)/m.test(output) || /^(?:No pending migrations to apply\.|The database is already in sync|Already in sync)/m.test(output)) return 'not-done'
    const target = datasource(output) ?? migrationTarget(command)
    const last = [...output.matchAll(/^(?:Applying migration `([\w.-]{1,200})`| {0,4}(?:└─ )?(\d{14}_[\w.-]{1,180})\/?)$/gm)].at(-1)
    const done = /^All migrations have been successfully applied\.|Your database is now in sync with your (?:Prisma )?schema|^Database reset successful|^The following migration\(s\) have been applied/m.test(output)
    return done || (succeeded && last !== undefined) ? doneAt(target, last?.[1] ?? last?.[2] ?? null) : null
  },
} satisfies Mutation

/** null: it changes no database (`--create-only` and `migrate diff` write files, `status` and `validate` read). */
function verbIn(command: CanonicalCommand): string | null {
  const { program, args } = programOf(command)
  if (program !== 'prisma') return null
  const given = readArguments(args, VALUES)
  const [group, verb = ''] = given.words
  if (given.has('-h', '--help', '--create-only')) return null
  if (group === 'migrate' && /^(?:deploy|dev|reset|resolve)$/.test(verb)) return verb
  return group === 'db' && /^(?:push|seed|execute)$/.test(verb) ? verb : null
}

const VALUES = optionNames('--schema --name -n --config --file --url --applied --rolled-back')

/** `Datasource "db": PostgreSQL database "app", schema "public" at "db.example:5432"` */
function datasource(output: string): Target | null {
  const found = /^Datasource "[\w-]{1,100}": (PostgreSQL|MySQL|CockroachDB|SQL Server) database(?: "([\w-]{1,100})")?.{0,120} at "([\w.-]{1,200})(?::(\d{1,5}))?"/m.exec(output)
  if (found === null) return null
  return serverAt((found[1] as string).toLowerCase().replace(' ', ''), found[3] as string, found[4] ?? null, found[2] ?? '')
}
