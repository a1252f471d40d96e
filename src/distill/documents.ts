import type { ShellCommand } from '../model/shell.ts'
import { PYTHON } from '../model/toolchain.ts'

/**
 * Whether a script that stands in the text itself (`python3 - <<'END'`, `node <<'END'`), or a text that is put into a file, prints
 * nothing that could be taken for a tool's closing lines: it has words of its own only as plain strings, and nothing in it could
 * print any other way. What it says where it fails is to be looked for in the output (`scriptFailed`).
 */
export function isQuietDocument({ command: { argv, where }, document, shows }: ShellCommand): boolean {
  const [program = '', ...args] = argv
  if (document === undefined || where !== 'here' || document.length > MOST) return false
  if (program === 'cat') return args.length === 0 && shows === 'nothing'
  if (CLOSES.test(document) || SPECIAL.test(document)) return false
  if (!(args.length === 0 || (args.length === 1 && args[0] === '-'))) return false
  const name = program.slice(program.lastIndexOf('/') + 1)
  if (PYTHON.test(name)) return saysOnly(document, PYTHON_SPEAKS, PYTHON_PRINT, importsOfPython(document))
  return program === 'node' && saysOnly(document, NODE_SPEAKS, NODE_PRINT, importsOfNode(document))
}

/** An interpreter says that a script came to grief: what it quotes may be any text. */
export const scriptFailed = (output: string): boolean => /^(?:Traceback \(most recent call last\):|\s*File "<stdin>", line \d+|Node\.js v\d|\[stdin\]:\d+)/m.test(output)

function saysOnly(text: string, speaks: RegExp, print: RegExp, imports: readonly string[] | null): boolean {
  const rest = text.replace(print, (whole: string, words: string | undefined) => (words !== undefined && SAYS.test(words) ? whole : ' '))
  return imports !== null && imports.every((name) => PLAIN.has(name)) && !speaks.test(rest)
}

/** Modules that a script takes in, without what they are called; null: nobody can say which. */
function importsOfPython(text: string): readonly string[] | null {
  const lines = text.split(/[\n;]/).map((line) => line.trim()).filter((line) => /^(?:import|from)\b/.test(line))
  const found = lines.map((line) => /^from ([\w.]+) import [\w, *()]+$/.exec(line)?.[1] ?? /^import ([\w., ]+)$/.exec(line)?.[1])
  return found.includes(undefined) || (text.match(/\bimport\b/g) ?? []).length > lines.length ? null : found.flatMap((names = '') => names.split(',').map((name) => name.trim().replace(/ as \w+$/, '')))
}

function importsOfNode(text: string): readonly string[] | null {
  const found = [...text.matchAll(/\brequire\(\s*['"](?:node:)?([\w/]+)['"]\s*\)|\bimport\s[^'"();]{1,200}\sfrom\s+['"](?:node:)?([\w/]+)['"]/g)].map(([, required, imported]) => `node:${required ?? imported}`)
  return (text.match(/\b(?:require|import)\b/g) ?? []).length > found.length ? null : found
}

const MOST = 16 * 1024
/** Parts of the standard library that print nothing of their own. */
const PLAIN = new Set(
  `re json os os.path sys pathlib io textwrap string itertools collections functools math datetime time glob shutil copy difflib csv hashlib random typing dataclasses html base64 uuid tomllib
  node:fs node:fs/promises node:path node:os node:url node:crypto node:assert`.split(/\s+/),
)
const QUOTED = String.raw`(?:"[^"\\\n]{0,200}"|'[^'\\\n]{0,200}')`
const SMALL = String.raw`(?:${QUOTED}|len\(\w+\)|\w+ ?(?:==|!=|<=?|>=?) ?\w+)`
const PYTHON_PRINT = new RegExp(String.raw`\bprint\(\s*(${SMALL}(?:\s*,\s*${SMALL}){0,6})?\s*\)`, 'g')
const NODE_PRINT = new RegExp(String.raw`\bconsole\.log\(\s*(${SMALL}(?:\s*,\s*${SMALL}){0,6})?\s*\)`, 'g')
/** Words in a plain string that could be taken for somebody's closing lines. */
const SAYS = /pass|fail|\bok\b|tests?\b|\d|success|built|found|finished/i
/** A text that holds closing lines, as an error's own quotation of the script would. */
const CLOSES = /\b\d+ (?:passed|failed|tests?|errors?)\b|^\s*OK\s*$|All checks passed|Success: no issues|built in|Finished /im
const SPECIAL = /\/dev\/|\/proc\//
const PYTHON_SPEAKS =
  /\b(?:print|input|help|exec|eval|(?<!re\.)compile|breakpoint|getattr|globals|locals|vars|builtins?|subprocess|stdout|stderr|displayhook|excepthook|system|popen|fdopen|spawn\w*|execv\w*|execl\w*|posix_spawn|logging|warnings|traceback|runpy|importlib|ctypes|modules|path_hooks)\b|__\w+__|\bos\.(?:write|writev|dup2?|startfile|fork)|\bopen\(\s*[012]\b|sys\.path|\bFileIO\b|\bwrite\(\s*[012]\b|\bimport\s+(?:[\w., ]+,\s*)?(?:os|sys|io)\s+as\b|\bfrom\s+(?:os|sys|io)\s+import\s+(?!(?:path|environ|argv|getcwd|sep|StringIO|BytesIO)\s*(?:$|[\n;]))|\b(?:exit|quit|SystemExit)\s*\(\s*[^)\d\s]/
const NODE_SPEAKS =
  /\b(?:console|eval|Function|globalThis|global|constructor|child_process|stdout|stderr|emitWarning|binding|dlopen|getBuiltinModule|writeSync|writevSync|createWriteStream|log|report)\b|\b(?:write\w*|append\w*)\(\s*[012]\b|\bprocess\s*(?:\?\.)?\[/
