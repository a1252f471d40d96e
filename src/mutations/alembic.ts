import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { migrationTarget } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'alembic',
  why: 'A schema that was moved stays moved; the same revision again moves nothing.',
  names: ['alembic', 'flask db'],
  intends(command) {
    const revision = revisionIn(command)
    return revision === null ? null : { repeat: 'convergent', target: migrationTarget(command), identifier: /^(?:heads?|base|[+-]\d+|)$/.test(revision) ? null : revision }
  },
  confirms(command, output, succeeded) {
    if (revisionIn(command) === null) return null
    if (/^(?:ERROR|FAILED)\b|^(?:[\w.]{1,200})?(?:Error|Exception): /m.test(output)) return 'not-done'
    const steps = [...output.matchAll(/\bRunning (upgrade|downgrade|stamp_revision) ([\w, ()]{0,200}?) ?-> ?(\w{0,100})/g)]
    if (!succeeded) return null
    // The line is printed before the step is made; the status says that all were.
    const last = steps.at(-1)
    return last === undefined ? (output.includes('alembic.runtime') ? 'not-done' : null) : doneAt(migrationTarget(command), (last[3] as string) || 'base')
  },
} satisfies Mutation

/** Alembic, and Flask's `flask db` in front of it. null: it changes no database (`--sql` prints what would be done). */
function revisionIn(command: CanonicalCommand): string | null {
  const { program, args } = programOf(command)
  const given = readArguments(args, VALUES)
  const words = program === 'alembic' ? given.words : program === 'flask' && given.words[0] === 'db' ? given.words.slice(1) : []
  if (!/^(?:upgrade|downgrade|stamp)$/.test(words[0] ?? '') || given.has('--sql', '-h', '--help')) return null
  return words[1] ?? ''
}

const VALUES = optionNames('-c --config -n --name -x --raiseerr --tag -d --directory --app -A -e --env-file')
