import { table } from '../base/table.ts'
import type { ShellCommand } from '../model/shell.ts'
import { looksOnly } from '../model/shell/powershell.ts'
import { inEnvironment, programOf } from '../model/toolchain.ts'

/** Whether a command is known to leave files and programs as they were. `text`: the whole text in which it stands, which counts where the shell works out its words. */
export function isHarmless({ command, symbolic }: ShellCommand, text: string): boolean {
  if (command.where.startsWith('host:')) return true
  const { program, args } = programOf(command)
  if (args.length === 1 && ASKS_VERSION.test(args[0] as string)) return true
  const own = ownProgram(command.argv) ?? ownProgram([program, ...args])
  if (own !== null) return !CHANGES_BY_NAME.test([saidBy(own), ...args.filter((word) => word !== own)].join(' '))
  return READERS.has(program) || (READERS_BY_WORDS[program]?.(args, symbolic ? text : args.join('\n')) ?? false)
}

/** Whether a command grants the user something that he had not: to enter, to read, to run. */
export function rightsGranted(program: string, args: readonly string[]): boolean {
  if (/^(?:chmod|chown|chgrp|setfacl|ssh-add|kinit)$/.test(program)) return true
  return args.some((word) => /^(?:login|adduser|auth|sso|configure)$/.test(word)) && /^(?:gh|glab|npm|pnpm|yarn|docker|podman|aws|gcloud|az|cargo|gem|twine|heroku|vercel|netlify|firebase)$/.test(program)
}

const ASKS_VERSION = /^(?:--version|-V|-v|--help|-h)$/

/** The file of the repository that a command runs, by itself or through an interpreter; null: it runs none. */
function ownProgram(argv: readonly string[]): string | null {
  const [typed = '', ...rest] = argv
  const first = inEnvironment(typed) ?? typed
  if (first.includes('/') && !first.startsWith('/')) return first
  if (!/^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|php|perl|bash|sh|zsh)$/.test(first)) return null
  const at = rest.findIndex((word) => !word.startsWith('-'))
  if (rest.some((word) => /^-(?:c|e|p|pe|r|lc)$/.test(word))) return null
  if (rest[0] === '-m') return rest[1] ?? null
  return at === -1 ? null : (rest[at] as string)
}

/** A program of the repository is taken to do its work; one whose name or place says that it tends the sources may change them. */
const CHANGES_BY_NAME =
  /(?:^|[/. ])(?:scripts?|tools?|hack|tasks?|ci|dev|utils?|codemods?|migrations?|generators?)[/.]|fix|format|fmt|gen|update|upgrade|migrat|sync|writ|bump|release|version|patch|renam|replac|clean|reset|init|setup|install|convert|transform|scaffold|seed|deps|codemod|build|apply|import|export|save|dump/i

/** What a program's own name says is nearer than where it lies: `scripts/check-links.mjs`. */
function saidBy(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return CHECKS_BY_NAME.test(name) ? name : path
}
const CHECKS_BY_NAME = /(?:^|[-_.])(?:check|verify|validate|lint|audit)(?:[-_.]|$)/i

const READERS = new Set(
  ('ls cat head tail less more grep egrep fgrep rg ag ack zgrep wc uniq cut tr diff colordiff cmp file stat du df pwd echo printf true false : test [ [[ which whereis ' +
    'type command whoami id uname hostname date printenv ps pgrep pidof top free uptime sleep wait kill pkill jobs lsof ss netstat tree jq bat column nl rev tac fold od xxd hexdump ' +
    'strings basename dirname realpath readlink sha1sum sha256sum md5sum cksum expr seq bc env ping dig nslookup host man info history exit return break continue ' +
    'read let local declare typeset set unset export shift getopts ulimit umask times nproc arch locale tty clear reset sqlite3 psql mysql mail sendmail').split(' '),
)
for (const writes of ['env', 'sqlite3', 'psql', 'mysql']) READERS.delete(writes)

/** What PHP tells of itself, and a check of a file's grammar. */
const PHP_TELLS = /^(?:-[imv]|--(?:info|modules|version|ini)|--r[fcezi] \S+|-l \S+)$/

type ByWords = (args: readonly string[], text: string) => boolean

const none = (pattern: RegExp): ByWords => (args) => !args.some((word) => pattern.test(word))
const verbs = (...known: readonly string[]): ByWords => {
  const allowed = new Set(known)
  return (args) => allowed.has(args.find((word) => !word.startsWith('-')) ?? '')
}

