import { createWriteStream, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { git, home, program, watched } from './process.mjs'

const SIZE = 200 * 1024 * 1024

/** A long log, distilled: throughput and peak memory. */
export async function distilling(folder) {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  git(repository, 'init', '-q')
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'start')
  const rows = []
  for (const [host, sources] of Object.entries(sourcesByHost())) {
    const log = join(folder, `${host}.jsonl`)
    await writeLong(log, sources, SIZE)
    const size = statSync(log).size / 1048576
    const { status, elapsed, peak } = await watched([process.execPath, program, 'teardown', '--transcript', log, '--here', '--json'], repository)
    if (status !== 0 && status !== 66) throw new Error(`teardown of the ${host} log ended with ${status}`)
    rows.push({ what: `${host}, ${size.toFixed(0)} MiB from ${sources.length} logs`, value: `${(size / (elapsed / 1000)).toFixed(1)} MiB/s` })
    rows.push({ what: '  peak memory', value: `${peak.toFixed(0)} MiB`, target: '≤ 300 MiB', met: peak <= 300 })
  }
  return { note: 'one teardown of a log that goes on and on; ids and times renumbered', rows }
}

/** Real logs where a corpus lies beside the repository (or LOG_CORPUS names one), else those that the tests ship. */
function sourcesByHost() {
  const corpus = process.env.LOG_CORPUS ?? join(home, '..', 'shared', 'corpus')
  const found = { 'claude-code': [], codex: [] }
  for (const host of Object.keys(found)) {
    for (const root of [join(corpus, host), join(home, 'test', 'logs', host)]) {
      if (found[host].length > 0 || !existsSync(root)) continue
      found[host] = readdirSync(root, { recursive: true }).map((name) => join(root, String(name))).filter((path) => path.endsWith('.jsonl') && wholeLines(readFileSync(path, 'utf8')).length > 3)
    }
    if (host === 'claude-code' && found[host].length === 0) found[host] = [join(home, 'test', 'sample', 'session.jsonl')]
    if (found[host].length === 0) delete found[host]
  }
  return found
}

/** Repeats the logs as one session that goes on: each round with ids and times of its own. */
async function writeLong(path, sources, size) {
  const out = createWriteStream(path)
  const session = '00000000-0000-4000-8000-00000000beef'
  const texts = sources.map((source) => wholeLines(readFileSync(source, 'utf8')))
  let begun = false
  for (let round = 0, written = 0; written < size; round++)
    for (const lines of texts) {
      // a session has one beginning
      const text = lines.filter((line) => !begun || !line.includes('"type":"session_meta"')).join('\n')
      begun = true
      const renumbered = renumber(text, round, session)
      written += Buffer.byteLength(renumbered) + 1
      if (!out.write(`${renumbered}\n`)) await new Promise((done) => out.once('drain', done))
      if (written >= size) break
    }
  await new Promise((done) => out.end(done))
}

/** A log cut short, or of a time before lines had a shape of their own, can't be the middle of another. */
const wholeLines = (text) =>
  text.split('\n').filter((line) => {
    try {
      return 'timestamp' in JSON.parse(line)
    } catch {
      return false
    }
  })

const renumber = (text, round, session) =>
  text
    .replace(/"(sessionId|session_id)":"[^"]*"/g, `"$1":"${session}"`)
    .replace(/("type":"session_meta","payload":\{"id":)"[^"]*"/g, `$1"${session}"`)
    .replace(/"(toolu_|call_)([A-Za-z0-9_]+)"/g, `"$1$2x${round}"`)
    .replace(/"(tool_use_id|call_id|uuid|parentUuid)":"(?!toolu_|call_)([^"]+)"/g, `"$1":"$2-${round}"`)
    .replace(/"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[^"]*"/g, (_, at) => `"timestamp":"${new Date(Date.parse(`${at}Z`) + round * 3600000).toISOString()}"`)
