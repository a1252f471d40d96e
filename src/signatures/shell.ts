import { closing, failed, telling, unfound } from '../model/ending.ts'
import { joinPath } from '../model/key.ts'
import { refusalsIn, refused } from '../model/refusal.ts'
import { type Ending, type Failure, type Program, type Toolchain, absentToolKey, asksVersion, keysIn, namedFiles, programKeys, programOf } from '../model/toolchain.ts'

export default {
  id: 'shell',
  why: 'Whatever the command, shells say alike that a program is missing or may not run, and programs that an option is unknown; else their last words tell.',
  knows(command) {
    const { program, args } = programOf(command)
    const script = scriptOf(programOf(command))
    const keys = [...new Set([...programKeys(command), ...(script === null ? [] : keysIn('file', command.folder, [script])), ...namedFiles(command.folder, args)])]
    if (asksVersion(args)) return { verifies: true, readsSources: false, delegates: false, keys }
    const name = (script ?? '').replace(/^.*\//, '').replace(/\.\w+$/, '')
    return { verifies: CHECKS.test(name) && program !== '' && !args.some((arg) => /^--(?:fix|write)/.test(arg)), readsSources: script !== null, delegates: script !== null, keys }
  },
  summary: () => null,
  failure(ending) {
    const own = ownFailure(ending)
    if (own !== null) return own
    const script = scriptOf(programOf(ending.command))
    const plain = ending.code === null || (ending.code > 0 && ending.code < 126)
    return failed(ending, script !== null && plain ? 'red' : null, telling(ending.output))
  },
} satisfies Toolchain

const CHECKS = /^(?:tests?|checks?|verify|validate|lint|type-?check|build|ci|run[-_]tests?)$/
const SHELLS = /^(?:ba|z|da|k|a)?sh$/

/** The file of the repository that is run, by its path or by a shell. */
function scriptOf({ program, args }: Program): string | null {
  if (program.includes('/') && !program.startsWith('@') && !program.startsWith('/')) return program
  const first = args.find((arg) => !arg.startsWith('-'))
  return SHELLS.test(program) && first !== undefined && !args.includes('-c') && joinPath('.', first) !== null ? first : null
}

function ownFailure(ending: Ending): Failure | 'transient' | null {
  return missing(ending) ?? misused(ending) ?? absentScript(ending) ?? denied(ending)
}

/** `foo: command not found`, however the shell at hand puts it. Believed where the status says so, or as the last word. */
function missing(ending: Ending): Failure | 'transient' | null {
  const { command, code, output } = ending
  const lines = closing(output, 40)
  const names = lines.map(missedIn)
  const at = names.findLastIndex((name) => name !== null)
  const name = names[at] ?? null
  const sure = code === 127 || at === lines.length - 1 || (at !== -1 && POWERSHELL_CLOSES.test(lines.at(-1) as string)) || lines.some((line) => /\] Error 127$/.test(line))
  if (name === null || !sure) return null
  const { folder, argv } = command
  if (name.includes('/')) return null
  const line = `${name}: command not found`
  const found = programOf(command)
  if (name === argv[0] || name === found.program) return failed(ending, 'program-missing', [line], [absentToolKey(folder, name)])
  const calls = [...programKeys(command), ...(scriptOf(found) === null ? [] : keysIn('file', folder, [scriptOf(found) as string])), ...namedFiles(folder, found.args)]
  const defined = HANDS_OVER.test(found.program) || HANDS_OVER.test(found.runner ?? '') || calls.some((key) => key.startsWith('file:'))
  return failed(ending, defined ? 'program-missing' : null, [line], [absentToolKey(folder, name), ...calls.filter((key) => !key.startsWith('tool:'))])
}

