import { splitKey } from '../model/key.ts'
import { type DeadEnd, partsOf } from './entry.ts'

/**
 * Whether what an entry rests on can show each way in which it ends. A program of the repository takes what its sources say, so that
 * the version of what runs it shows nothing: where nobody looked at them, it may take today what it refused then.
 */
export function isGrounded(entry: DeadEnd): boolean {
  if (entry.class === 'red' || rests(entry, SOURCES)) return true
  const argv = argvOf(entry)
  const [program = '', verb = ''] = argv
  if (entry.class === 'usage') return !TAKES_PLUGINS.test(program) && !runsOwn(argv, wordIn(entry))
  if (entry.class === 'program-missing') return entry.grounds.some(({ key }) => key === `absent-tool:${program}`)
  return !runsOwn(argv, null) && (!DELEGATES.test(program) || INSTALLS.test(verb))
}

/**
 * Whether the tool alone decides that it is wrong, so that a second try can be stopped: an option that its program does not know, or
 * a script that package.json does not name. Subcommands, targets and plug-ins may come from elsewhere: a program `git-NAME` on PATH,
 * an alias, an included file.
 */
export function isClosed(entry: DeadEnd): boolean {
  if (entry.class !== 'usage' || rests(entry, SOURCES)) return true
  const argv = argvOf(entry)
  const [program = '', verb = ''] = argv
  if (program === 'npm') return /^(?:run|run-script|rum|urn)$/.test(verb) ? rests(entry, PACKAGE) : /\bunknown command\b/i.test(entry.signature)
  return wordIn(entry)?.startsWith('-') === true
}

const argvOf = ({ command }: DeadEnd): readonly string[] => partsOf(command).argv

/** The word of the command line that the signature names; null: none. A longer one is not named by its part. */
function wordIn(entry: DeadEnd): string | null {
  const said = entry.signature.split(/[\s'"`‘’“”<>(),:;]+/)
  return argvOf(entry).slice(1).find((word) => word.length > 1 && (said.includes(word) || said.includes(word.replace(/^-+/, '')) || said.includes(word.replace(/=.*$/s, '')))) ?? null
}

/** Whether a file or module of the repository is what reads the words: behind an interpreter, all from the first that is no option of its own. */
function runsOwn(argv: readonly string[], word: string | null): boolean {
  const [program = '', ...rest] = argv
  if (program.includes('/')) return true
  if (!INTERPRETS.test(program)) return false
  const own = rest.findIndex((one) => !one.startsWith('-') || /^-[A-Za-z]*[mce]$/.test(one))
  if (own === -1) return word === null && rest.length > 0
  return word === null || rest.indexOf(word) >= own
}

const rests = ({ grounds }: DeadEnd, test: RegExp): boolean => grounds.some(({ key }) => test.test(`${splitKey(key).probe}:${splitKey(key).argument}`))

const SOURCES = /^(?:reads|tree):/
const PACKAGE = /^file:(?:.*\/)?package\.json$/
const INTERPRETS = /^(?:node|nodejs|deno|bun|tsx|ts-node|python|python\d[\d.]*|pypy3?|ruby|perl|php|lua|Rscript|java|sh|bash|dash|zsh|ksh|fish|pwsh|awk|gawk)$/
/** What their sources say is what they need. */
const DELEGATES = /^(?:npm|npx|pnpm|yarn|make|gmake|just|task|rake|tox|nox|cargo|go|gradle|mvn|pytest|jest|vitest|mocha|tsc|uv|poetry|pipenv|bundle)$/
const INSTALLS = /^(?:i|install|ci|add|update|up|upgrade|sync|get|fetch|lock|download)$/
/** What they take is said by files of the repository and by what is installed beside them. */
const TAKES_PLUGINS = /^(?:pytest|py\.test|tox|nox)$/
