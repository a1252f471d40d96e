import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt } from '../model/mutation.ts'
import { databaseAt, migrationTarget } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'flyway',
  why: 'Versions that were applied stand in the history of the schema; `clean` drops all that is in it.',
  names: ['flyway'],
  intends(command) {
    const call = readCall(command)
    return call === null ? null : { repeat: 'convergent', target: call.target, identifier: call.version }
  },
  confirms(command, output) {
    const call = readCall(command)
    if (call === null) return null
    if (/^ERROR: |is up to date\. No migration necessary/m.test(output)) return 'not-done'
    const url = /^Database: (jdbc:\S{1,400}) \(/m.exec(output)?.[1]
    const target = url === undefined ? call.target : databaseAt(url)
    const version = /^Successfully applied \d{1,9} migrations? to schema .{0,200}?now at version v(\S{1,100}?)(?: \(|$)/m.exec(output)?.[1]
    const other = /^Successfully (?:cleaned|baselined|repaired|applied|undid|dropped)/m.test(output)
    return version !== undefined || other ? doneAt(target, version ?? call.version) : null
  },
} satisfies Mutation

function readCall(command: CanonicalCommand): { readonly target: Target | null; readonly version: string | null } | null {
  const { program, args } = programOf(command)
  if (program !== 'flyway') return null
  const given = readArguments(args, NONE, 'whole')
  const verb = given.words.find((word) => /^(?:migrate|clean|baseline|repair|undo)$/.test(word))
  if (verb === undefined || given.has('-dryRunOutput', '-?', '-h', '--help')) return null
  const url = given.value('-url') ?? command.env.find(([name]) => name === 'FLYWAY_URL')?.[1] ?? null
  return { target: url === null ? migrationTarget(command) : databaseAt(url), version: given.value('-target', '-baselineVersion') }
}

const NONE = optionNames('--')
