import { join } from 'node:path'
import { spawn } from 'node:child_process'
import { env, home } from './process.mjs'
import { bundled } from './tools.mjs'

/** FAULTS_EVERY=n takes each nth point alone; half an hour or more without. */
const EVERY = Number(process.env.FAULTS_EVERY ?? 1)

/** Verbs killed at every step of writing, git killed at every one of its own, two processes at once at every pair of verbs, local files spoilt in every way. */
export async function faults(folder) {
  const rows = []
  const killings = await lines([await bundled('killing', folder), home, '', String(EVERY)])
  rows.push(row(`killed -9 at ${sum(killings, ({ steps }) => Math.floor(steps / EVERY))} steps of ${killings.length} verbs`, killings))
  const struck = await lines([await bundled('striking', folder), home, String(EVERY)])
  rows.push(row(`git killed -9 at ${sum(struck, ({ points }) => points)} system calls of ${struck.length} of its runs`, struck))
  const pairs = await lines([await bundled('pairing', folder), home, '1'])
  rows.push(row(`two processes at once at ${pairs.length} pairs of verbs`, pairs))
  const spoilt = await lines([await bundled('spoiling', folder), home])
  rows.push(row(`${spoilt.length} ways to spoil a local file, before 13 verbs each`, spoilt))
  return { note: 'claims lost or changed, crashes, unfinished work; each is printed above', rows }
}

const sum = (all, of) => all.reduce((total, one) => total + of(one), 0)

function row(what, results) {
  const wrong = results.flatMap((one) => one.wrong.map((each) => ({ ...one, wrong: each })))
  for (const each of wrong) console.error(JSON.stringify(each))
  return { what, value: `${wrong.length} wrong`, target: 'none', met: wrong.length === 0 }
}

/** The JSON lines that a program prints. */
function lines(argv) {
  const child = spawn(process.execPath, argv, { cwd: join(home), env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  return new Promise((done, fail) =>
    child.on('close', (status) => (status === 0 ? done(output.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line))) : fail(new Error(`"${argv[0]}" ended with ${status}`)))),
  )
}
