import { table } from '../../base/table.ts'
/** One system call of a trace: its arguments as strace prints them, and how it ended. */
export interface Call {
  readonly pid: number
  readonly name: string
  readonly args: readonly string[]
  /** What it returned; empty while it is under way. */
  readonly result: string
}

/** The name of the call as which the end of a process is given. */
export const ENDED = '+++'

/**
 * Reads the lines of `strace -f -y -o FILE` as calls. A call that another process interrupts in the log comes twice: when it
 * began (result empty), and whole when it ended. The end of a process comes as a call of its own; signals are left out.
 */
export function openCalls(): (line: string) => readonly Call[] {
  const open = new Map<number, string>()
  return (line) => {
    const [, number, text] = /^(\d+) +(\S.*)$/s.exec(line) ?? []
    if (number === undefined || text === undefined) return []
    const pid = Number(number)
    const heir = /^\+\+\+ superseded by execve in pid (\d+)/.exec(text)?.[1]
    if (heir !== undefined) {
      // Of many threads one became the new program: its call comes back under the number of the first.
      open.set(pid, open.get(Number(heir)) ?? '')
      return []
    }
    if (text.startsWith(ENDED)) return [{ pid, name: ENDED, args: [], result: '' }]
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text)
    if (resumed !== null) {
      const begun = open.get(pid)
      open.delete(pid)
      return begun === undefined ? [] : callIn(pid, begun + text.slice(resumed[0].length))
    }
    if (!text.endsWith(UNFINISHED)) return callIn(pid, text)
    const begun = text.slice(0, -UNFINISHED.length)
    open.set(pid, begun)
    return callIn(pid, begun)
  }
}

const UNFINISHED = ' <unfinished ...>'

function callIn(pid: number, text: string): readonly Call[] {
  const name = /^\w+(?=\()/.exec(text)?.[0]
  if (name === undefined) return []
  const { args, end } = argumentsOf(text, name.length + 1)
  return [{ pid, name, args, result: /^\)\s*= (.*)$/s.exec(text.slice(end))?.[1] ?? '' }]
}

/** The arguments from a place on, up to the bracket that closes them. Brackets in texts and in `3</a/path>` are none. */
function argumentsOf(text: string, from: number): { readonly args: readonly string[]; readonly end: number } {
  const args: string[] = []
  let depth = 0
  let start = from
  let at = from
  const take = (): void => {
    const arg = text.slice(start, at).trim()
    if (arg !== '') args.push(arg)
    start = at + 1
  }
  for (; at < text.length; at++) {
    const letter = text[at]
    if (letter === '"') at = closing(text, at + 1, '"')
    else if (letter === '<' && /[\dD]/.test(text[at - 1] ?? '')) at = closing(text, at + 1, '>')
    else if (letter === '(' || letter === '[' || letter === '{') depth += 1
    else if (depth > 0 && (letter === ')' || letter === ']' || letter === '}')) depth -= 1
    else if (depth === 0 && letter === ')') break
    else if (depth === 0 && letter === ',') take()
  }
  take()
  return { args, end: at }
}

function closing(text: string, from: number, mark: string): number {
  let at = from
  while (at < text.length && text[at] !== mark) at += text[at] === '\\' ? 2 : 1
  return at
}

/** The text of an argument `"…"`, its bytes read as UTF-8; null: it is none (`NULL`), or strace cut it off. */
export const textIn = (arg: string | undefined): string | null => {
  const quoted = /^"(.*)"$/s.exec(arg ?? '')?.[1]
  return quoted === undefined ? null : unescaped(quoted)
}

/** The path behind a descriptor (`3</a/path>`, `AT_FDCWD</a>`); null: it has none. */
export const pathOf = (arg: string | undefined): string | null => {
  const path = /^(?:-?\d+|AT_FDCWD)<(\/.*)>(?:\(deleted\))?$/s.exec(arg ?? '')?.[1]
  return path === undefined ? null : unescaped(path)
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  const bytes: number[] = []
  for (const [piece, octal, letter] of text.matchAll(/\\([0-7]{1,3})|\\(.)|[^\\]+/gsu)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8) & 255)
    else bytes.push(...Buffer.from(letter === undefined ? piece : (LETTERS[letter] ?? letter)))
  }
  return Buffer.from(bytes).toString('utf8')
}

const LETTERS: Readonly<Record<string, string>> = table({ n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' })
