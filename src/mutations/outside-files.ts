import { table } from '../base/table.ts'
import { optionNames, readArguments } from '../model/arguments.ts'
import type { CanonicalCommand } from '../model/command.ts'
import { type Mutation, doneAt, targetOf } from '../model/mutation.ts'
import { isTemporary } from '../model/place.ts'
import { programOf } from '../model/toolchain.ts'

export default {
  id: 'outside-files',
  why: 'A file that was put outside the repository is in no commit, and no successor sees it there.',
  names: ['tee'],
  intends(command) {
    const places = placesOf(command)
    return places === null ? null : { repeat: command.argv.includes('-a') && programOf(command).program === 'tee' ? 'harmful' : 'convergent', target: placed(places), identifier: null }
  },
  confirms(command, output, succeeded) {
    const places = placesOf(command)
    if (places === null) return null
    if (new RegExp(`^(?:/usr)?(?:/bin/)?${programOf(command).program}: `, 'm').test(output)) return succeeded ? null : 'not-done'
    return succeeded ? doneAt(placed(places), null) : null
  },
} satisfies Mutation

const placed = (places: readonly string[]) => targetOf('machine', `file:${[...new Set(places)].sort().join(' ')}`)

/** The absolute paths that are written; those under the repository have become relative before. null: none outlives the day. */
function placesOf(command: CanonicalCommand): readonly string[] | null {
  const { program, args } = programOf(command)
  const tool = Object.hasOwn(TOOLS, program) ? TOOLS[program] : undefined
  if (tool === undefined) return null
  const given = readArguments(args, tool.values)
  if (given.has('--help', '--version', ...tool.dry)) return null
  const into = given.value('-t', '--target-directory')
  const written = tool.writes === 'all' ? given.words : into !== null ? [into] : given.words.length > 1 ? given.words.slice(-1) : []
  const taken = program === 'mv' ? given.words : []
  const places = [...written, ...taken].filter((path) => path.startsWith('/') && !isTemporary(path))
  return places.length === 0 ? null : places
}

const TOOLS: Readonly<Record<string, { readonly writes: 'all' | 'last'; readonly values: ReadonlySet<string>; readonly dry: readonly string[] }>> = table({
  cp: { writes: 'last', values: optionNames('-t --target-directory -S --suffix'), dry: [] },
  mv: { writes: 'last', values: optionNames('-t --target-directory -S --suffix'), dry: [] },
  ln: { writes: 'last', values: optionNames('-t --target-directory -S --suffix'), dry: [] },
  install: { writes: 'last', values: optionNames('-t --target-directory -m --mode -o --owner -g --group -S --suffix'), dry: [] },
  tee: { writes: 'all', values: optionNames('--output-error'), dry: [] },
  touch: { writes: 'all', values: optionNames('-d --date -t -r --reference'), dry: [] },
  mkdir: { writes: 'all', values: optionNames('-m --mode'), dry: [] },
  rm: { writes: 'all', values: optionNames('--interactive'), dry: [] },
  rmdir: { writes: 'all', values: optionNames('--ignore-fail'), dry: [] },
})
