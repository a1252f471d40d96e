import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Ground, ground, remnantsIn } from './ground.ts'

/** A verb that may run beside another in one clone. */
export interface Verb {
  readonly name: string
  readonly args: (words: readonly string[]) => readonly string[]
  /** Statuses that are an answer, besides 0. */
  readonly answers?: readonly number[]
}

/** Every verb that writes, on a clone that has of everything something. */
export const VERBS: readonly Verb[] = [
  { name: 'run', args: () => ['run', '--', 'node', 'check.mjs'] },
  { name: 'run --session', args: () => ['run', '--session', 'mine', '--', 'node', '-e', '7'] },
  { name: 'intent', args: () => ['intent', '--session', 'mine', '--', 'gh', 'release', 'create', 'v1.0.0'] },
  { name: 'teardown', args: () => ['teardown'], answers: [66] },
  { name: 'reprobe', args: () => ['reprobe'], answers: [1] },
  { name: 'push', args: () => ['push'] },
  { name: 'fetch', args: () => ['fetch'] },
  { name: 'forget', args: ([, second = '']) => ['forget', second.slice(0, 16)], answers: [1] },
  { name: 'init', args: () => ['init', '--agent', 'claude', '--share', 'origin'] },
  { name: 'deinit', args: () => ['deinit'] },
  { name: 'checkout', args: () => ['checkout'], answers: [74] },
  { name: 'allow', args: ([one = '']) => ['allow', '--yes', one.slice(0, 16)], answers: [1] },
  { name: 'deny', args: ([one = '']) => ['deny', '--yes', one.slice(0, 16)], answers: [1] },
  { name: 'brief', args: () => ['brief'] },
  { name: 'doctor', args: () => ['doctor'], answers: [1] },
  { name: 'verify --repair', args: () => ['verify', '--repair'], answers: [74] },
]

/** A refusal that says what is in the way, and to try again: no harm. */
const REFUSED = [69, 74, 77]

/** All pairs, a verb with itself too. */
export const PAIRS: readonly (readonly [Verb, Verb])[] = VERBS.flatMap((one, i) => VERBS.slice(i).map((other) => [one, other] as const))

/** A clone in which each of the verbs has something to do. */
export function pairGround(home: string): { readonly at: Ground; readonly words: readonly string[] } {
  const at = ground(home)
  const seal = (): string => (JSON.parse(at.remnant(['teardown', '--json']).stdout) as { digest: string }).digest
  at.remnant(['init', '--share', 'origin'])
  const words = ['1', '2'].map((code) => (at.remnant(['run', '--', 'node', '-e', code]), seal()))
  at.remnant(['push'])
  at.remnant(['run', '--', 'node', 'check.mjs'])
  words.push(seal())
  at.write('check.mjs', 'process.exit(0) // changed\n')
  at.remnant(['run', '--', 'node', '-e', '3'])
  rmSync(join(at.dir, '.remnants', (words[0] as string).slice(0, 2)), { recursive: true })
  at.keep()
  return { at, words }
}

/** Runs two verbs at once. What is wrong afterwards, in words; none: both did their work or said why not, and nothing that was there is lost or changed. */
export async function together([one, other]: readonly [Verb, Verb], { at, words }: ReturnType<typeof pairGround>): Promise<string[]> {
  at.back()
  const before = remnantsIn(at)
  const ends = await Promise.all([one, other].map((verb) => started(at, verb.args(words))))
  const wrong: string[] = []
  for (const [i, verb] of [one, other].entries()) {
    const { status, output } = ends[i] as Awaited<ReturnType<typeof started>>
    if (status !== 0 && !(verb.answers ?? []).includes(status ?? -1) && !(REFUSED.includes(status ?? -1) && /git-remnant: /.test(output))) wrong.push(`"${verb.name}" ended with ${status}: ${output}`)
  }
  const forgotten = [one, other].some(({ name }) => name === 'forget') ? words[1] : undefined
  const now = remnantsIn(at)
  for (const [ref, text] of before) if (now.get(ref) !== text && ref !== `refs/remnants/${forgotten}`) wrong.push(`${ref} is ${now.get(ref) ?? 'lost'}`)
  for (const [ref, text] of now) if (text === 'damaged') wrong.push(`${ref} is damaged`)
  const { status, stdout, stderr } = at.remnant(['verify'])
  if (status !== 0) wrong.push(`verify ended with ${status}: ${stdout}${stderr}`)
  return wrong
}

function started(at: Ground, args: readonly string[]): Promise<{ readonly status: number | null; readonly output: string }> {
  const [program = '', ...rest] = at.argvOf(args)
  const child = spawn(program, rest, { cwd: at.dir, env: at.env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  let output = ''
  child.stdout.on('data', (chunk) => (output += String(chunk)))
  child.stderr.on('data', (chunk) => (output += String(chunk)))
  return new Promise((done) => child.on('close', (status) => done({ status, output })))
}
