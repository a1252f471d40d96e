// Has the built program loaded, and runs one command line after another as a process of its own would: with the environment, folder,
// clock and disk of that moment. argv: the folder of the build, a pipe of questions, a pipe of answers.
const { createReadStream, openSync, writeSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { createInterface } = require('node:readline')
const { Readable, Writable } = require('node:stream')

const [, , dist, questions, answers] = process.argv
const { cli } = require(join(dist, 'cli.cjs')).cli_exports
const LIMIT_MS = 50_000

/** What a program prints that a verb runs comes through these; nothing else of this process is read. */
let told
for (const name of ['stdout', 'stderr']) {
  const text = (chunk, _, done) => ((told[name] += chunk), done())
  Object.defineProperty(process, name, { value: new Writable({ write: text }) })
}

async function main() {
  const out = openSync(answers, 'w')
  for await (const line of createInterface({ input: createReadStream(questions) })) {
    const text = Buffer.from(JSON.stringify(await answer(JSON.parse(line))) + '\n')
    for (let at = 0; at < text.length; ) at += writeSync(out, text, at)
  }
  process.exit(0)
}

async function answer({ argv, cwd, env }) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  told = { status: null, stdout: '', stderr: '' }
  const outside = {
    env: process.env,
    installation: dirname(dist),
    interactive: () => false,
    cwd: () => process.cwd(),
    now: () => new Date(),
    stdin: () => Readable.from([]),
    print: async (text) => void (told.stdout += text),
    warn: (text) => void (told.stderr += `${text}\n`),
  }
  let failed
  const failing = new Promise((_, reject) => void (failed = reject))
  const timer = setTimeout(() => failed(new Error('ended not before its time')), LIMIT_MS)
  process.on('uncaughtException', failed)
  try {
    told.status = await Promise.race([cli(argv, outside), failing])
  } catch (error) {
    Object.assign(told, { status: 70, stderr: `${told.stderr}${error.stack}\n` })
  }
  clearTimeout(timer)
  process.off('uncaughtException', failed)
  process.chdir('/')
  return told
}

void main()