/** Behind git's own options; those that only record what lies there are among them. */
const GIT_READS = new Set(
  ('status log diff show blame rev-parse rev-list ls-files ls-tree ls-remote cat-file describe shortlog grep merge-base name-rev for-each-ref show-ref show-branch var version ' +
    'help reflog count-objects fsck check-ignore check-attr whatchanged range-diff cherry diff-tree diff-files diff-index add commit push fetch tag branch notes remote config gc ' +
    'hash-object write-tree commit-tree update-ref symbolic-ref patch-id prune repack pack-refs').split(' '),
)

function git(args: readonly string[]): boolean {
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as string
    if (word === '-C' || word === '-c' || word === '--git-dir' || word === '--work-tree') i += 1
    else if (!word.startsWith('-')) return GIT_READS.has(word)
  }
  return true
}

/** A program text that an interpreter is given: harmless only if nothing in it could write, or start another. */
const scripted: ByWords = (args, text) => args.some((word) => /^-(?:c|e|p|pe|r)$/.test(word)) && !COULD_WRITE.test(text)
const COULD_WRITE = /writ|open|append|_put_|fput|trunc|replace|rename|remove|unlink|mk|copy|move|exec|spawn|system|subprocess|inplace|dump|save|touch|eval|import\s*\(|popen|shutil|rm\b|mv\b|>/i

const READERS_BY_WORDS: Readonly<Record<string, ByWords>> = table({
  git,
  find: none(/^-(?:exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/),
  fd: none(/^(?:-x|-X|--exec.*)$/),
  sort: none(/^(?:-o|--output)/),
  sed: (args) => !args.some((word) => /^-[A-Za-z0-9]*i|^--in-place/.test(word)) && !args.some((word) => /(?:^|[;}\s/\d$])w\s+\S/.test(word)),
  awk: none(/>|system\s*\(|inplace|\|/),
  curl: none(/^(?:-[a-zA-Z]*[oOJ]|--output.*|--remote-.*|--create-dirs)$/),
  python: scripted,
  python3: scripted,
  node: scripted,
  ruby: scripted,
  perl: scripted,
  php: (args, text) => PHP_TELLS.test(args.join(' ')) || scripted(args, text),
  npm: verbs('ls', 'list', 'view', 'info', 'show', 'outdated', 'why', 'explain', 'root', 'prefix', 'bin', 'ping', 'whoami', 'search', 'docs', 'doctor', 'help', 'query', 'fund', 'audit', 'publish', 'pack', 'login', 'logout'),
  pnpm: verbs('ls', 'list', 'view', 'info', 'outdated', 'why', 'root', 'bin', 'audit', 'publish'),
  yarn: verbs('list', 'info', 'outdated', 'why', 'npm', 'audit', 'publish'),
  pip: verbs('list', 'show', 'freeze', 'check', 'index'),
  pip3: verbs('list', 'show', 'freeze', 'check', 'index'),
  cargo: verbs('tree', 'metadata', 'search', 'publish', 'info', 'pkgid', 'locate-project', 'version'),
  go: verbs('list', 'env', 'version', 'doc'),
  mise: (args) => /^(?:ls|list|current|tasks|doctor|env|where|which|version)$/.test(args[0] ?? '') || (/^(?:run|r)$/.test(args[0] ?? '') && /^(?:--dry-run|-n)$/.test(args[1] ?? '')),
  docker: verbs('ps', 'images', 'logs', 'inspect', 'version', 'info', 'top', 'stats', 'port', 'push', 'login'),
  podman: verbs('ps', 'images', 'logs', 'inspect', 'version', 'info', 'push'),
  kubectl: verbs('get', 'describe', 'logs', 'version', 'explain', 'top', 'apply', 'rollout', 'scale', 'delete', 'create'),
  gh: (args) => !/^(?:pr checkout|repo (?:sync|clone|fork)|codespace|extension|run download|release download|gist clone)/.test(args.filter((word) => !word.startsWith('-')).join(' ')),
  powershell: (args) => args.length === 2 && /^-Command$/i.test(args[0] as string) && looksOnly(args[1] as string),
  make: none(/^(?!-n$|--dry-run$|--just-print$)/),
  xargs: (args) => READERS.has(args.find((word, i) => !word.startsWith('-') && !/^-[InPLds]$/.test(args[i - 1] ?? '')) ?? ''),
})
