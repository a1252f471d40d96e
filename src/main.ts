import { readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Help } from './cli/help.ts'
import { beforeRest, verbIndex } from './cli/words.ts'

/** The start: help and version from a file, everything else from the code that it needs. Loads no library. */
const argv = process.argv.slice(2)
const told = answer(argv)
if (told === null) void start()
else print(1, told)

/** What can be said without running a verb; null: a verb is asked for, or help on what is none. */
function answer(argv: readonly string[]): string | null {
  const words = beforeRest(argv)
  const at = verbIndex(words)
  const verb = words[at]
  const asksHelp = argv.length === 0 || verb === 'help' || words.includes('-h') || words.includes('--help')
  if (!asksHelp && (verb !== undefined || !words.includes('--version'))) return null
  const help = JSON.parse(readFileSync(join(import.meta.dirname, 'help.json'), 'utf8')) as Help
  const topic = verb === 'help' ? words.slice(at + 1).find((word) => !word.startsWith('-')) : verb
  const text = !asksHelp ? `git-remnant ${help.version}\n` : topic === undefined || topic === 'help' ? help.overview : (help.verbs[topic] ?? null)
  if (text === null || !words.includes('--json')) return text
  return `${JSON.stringify({ schemaVersion: 1, version: help.version, text })}\n`
}

async function start(): Promise<void> {
  process.on('uncaughtException', (error) => bug(error.stack ?? String(error)))
  // Nothing is left to wait for, and still there is no answer: a promise that nobody will keep.
  process.on('beforeExit', () => bug('ended before its work was done'))
  const { cli } = await import('./cli.ts')
  const status = await cli(argv, {
    env: process.env,
    installation: dirname(import.meta.dirname),
    interactive: () => process.stderr.isTTY === true,
    cwd: () => process.cwd(),
    now: () => new Date(),
    stdin: () => process.stdin,
    print: printAll,
    warn: (line) => print(2, `${line}\n`),
  })
  process.exit(status)
}

function bug(what: string): never {
  print(2, `git-remnant: ${what}\nhint: this is a bug of git-remnant: please report it with the lines above\n`)
  process.exit(70)
}

/** To stdout by the system call alone: a stream takes longer to open than most verbs to run. */
async function printAll(text: string): Promise<void> {
  for (let bytes = Buffer.from(text); bytes.length > 0; ) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes))
    } catch (error) {
      // Somebody else made this pipe one that does not wait.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      await new Promise((done) => setTimeout(done, 5))
    }
  }
}

/** Whoever read may have gone: that is no fault of ours. */
function print(stream: 1 | 2, text: string): void {
  try {
    writeSync(stream, text)
  } catch (error) {
    if (stream === 1 && (error as NodeJS.ErrnoException).code !== 'EPIPE') process.exitCode = 74
  }
}
