import { optionNames, readArguments } from '../model/arguments.ts'
import type { Target } from '../model/claim.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { isLoopback } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'remote-copy',
  why: 'Files were put on another host, where others may use them; the same files again change nothing.',
  names: ['rsync', 'scp'],
  intends(command) {
    const target = readTarget(command)
    return target === null ? null : { repeat: 'convergent', target, identifier: null }
  },
  confirms(command, output, succeeded) {
    const target = readTarget(command)
    if (target === null) return null
    if (/^(?:rsync error: |rsync: |scp: |ssh: |lost connection|Permission denied|Connection closed)/m.test(output)) return succeeded ? null : 'not-done'
    return succeeded || /^total size is [\d,.]{1,20}[KMGT]? {1,8}speedup is /m.test(output) ? doneAt(target, null) : null
  },
} satisfies Mutation

/** `HOST:PATH`, `HOST::MODULE/PATH`, `rsync://HOST/PATH`, `scp://HOST/PATH` as the last word. */
function readTarget(command: CanonicalCommand): Target | null {
  const { program, args } = programOf(command)
  const values = program === 'rsync' ? RSYNC_VALUES : program === 'scp' ? SCP_VALUES : null
  if (values === null) return null
  const given = readArguments(args, values)
  if (given.has('--dry-run', '--list-only', '--help', '--version') || (program === 'rsync' && given.has('-n')) || given.words.length < 2) return null
  const to = given.words.at(-1) as string
  const url = /^(?:rsync|scp):\/\/(?:[^/@\s]{1,200}@)?([\w.-]{1,200})(?::\d{1,5})?(\/\S{0,300})?$/.exec(to)
  const found = url ?? /^(?:[^/@:\s]{1,200}@)?([\w.-]{2,200}|\[[0-9a-f:]{2,45}\])::?(.{0,300})$/i.exec(to)
  if (found === null || isLoopback(found[1] as string)) return null
  return targetOf('host', `${(found[1] as string).toLowerCase()}:${(found[2] ?? '') === '' ? '~' : found[2]}`)
}

const RSYNC_VALUES = optionNames('-e --rsh --exclude --include --exclude-from --include-from --files-from --rsync-path --chmod --chown --bwlimit -f --filter --timeout --password-file --log-file --port -T --temp-dir --backup-dir --suffix --max-size --min-size --partial-dir --compare-dest --link-dest --out-format --info -M -B --usermap --groupmap')
const SCP_VALUES = optionNames('-c -D -F -i -J -l -o -P -S -X')
