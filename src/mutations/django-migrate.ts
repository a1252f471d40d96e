import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { migrationTarget } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'django-migrate',
  why: 'What was migrated is recorded in the database itself; again nothing is left to apply.',
  names: ['manage.py', 'django-admin', 'django migrate'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: call.verb === 'loaddata' ? 'harmful' : 'convergent', target: migrationTarget(command), identifier: call.name }
  },
  confirms(command, output, succeeded) {
    const call = readCall(command)
    if (call === null) return null
    if (/^[ \t]{0,40}No migrations to apply\.|^CommandError: |^(?:[\w.]{1,100})?(?:Error|Exception): /m.test(output)) return 'not-done'
    if (call.verb !== 'migrate') return succeeded ? doneAt(migrationTarget(command), call.name) : null
    const steps = [...output.matchAll(/^[ \t]{0,40}(?:Applying|Unapplying) ([\w.]{1,200})\.{3} ?(OK|FAKED)$/gm)]
    const last = steps.at(-1)
    return last === undefined ? null : doneAt(migrationTarget(command), call.name ?? (last[1] as string))
  },
} satisfies Mutation

/** `manage.py migrate [APP [MIGRATION]]`, `django-admin migrate`, `python -m django migrate`. */
function readCall(command: CanonicalCommand): { readonly verb: string; readonly name: string | null } | null {
  const { program, args } = programOf(command)
  const words = /^(?:\S{1,200}\/)?(?:python[\d.]*|py)$/.test(program) ? args : [program, ...args]
  if (!/^(?:\S{1,200}\/)?manage\.py$|^django(?:-admin(?:\.py)?)?$/.test(words[0] ?? '')) return null
  const given = readArguments(words.slice(1), VALUES)
  const [verb = '', app, migration] = given.words
  if (!/^(?:migrate|flush|loaddata)$/.test(verb) || given.has('--plan', '--check', '-h', '--help')) return null
  return { verb, name: app === undefined ? null : verb === 'migrate' ? (migration === undefined ? null : `${app}.${migration}`) : app }
}

const VALUES = optionNames('--database --settings --pythonpath -v --verbosity --app -i --ignore --format')
