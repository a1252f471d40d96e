import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import build from '../build/rolldown.config.mjs'
import { home } from './process.mjs'
import { median, share } from './table.mjs'
import { corpus } from './truth/corpus.mjs'
import { claudeCode, codex } from './truth/formats.mjs'
import { absent, projects } from './truth/projects.mjs'
import { openRecorder } from './truth/recorder.mjs'
import { ofProject, plain } from './truth/scenarios.mjs'

const AT_ONCE = 3
/** How often the sessions without a project take place, each time with other names. */
const PLAIN = 8
const KINDS = ['verified_invariants', 'declared', 'falsified_boundaries', 'non_idempotent_commits', 'debug_residuals', 'unresolved_handoffs']
const WRITERS = [
  ['claude-code', 'claude-code', (session) => claudeCode(session)],
  ['codex', 'codex-exec', (session) => codex(session, true)],
  ['codex', 'codex-shell', (session) => codex(session, false)],
]

/**
 * What a log really proves: sessions that really took place in small projects, written down as the hosts do, each labelled by
 * construction with what may be concluded and what not. Precision and recall by kind of claim; what of the sessions' own
 * ephemeral values is in any stored byte; and how much smaller the claims are than the log. TRUTH_ONLY=text: only sessions whose name holds it.
 */
export async function truth(folder) {
  const judge = await judged(folder)
  const sessions = [
    ...projects().flatMap((project) => ofProject.map((scenario) => ({ project, scenario, i: 0 }))),
    ...plain.flatMap((scenario) => Array.from({ length: PLAIN }, (_, i) => ({ project: null, scenario, i }))),
  ].filter(({ project, scenario }) => `${project === null ? 'plain' : `${project.id} ${project.variant}`}: ${scenario.name}`.includes(process.env.TRUTH_ONLY ?? ''))
  const counts = new Map(KINDS.map((kind) => [kind, { right: 0, wrong: 0, found: 0, due: 0 }]))
  const [wrong, leaks, tokens] = [[], [], []]
  let logs = 0
  await inTurn(sessions, async ({ project, scenario, i }, n) => {
    const place = join(folder, `s${n}`)
    const session = openRecorder(place, project, (words) => judge.refusalOf(words, session.session, session.root))
    const label = await scenario.run(session, project, i)
    for (const [host, name, write] of WRITERS) {
      // Before chunks a command that goes on was not told apart from one that had ended.
      if (name === 'codex-shell' && session.records.some(({ behind }) => behind)) continue
      const path = join(place, `${name}.jsonl`)
      writeFileSync(path, write(session))
      const { claims, stored, purged, tokens: size } = await judge.distil(path)
      logs += 1
      if (size.claims > 0) tokens.push(size)
      const where = `${name}: ${project ? `${project.id} ${project.variant}: ` : ''}${scenario.name}`
      for (const plant of session.plants) if (stored.includes(plant) || JSON.stringify(purged).includes(plant)) leaks.push(`${where}: ${plant}`)
      tally(claims, labelOf(label, host), counts, (line) => wrong.push(`${where}: ${line}`), purged)
    }
  })
  for (const line of [...wrong, ...leaks.map((leak) => `leaked: ${leak}`)].sort()) console.log(line)
  const real = await corpus(judge.distil)
  return {
    note: `${logs} logs of ${sessions.length} sessions that took place${absent().length > 0 ? `; not on this machine: ${absent().join(', ')}` : ''}\n${real.note}`,
    rows: [
      ...KINDS.flatMap((kind) => rowsOf(kind, counts.get(kind))),
      { what: 'ephemeral values that are stored', value: String(leaks.length), target: '0', met: leaks.length === 0 },
      { what: "claims' tokens by the log's (median of all logs that led to claims)", value: `${(100 * median(tokens.map(({ log, claims }) => claims / log))).toFixed(1)} %` },
      { what: "claims' tokens by the logs' (all together)", value: `${((100 * sum(tokens, 'claims')) / sum(tokens, 'log')).toFixed(1)} % of ${sum(tokens, 'log')}` },
      ...real.rows,
    ],
  }
}

/** The pipeline under test, bundled from its sources. */
async function judged(folder) {
  mkdirSync(folder, { recursive: true })
  const entry = join(folder, 'judge.mjs')
  const bundle = await rolldown({ input: join(home, 'bench', 'truth', 'judge.ts'), platform: 'node', logLevel: 'silent', resolve: build.resolve })
  await bundle.write({ file: entry, format: 'esm', codeSplitting: false })
  await bundle.close()
  return import(pathToFileURL(entry).href)
}

const labelOf = ({ must, may = [], also = () => true }, host) => ({ must: must.map((one) => (typeof one === 'string' ? one : one[host])), may, also })

/** A claim is right if the label has it and what must hold of it holds; each due claim counts once. */
function tally(claims, { must, may, also }, counts, report, purged) {
  const right = claims.filter((told) => (must.includes(told.line) || may.includes(told.line)) && also(told))
  for (const told of claims) {
    counts.get(kindOf(told.line)).right += right.includes(told) ? 1 : 0
    counts.get(kindOf(told.line)).wrong += right.includes(told) ? 0 : 1
    if (!right.includes(told)) report(`wrong: ${told.line}`)
  }
  for (const line of must) {
    const count = counts.get(kindOf(line))
    const found = right.some((told) => told.line === line)
    count.due += 1
    count.found += found ? 1 : 0
    if (!found) report(`missed: ${line} (purged: ${purged.map(({ rule, list }) => `${list} ${rule}`).join(', ') || 'nothing'})`)
  }
}

const kindOf = (line) =>
  ({ gate: 'verified_invariants', passes: 'verified_invariants', declared: 'declared', dead: 'falsified_boundaries', done: 'non_idempotent_commits', unknown: 'non_idempotent_commits', residual: 'debug_residuals', open: 'unresolved_handoffs' })[line.split(' ', 1)[0]]

const TITLES = { verified_invariants: 'verified invariants', declared: 'declared invariants', falsified_boundaries: 'falsified boundaries', non_idempotent_commits: 'non-idempotent commits', debug_residuals: 'debug residuals', unresolved_handoffs: 'unresolved handoffs' }

const rowsOf = (kind, { right, wrong, found, due }) => [share(`${TITLES[kind]}: precision`, right, right + wrong, 0.98), share('  recall', found, due, 0.85)]

const sum = (list, field) => list.reduce((all, one) => all + one[field], 0)

/** Several at a time. */
async function inTurn(items, work) {
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      await work(items[at], at)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
