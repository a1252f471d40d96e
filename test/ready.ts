import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ran } from './clone.ts'

/**
 * Verbs that a process which is there already may answer: Node's own start takes longer than most of them, and some tests ask dozens of
 * times. What reads standard input has a process of its own.
 */
const VERBS: ReadonlySet<string | undefined> = new Set(
  'allow brief checkout claim deinit deny doctor fetch forget gate init intent list log prove push reprobe resolve run show sign teardown verify why'.split(' '),
)

/** Whether such a process answers this: help and the version do not even reach a verb. */
export const isReady = (argv: readonly string[]): boolean => VERBS.has(argv[0]) && !argv.some((word) => /^(?:-h|--help|--version|-C.*)$/.test(word))

/** Runs `git remnant …` of the build in this package, and waits for it as spawnSync does. */
export function answered(argv: readonly string[], { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> }): Ran {
  const { questions, answers, gitFolder } = (open ??= start())
  writeSync(questions, `${JSON.stringify({ argv, cwd, env: { ...env, PATH: `${gitFolder}${delimiter}${env['PATH']}` } })}\n`)
  const parts: Buffer[] = []
  for (const part = Buffer.alloc(1 << 16); ; ) {
    const length = readSync(answers, part)
    if (length === 0) throw new Error('the process that answers has ended')
    parts.push(Buffer.from(part.subarray(0, length)))
    if (part[length - 1] === 10) return JSON.parse(Buffer.concat(parts).toString()) as Ran
  }
}

interface Ready {
  readonly questions: number
  readonly answers: number
  /** Git puts its own programs first on PATH for what it starts. */
  readonly gitFolder: string
}

/** One for each of vitest's workers; it ends with its worker, when nobody holds its pipe any more. */
let open: Ready | undefined

function start(): Ready {
  const folder = mkdtempSync(join(tmpdir(), 'remnant-ready-'))
  const pipes = ['questions', 'answers'].map((name) => join(folder, name)) as [string, string]
  try {
    for (const pipe of pipes) if (spawnSync('mkfifo', [pipe]).status !== 0) throw new Error('mkfifo failed')
    const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
    spawn(process.execPath, [at('ready.cjs'), at('../dist'), ...pipes], { cwd: '/', stdio: ['ignore', 'inherit', 'inherit'] }).unref()
    const answers = openSync(pipes[1], 'r')
    return { answers, questions: openSync(pipes[0], 'w'), gitFolder: spawnSync('git', ['--exec-path'], { encoding: 'utf8' }).stdout.trim() }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
