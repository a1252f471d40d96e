import { existsSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { home } from './process.mjs'
import { median } from './table.mjs'
import { bundled } from './tools.mjs'

/** In tokens, as `git remnant brief` has it without --budget. */
const BUDGET = 300

/**
 * What the guard would have said in real sessions, each call fed only by what came before it in its log, and what really happened then;
 * and how long the brief is that each log leads to. Logs: at LOG_CORPUS, or ../shared/corpus. REPLAY_ONLY=text: those whose path holds it.
 */
export async function replay(folder) {
  const corpus = resolve(home, process.env.LOG_CORPUS || '../shared/corpus')
  if (!existsSync(corpus)) return { note: `no logs at ${relative(home, corpus)}; LOG_CORPUS names another folder`, rows: [] }
  const { replay: walk } = await import(pathToFileURL(await bundled('replaying', folder)).href)
  const paths = readdirSync(corpus, { recursive: true, encoding: 'utf8' }).filter((path) => /\.(?:jsonl?|traj|log|md)$/.test(path) && path.includes(process.env.REPLAY_ONLY ?? '')).sort()
  const [spoken, briefs, slow] = [[], [], []]
  const sum = { logs: 0, strange: 0, calls: 0, stale: 0 }
  for (const path of paths) {
    const start = performance.now()
    try {
      const found = await walk(join(corpus, path), BUDGET)
      sum.logs++
      sum.calls += found.calls
      sum.stale += found.stale
      briefs.push(found.brief)
      spoken.push(...found.spoken.map((one) => ({ path, ...one })))
    } catch (error) {
      if (error?.fault === undefined) throw error
      sum.strange++
    }
    slow.push(performance.now() - start)
  }
  const stops = spoken.filter(({ decision }) => decision !== 'note')
  // A deed that is done a second time passes too: that it was one is seen in the list.
  const denied = stops.filter(({ decision }) => decision === 'deny')
  const notes = spoken.filter(({ decision }) => decision === 'note')
  const passed = (some) => some.filter((one) => one.passed === true)
  for (const [title, some] of [['stops', stops], ['notes on calls that then passed', passed(notes)]]) {
    if (some.length > 0) console.log(`\n${title}`)
    for (const one of some) console.log(`  ${one.decision} ${one.path} ${one.record}: ${one.command.replace(/\s+/g, ' ').slice(0, 120)} → it ${ENDED[String(one.passed)]}`)
  }
  const per = (some) => `${some.length} (${((1000 * some.length) / sum.calls || 0).toFixed(1)} per 1,000 calls)`
  const said = briefs.filter((tokens) => tokens !== null).sort((a, b) => a - b)
  return {
    note: `${sum.logs} logs at ${relative(home, corpus)}, ${sum.calls} calls; ${sum.strange} files are no log that is known${sum.stale > 0 ? `; ${sum.stale} calls were asked about with an older index` : ''}; the slowest log took ${Math.round(Math.max(0, ...slow))} ms`,
    rows: [
      { what: 'stops', value: per(stops) },
      { what: 'dead ends that were stopped, and then passed', value: String(passed(denied).length), target: '0', met: passed(denied).length === 0 },
      { what: 'deeds that were asked about, and then done once more', value: String(passed(stops).length - passed(denied).length) },
      { what: 'notes', value: per(notes) },
      { what: 'notes on calls that then passed', value: String(passed(notes).length) },
      { what: 'notes and stops on calls that then failed', value: String(spoken.filter((one) => one.passed === false).length) },
      { what: 'logs that lead to a brief', value: `${said.length} of ${sum.logs}` },
      ...(said.length === 0 ? [] : [{ what: 'tokens of the brief, of those (an estimate)', value: `median ${median(said)}, p95 ${said[Math.min(said.length - 1, Math.floor(said.length * 0.95))]}, most ${said.at(-1)}`, target: '≤ 300 median', met: median(said) <= 300 }]),
    ],
  }
}

const ENDED = { true: 'then passed', false: 'then failed', null: 'ended in a way that the log does not show' }
