import type { CanonicalCommand } from '../model/command.ts'
import { isOurs } from '../model/declaration.ts'
import { type Key, joinPath, listedIn, splitKey } from '../model/key.ts'
import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { programOf } from '../model/toolchain.ts'
import { isHarmless, rightsGranted } from './harmless.ts'

/**
 * What a step of the session may have changed. `all`: any file of the repository; `tools`: any program of the machine, `sure`: that
 * is what it is there for; `rights`: what the user may do. `apart`: all below it is another work tree, of whose files no key of this one speaks. `file`: it is no folder.
 */
export type Changed = { readonly is: 'path'; readonly path: string; readonly apart?: boolean; readonly file?: boolean } | { readonly is: 'all' } | { readonly is: 'tools'; readonly sure?: boolean } | { readonly is: 'rights' }
/** `blobs`: it is an edit that the log shows; null there: it does not say, or there was no file. `time`: in ms, where the log has one. */
export interface Moment {
  readonly order: number
  readonly time: number | null
  /** It may go on beside what stands after it in the same text. */
  readonly behind?: boolean
  readonly blobs?: { readonly before: string | null; readonly after: string | null }
}
export type Change = Changed & Moment

/**
 * What a shell text may change in the environment, and at which place in the text. What is not known to leave everything
 * as it was may have changed anything: a change that did not happen costs a claim, one that was missed makes a stale fact.
 * `verifies`: whether a command is a test, build or check, which is taken to leave sources alone.
 */
export function changesOf(reading: ShellReading, text: string, verifies: (command: CanonicalCommand) => boolean): readonly (Changed & { readonly at: number; readonly behind?: boolean })[] {
  if (!reading.parsed) return [...EVERYTHING].map((change) => ({ ...change, at: 0, behind: true }))
  return [
    ...reading.writes.map((path) => ({ ...(path === '*' ? { is: 'all' as const } : { is: 'path' as const, path }), ...writtenAt(path, reading) })),
    ...reading.commands.flatMap((one) => {
      const changed = isOurs(one.command.argv) || verifies(one.command) ? [] : (byProgram(one) ?? (isHarmless(one, text) ? [] : [{ is: 'all' } as const]))
      return changed.map((change) => ({ ...change, at: placeIn(reading, one), ...(one.behind && { behind: true }) }))
    }),
  ]
}

/** Where in a text a path is written for the last time: what no command's own redirection writes, at its end. */
function writtenAt(path: string, reading: ShellReading): { readonly at: number; readonly behind?: boolean } {
  if (reading.commands.length <= 1) return { at: 0 }
  const writers = reading.commands.filter(({ writes }) => writes?.includes(path))
  const last = writers.at(-1)
  return last === undefined ? { at: LAST } : { at: placeIn(reading, last), ...(writers.some(({ behind }) => behind) && { behind: true }) }
}

/** Whether a command is there to change something, as far as its words say. */
export function changesAnything(read: ShellCommand): boolean {
  const { program, args } = programOf(read.command)
  return (byProgram(read) ?? []).length > 0 || (program === 'git' && GIT_RECORDS.has(verbOf(args)))
}

/** A command's place within its text, as a fraction. */
export const placeIn = (reading: ShellReading, command: ShellCommand): number => Math.min((reading.commands.indexOf(command) + 1) / 4096, LAST)

const LAST = 4095 / 4096
const EVERYTHING: readonly Changed[] = [{ is: 'all' }, { is: 'tools' }]
const INSTALLED: readonly Changed[] = [{ is: 'all' }, { is: 'tools', sure: true }]