const HANDS_OVER = /^(?:npm|pnpm|yarn|bun|g?make)$/
const NOT_FOUND: readonly RegExp[] = [
  /^(?:\S{1,200}: )(?:line \d+: |\d+: )?([^\s:]{1,200}): command not found$/,
  /^(?:\S{0,100}\/)?(?:ba|z|da|k|a|mk|)sh: (?:\d+: )?([^\s:]{1,200}): not found$/,
  /^\S{1,200}(?:\.\w+|\/\S{1,100}): (?:line )?\d+: ([^\s:]{1,200}): not found$/,
  /^(?:zsh|\(eval\)):(?:\d+:)? command not found: (\S{1,200})$/,
  /^fish: Unknown command:? '?([^\s']{1,200})'?$/,
  /^(?:\S{0,100}\/)?env: [‘'"]?([^\s’'":]{1,200})[’'"]?: No such file or directory$/,
  /^(?:nohup|timeout|nice|xargs|setsid|stdbuf): (?:failed to run command )?[‘'"]?([^\s’'":]{1,200})[’'"]?: No such file or directory$/,
  /^g?make(?:\[\d+\])?: ([^\s:/]{1,200}): No such file or directory$/,
  /^'([^\s']{1,200})' is not recognized as an internal or external command,?$/,
  /^\S{1,200} ?: The term '([^\s'\\]{1,200})' is not recognized as (?:the|a) name of a cmdlet, function, script file, or (?:operable|executable) program\./,
]
/** PowerShell tells more below: which line it was, and that one should check the spelling. */
const POWERSHELL_CLOSES = /^(?:Check the spelling of the name, |\s*\+ FullyQualifiedErrorId : CommandNotFoundException$)/
const missedIn = (line: string): string | null => {
  for (const shape of NOT_FOUND) {
    const name = shape.exec(line)?.[1]
    if (name !== undefined) return name
  }
  return null
}

/** An option or subcommand that the program refuses, and that the command line really has. */
function misused(ending: Ending): Failure | 'transient' | null {
  const words = ending.command.argv.slice(1)
  const lines = ending.output.split('\n', 60)
  for (const line of [...lines, ...closing(ending.output, 20)]) {
    if (line.length > 500) continue
    for (const shape of REFUSED) {
      const word = shape.exec(line)?.[1]
      if (word === undefined || !has(words, word)) continue
      return mayBeTaught(ending, word) ? unfound(ending, null, [line]) : failed(ending, 'usage', [line.replace(/^(?:\S*\/)?((?:python[\d.]* -m )?[\w.+-]+: )/, '$1')], programKeys(ending.command))
    }
  }
  return null
}

const REFUSING = '(?:unknown|unrecogni[sz]ed|invalid|illegal|unexpected|bad|no such)'
const KIND_OF_WORD = '(?:options?|flags?|arguments?|parameters?|switch|subcommand|sub-command|command)'
const REFUSED: readonly RegExp[] = [
  new RegExp(
    String.raw`^\s*(?:(?:\S{0,200}python[\d.]* -m )?[\w.+/-]{1,200}: )?(?:(?:error|CACError|fatal|argument error|Usage Error): )?${REFUSING} ` +
      String.raw`(?:CLI |command[- ]line |global |long |short |shorthand )?${KIND_OF_WORD}(?: provided)?(?: name)?(?: --|:)?\s*['"\x60‘“]?(-{0,2}\w[\w.-]{0,99})`,
    'i',
  ),
  /^[\w.+-]{1,100}: (-{1,2}\w[\w-]{0,99}): (?:invalid|unknown|unrecognized) option$/,
  /^[\w.+-]{1,100}: '(\w[\w.-]{0,99})' is not an? [\w.-]{1,100} command\b/,
  /^flag provided but not defined: (-{1,2}\w[\w.-]{0,99})$/,
  /^go (\w[\w-]{0,99}): unknown command$/,
  /^error: Found argument '(-{0,2}\w[\w.-]{0,99})' which wasn't expected/,
]

/** A word that an alias or a plug-in can give a meaning to, wherever the program looks for them: no key shows that none came. */
function mayBeTaught({ command }: Ending, word: string): boolean {
  const { program, args } = programOf(command)
  return (!word.startsWith('-') && args.includes(word) && TAUGHT.has(program)) || PLUGGED.has(program)
}

/** Whose options come from plug-ins and files of the repository too. */
const PLUGGED = new Set(['pytest', 'py.test', 'tox', 'nox'])
const TAUGHT = new Set('git hg cargo gh glab kubectl oc docker podman helm aws az gcloud heroku dotnet brew conda mamba poetry pdm vagrant jj jupyter'.split(' '))