/** What a command that is known to change something changes; null for every other. */
function byProgram({ command, symbolic }: ShellCommand): readonly Changed[] | null {
  const { program, args } = programOf(command)
  const vague = symbolic || args.some((word) => /[*?[{]/.test(word))
  const paths = (words: readonly string[]): readonly Changed[] => (vague ? EVERYTHING : words.filter((word) => !word.startsWith('-')).flatMap((word) => at(joinPath(command.folder, word), word)))
  if (rightsGranted(program, args)) return [{ is: 'rights' }, ...(program.startsWith('ch') ? paths(args) : [])]
  if (COPIERS.has(program)) return paths(copiedTo(args))
  if (FILE_TOOLS.has(program)) return paths(args)
  if (IN_PLACE.has(program) && args.some((word) => /^-[A-Za-z0-9]*i/.test(word) || word.startsWith('--in-place'))) return paths(args).map((change) => (change.is === 'path' ? { ...change, file: true } : change))
  if (program === 'git' && verbOf(args) === 'worktree') return worktree(args, command.folder, vague)
  if (program === 'git') return GIT_WRITES.has(verbOf(args)) ? EVERYTHING : null
  if (INSTALLERS.has(program) && (args.length === 0 || INSTALLS.test(args.join(' ')))) return INSTALLED
  if (FORMATTERS.has(program) || args.some((word) => /^--?(?:fix|write|in-?place|apply)$/.test(word))) return EVERYTHING
  return null
}

/** What lies outside of the repository is none of its files, but may be a program; not what goes with the day. */
function at(path: string | null, word: string): readonly Changed[] {
  if (path !== null) return [{ is: 'path', path }]
  return IN_TEMPORARY.test(word) && !word.split('/').includes('..') ? [] : [{ is: 'tools', sure: true }]
}

const IN_TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/./

/** Where a copy or a link comes to lie: what is copied stays as it was. */
function copiedTo(args: readonly string[]): readonly string[] {
  const into = args.flatMap((arg, i) => {
    const value = /^--target-directory(?:=(.*))?$/s.exec(arg) ?? INTO.exec(arg)
    return value === null ? [] : [value[1] || (args[i + 1] ?? '.')]
  })
  const words = args.filter((arg, i) => !arg.startsWith('-') && !/^(?:-[A-Za-z]*S|--suffix)$/.test(args[i - 1] ?? ''))
  return into.length > 0 ? into : words.length > 1 ? words.slice(-1) : ['.']
}

/** What follows `t` in a word of short options is where it goes, if anything does. */
const INTO = /^-[abdfFHilLnPpRrsTuvxZ]*t(.*)$/s

/** A worktree is made in a folder that was not there, or was empty; another one's files are no part of this one, wherever it lies outside. */
function worktree(args: readonly string[], folder: string, vague: boolean): readonly Changed[] {
  const words = args.slice(args.indexOf('worktree') + 1)
  const verb = words[0] ?? ''
  if (/^(?:list|lock|unlock|prune|repair)$/.test(verb)) return []
  if (vague || !/^(?:add|remove|move)$/.test(verb)) return EVERYTHING
  const named = words.slice(1).filter((word, i, all) => !word.startsWith('-') && !/^(?:-b|-B|--reason)$/.test(all[i - 1] ?? ''))
  const at = named.slice(0, verb === 'move' ? 2 : 1).map((path) => joinPath(folder, path))
  return at.length === 0 ? EVERYTHING : at.flatMap((path) => (path === null ? [] : [{ is: 'path' as const, path, ...(verb === 'add' && HIDDEN.test(path) && { apart: true }) }]))
}

/** A folder that tools pass by when they look for sources. */
const HIDDEN = /(?:^|\/)\.[^/.]/

/** Git's verb, behind its own options. */
export function verbOf(args: readonly string[]): string {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree' || word === '--namespace') i += 1
    else if (!word.startsWith('-')) return word
  }
  return ''
}

const COPIERS = new Set(['cp', 'ln'])
const FILE_TOOLS = new Set(['mv', 'rm', 'touch', 'truncate', 'tee', 'mkdir', 'rmdir', 'install'])
const IN_PLACE = new Set(['sed', 'perl', 'ruby', 'awk', 'gawk', 'yq', 'sd'])
const GIT_WRITES = new Set(
  ('checkout switch pull merge rebase reset stash restore clean cherry-pick revert am apply mv rm submodule bisect worktree clone init read-tree checkout-index ' +
    'sparse-checkout lfs filter-branch filter-repo subtree').split(' '),
)
const GIT_RECORDS = new Set(['add', 'commit', 'tag', 'branch', 'push', 'fetch', 'gc', 'config', 'remote', 'notes', 'update-ref'])
const INSTALLERS = new Set(
  ('npm pnpm yarn bun pip pip3 uv poetry cargo go gem bundle composer corepack pipenv conda mvn gradle apt apt-get brew dnf yum apk pacman nvm asdf mise rustup ' +
    'pyenv volta snap').split(' '),
)
const INSTALLS =
  /(?:^|\s)(?:install|i|ci|add|remove|rm|uninstall|un|update|up|upgrade|link|version|init|pkg|dedupe|fix|sync|lock|get|mod|enable|use|prepare|import|require|create|set)(?:\s|$)/
const FORMATTERS = new Set(['black', 'isort', 'autopep8', 'gofmt', 'rustfmt', 'prettier', 'dprint', 'codemod', 'jscodeshift'])

/** Whether a change may have touched what a key reads. */
export function touches(change: Changed & Pick<Partial<Moment>, 'blobs'>, key: Key): boolean {
  const { probe, argument } = splitKey(key)
  if (change.is === 'rights') return probe === 'privilege' || probe === 'env'
  if (change.is === 'tools') return probe === 'tool' || probe === 'absent-tool'
  const rests = RESTS_ON_FILES.has(probe)
  if (change.is === 'all') return rests
  if (probe === 'lock') return /(?:^|\/)[^/]*(?:lock|go\.sum|shrinkwrap|requirements)[^/]*$/.test(change.path) || change.path === '.'
  if (probe === 'tool' || probe === 'absent-tool') return change.path === argument || change.path === '.' || change.path.split('/').includes('node_modules')
  if (!rests) return false
  if (change.apart === true && (probe === 'tree' || probe === 'reads' || probe === 'makefiles' || probe === 'manifests')) return probe === 'tree' && within(argument, change.path)
  // What a command can reach is not known here: any file of the repository may be among it.
  if (probe === 'reads') return true
  // What a makefile includes may be called anything but a source or prose.
  if (probe === 'makefiles') return !SOURCE.test(change.path)
  // What is called like no source may be a folder with such files in it; what had or got content is none.
  if (probe === 'manifests') return nameOf(change.path) === argument || change.path === '.' || !(change.file === true || (change.blobs?.before ?? change.blobs?.after ?? null) !== null || SOURCE.test(change.path))
  // An edit of what was there leaves it there, and what is put into a folder that was there.
  if (probe === 'exists' && change.blobs != null && change.blobs.after !== null && (change.blobs.before !== null || change.path.startsWith(`${argument}/`))) return false
  const place = listedIn(key) ?? argument
  return within(change.path, place) || within(place, change.path)
}

const SOURCE = /\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|s|[cm]?[jt]sx?|md|rst|py|pyi|rs|go|java|kt|rb|php|swift|html|s?css|sql)$/i

/** Whether the log says what was changed; else it may have been, and the files themselves can tell. */
export const isSaid = (change: Change): boolean =>
  change.is === 'path' ? change.path !== '.' || change.blobs === undefined || change.blobs.after !== null : change.is === 'rights' || (change.is === 'tools' && change.sure === true)

/** Keys whose reading tells when the last of what they show can have changed. */
export const DATED_FILES: ReadonlySet<string> = new Set(['file', 'exists', 'makefiles', 'manifests', 'absent', 'lock'])
/** A program that is older still is what it was, as far as it is only said how to check with it; a plug-in may end what it did not take. */
export const DATED: ReadonlySet<string> = new Set([...DATED_FILES, 'tool'])

/** What the values of these keys show is in the repository's files, all of it. */
export const RESTS_ON_FILES = new Set(['file', 'exists', 'makefiles', 'manifests', 'tree', 'names', 'alike', 'absent', 'lock', 'reads'])

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const within = (path: string, folder: string): boolean => folder === '.' || path === folder || path.startsWith(`${folder}/`)