function has(words: readonly string[], refused: string): boolean {
  const bare = refused.replace(/^-+/, '')
  return words.some((word) => {
    const name = word.split('=', 1)[0] as string
    return name === refused || (name.replace(/^-+/, '') === bare && bare.length > 1) || (bare.length === 1 && /^-[^-]/.test(word) && word.includes(bare))
  })
}

/** The program, the script of a shell, or the folder to enter is not there. Where dash says only `not found` it may be the interpreter: unclassified. */
function absentScript(ending: Ending): Failure | 'transient' | null {
  const { command, output } = ending
  const script = scriptOf(programOf(command))
  for (const line of closing(output, 5)) {
    const folder = /^(?:\S{1,100}: )(?:line \d+: |\d+: )?cd: (?:can't cd to )?([^:]{1,300}?)(?:: No such file or directory)?$/.exec(line)?.[1] ?? ZSH_NO_FOLDER.exec(line)?.[1]
    if (folder !== undefined && (command.folder === folder || command.folder.endsWith(`/${folder.replace(/^\.\//, '').replace(/\/$/, '')}`)))
      return unfound(ending, 'path-missing', [`cd: ${folder}: No such file or directory`], keysIn('absent', '.', [command.folder]))
    const path = /^(?:\S{1,100}: )(?:line \d+: |\d+: )?(?:cannot open )?([^\s:]{1,300}): No such file(?: or directory)?$/.exec(line)?.[1] ?? ZSH_NO_FILE.exec(line)?.[1]
    if (script !== null && path !== undefined && joinPath('.', path) === joinPath('.', script))
      return unfound(ending, 'path-missing', [`${path}: No such file or directory`], keysIn('absent', command.folder, [path]))
  }
  return null
}

/** Zsh puts the reason first, and names itself, or the text that it was given, and the line of it. */
const ZSH_NO_FOLDER = /^(?:(?:zsh|\(eval\)):)?cd:(?:\d+:)? no such file or directory: (.{1,300})$/
const ZSH_NO_FILE = /^(?:zsh|\(eval\)):(?:\d+:)? no such file or directory: (\S{1,300})$/
const ZSH_DENIED = /^(?:zsh|\(eval\)):(?:\d+:)? permission denied: (\S{1,300})$/

/** What this machine does not let the user do, in the failing tool's own last words; whom another does not take for one who may is of no class. */
function denied(ending: Ending): Failure | 'transient' | null {
  const { command } = ending
  const refusals = refusalsIn(ending.output)
  if (refusals.length > 0) return refused(ending, refusals)
  const told = closing(ending.output, 15).filter((line) => line.length <= 1000 && DENIED.some((shape) => shape.test(line)))
  if (told.length === 0) return null
  const lines = told.map((line) => {
    const path = ending.code === 126 ? (NO_EXECUTABLE.exec(line) ?? ZSH_DENIED.exec(line))?.[1] : undefined
    return path !== undefined && command.argv.includes(path) ? `${path}: Permission denied` : line
  })
  // What may be run is a matter of the file's mode too, which only its folder's tree shows.
  const files = told.flatMap((line) => NO_EXECUTABLE.exec(line)?.[1] ?? []).filter((path) => path.includes('/') && !path.startsWith('/'))
  const modes = keysIn('tree', command.folder, files.map((path) => path.replace(/[^/]*$/, '')))
  return failed(ending, 'denied', lines, ['privilege', ...modes])
}

/** A file that may not be run, in the words of shells and of programs that start others: whoever says it is not what failed. */
const NO_EXECUTABLE = /: [‘'"]?([^\s:‘’'"]{1,300})[’'"]?: permission denied$/i
const DENIED: readonly RegExp[] = [
  /^\S{1,200}: (?:.{0,300}: )?permission denied(?:$|[ .(])/i,
  /^(?:Error: )?EACCES: permission denied\b/,
  /^(?:zsh|\(eval\)):(?:\d+:)? permission denied: \S{1,300}$/,
]
