import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { asked } from './keys/asked.mjs'
import { projects } from './keys/projects.mjs'
import { env as plain, git, program } from './process.mjs'

/** How long changes are tried; a busy machine needs longer. */
const LONGEST_MS = Number(process.env.KEYS_MS ?? 210_000)
/** Of a project's commands so many are run for one change, in turn. */
const COMMANDS = 3

/**
 * Do keys drift when an outcome changes, and only then? Each pair is a command and a change of its project, labelled by really
 * running the command before and after: the outcome is its exit status and its output without times, durations and places.
 * KEYS_NEEDLESS=1 lists the needless ones too.
 */
export async function keys(folder) {
  const parts = await asked(folder)
  const notes = []
  const open = []
  for (const project of projects) {
    if (project.needs && spawnSync(project.needs[0], project.needs.slice(1)).status !== 0) notes.push(`${project.name}: not on this machine`)
    else open.push(await begin(project, join(folder, project.name), parts, notes))
  }
  const began = Date.now()
  const pairs = []
  for (let i = 0; i < Math.max(...open.map(({ changes }) => changes.length)); i++)
    for (const project of open) {
      if (i >= project.changes.length) continue
      if (Date.now() - began > LONGEST_MS) project.left = (project.left ?? 0) + 1
      else pairs.push(...(await attempt(project, i, parts)))
    }
  for (const { name, left } of open) if (left) notes.push(`${name}: no time left for ${left} changes`)
  if (process.env.KEYS_NEEDLESS) for (const pair of pairs) if (!pair.changed && pair.drifted.traced) notes.push(`needless, traced: ${pair.project}: ${pair.command}: ${pair.change}: ${pair.because}`)
  for (const [set, name, most] of SETS) for (const pair of pairs) if (most && pair.changed && !pair.drifted[set]) notes.push(`missed, ${name}: ${pair.project}: ${pair.command}: ${pair.change}`)
  return { note: noteOf(pairs, notes), rows: rowsOf(pairs) }
}

const noteOf = (pairs, notes) =>
  `${pairs.length} pairs of a command and a change, of ${new Set(pairs.map(({ project }) => project)).size} projects; ${pairs.filter(({ changed }) => changed).length} change the outcome. ` +
  `Measured are the keys\nof an outcome at this tree (red, or the green receipt of a gate: its sources too). Shares of needless ones are of all pairs${notes.map((line) => `\n  ${line}`).join('')}`

function rowsOf(pairs) {
  const changed = pairs.filter((pair) => pair.changed)
  const rows = SETS.flatMap(([set, name, most]) => {
    const missed = changed.filter((pair) => !pair.drifted[set]).length
    const needless = pairs.filter((pair) => !pair.changed && pair.drifted[set])
    const [missing, needing] = [missed / changed.length, needless.length / pairs.length]
    const silent = needless.filter(({ kind }) => kind === 'silent').length
    const read = set === 'traced' ? needless.filter(({ because }) => because.includes('file:')).length : null
    return [
      { what: `${name}: missed`, value: `${missed} of ${changed.length} (${percent(missing)})`, ...(most && { target: `≤ ${percent(most.missed)}`, met: missing <= most.missed }) },
      { what: '  needless', value: `${needless.length} of ${pairs.length} (${percent(needing)}), ${silent} by a line that says nothing`, ...(most && { target: `≤ ${percent(most.needless)}`, met: needing <= most.needless }) },
      ...(read === null ? [] : [{ what: '  needless, of these in a file that the run read', value: `${read} of ${pairs.length} (${percent(read / pairs.length)}); the rest: ${needless.length - read} (${percent((needless.length - read) / pairs.length)})` }]),
    ]
  })
  return [{ what: 'pairs', value: String(pairs.length), target: '≥ 300', met: pairs.length >= 300 }, ...rows]
}

const SETS = [
  ['traced', 'traced', { missed: 0, needless: 0.05 }],
  ['inferred', 'inferred', { missed: 0.02, needless: 0.25 }],
  ['narrow', 'inferred, sources of the folder only'],
  ['every', 'every key of the seal'],
  ['tree', 'hash of the whole tree'],
]

const percent = (share) => `${(100 * share).toFixed(1)} %`

/** A project as a repository, its commands with their outcomes and keys, and the values of these. */
async function begin(project, folder, parts, notes) {
  const repository = join(folder, 'repository')
  const tools = join(folder, 'tools')
  for (const made of [repository, tools]) mkdirSync(made, { recursive: true })
  const top = realpathSync(repository)
  const path = [tools, ...pythonFolder(), plain.PATH].join(delimiter)
  const env = { ...plain, PATH: path, LC_ALL: 'C', PYTHONDONTWRITEBYTECODE: '', PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', CARGO_TERM_COLOR: 'never' }
  const hand = hands(top, tools, project)
  git(top, 'init', '-q')
  for (const [path, text] of Object.entries(project.files)) hand.write(path, text)
  for (const path of project.modes ?? []) chmodSync(join(top, path), 0o755)
  if (project.prepare) spawnSync(project.prepare[0], project.prepare.slice(1), { cwd: top, env })
  hand.keep()
  const commands = []
  for (const [place, command] of project.commands) {
    const [first, second] = [outcome(top, place, command, env, hand), outcome(top, place, command, env, hand)]
    if (first !== second) notes.push(`${project.name}: "${command}" is not the same twice, and left out`)
    else commands.push({ place, command, before: first, ...(await keysOf(top, place, command, env, parts, hand, notes)) })
  }
  const every = [...new Set(commands.flatMap(({ inferred }) => inferred))]
  const all = [...new Set(['tree:.', ...every, ...commands.flatMap(({ narrow, traced }) => [...narrow, ...traced])])]
  return { name: project.name, top, env, hand, commands, every, all, before: await parts.values(top, all, env), changes: shuffled(changesOf(project, hand)) }
}

/** One change, and what becomes of some commands by it. */
async function attempt({ name, top, env, hand, commands, every, all, before, changes }, i, parts) {
  const { change, kind, apply } = changes[i]
  apply()
  const after = await parts.values(top, all, env)
  const drifted = (keys) => keys.filter((key) => after.get(key) === null || after.get(key) !== before.get(key))
  const run = commands.filter((_, k) => (k + commands.length - (i % commands.length)) % commands.length < COMMANDS)
  const pairs = run.map(({ place, command, before: was, inferred, narrow, traced }) => ({
    ...{ project: name, command, change, kind, because: drifted(traced).join(' ') },
    changed: outcome(top, place, command, env, hand, true) !== was,
    drifted: Object.fromEntries(Object.entries({ traced, inferred, narrow, every, tree: ['tree:.'] }).map(([set, keys]) => [set, drifted(keys).length > 0])),
  }))
  hand.back()
  return pairs
}

/** In an order that is always the same and has nothing to do with how they were written down. */
const shuffled = (changes) => changes.map((one) => ({ one, rank: createHash('sha256').update(one.change).digest('hex') })).sort((a, b) => (a.rank < b.rank ? -1 : 1)).map(({ one }) => one)

/** A python without a shim before it, which takes longer than the tests. */
function pythonFolder() {
  const { stdout, status } = spawnSync('python3', ['-c', 'import os, sys; print(os.path.dirname(os.path.realpath(sys.executable)))'], { encoding: 'utf8', env: plain })
  return status === 0 ? [stdout.trim()] : []
}

/** Exit status and output, made comparable. `keep`: the change stays, only what the command made goes. */
function outcome(top, place, command, env, hand, keep = false) {
  const { status, stdout, stderr, error } = spawnSync('sh', ['-c', `${command} 2>&1`], { cwd: join(top, place), env, encoding: 'utf8', timeout: 60_000 })
  if (error) throw error
  hand.clean(keep)
  return JSON.stringify([status, normal(`${stdout}${stderr}`, top)])
}

const normal = (output, top) =>
  output
    .replaceAll(top, 'TOP')
    .replace(/\x1b\[[\d;]*m/g, '')
    .replace(/\b\d+(?:\.\d+)? ?(?:ms|s)\b|duration_ms:? [\d.]+/g, 'TIME')
    .replace(/-[0-9a-f]{16}\b/g, '-HASH')
    .replace(/^ *(?:Compiling|Checking|Finished|Running|Blocking|Updating|Locking) .*\n/gm, '')
    .replace(/\b(?:node:internal\S*|at .*)/g, '')
    .replace(/0x[0-9a-f]+|\bpid \d+/g, 'N')

/** What its words let one infer, and what it is seen to depend on: the program itself says both. */
async function keysOf(top, place, command, env, parts, hand, notes) {
  const inferred = await parts.inferred(place, command)
  const narrow = inferred.map((key) => (key === 'tree:.' || key.startsWith('reads:') ? `tree:${place}` : key))
  const { status, stderr } = spawnSync(process.execPath, [program, 'run', '--trace', '--', ...command.split(' ')], { cwd: join(top, place), env, encoding: 'utf8' })
  hand.clean()
  const journals = join(top, '.git', 'remnant', 'journals')
  const lines = readdirSync(journals).flatMap((name) => readFileSync(join(journals, name), 'utf8').trim().split('\n'))
  const line = JSON.parse(lines.at(-1))
  rmSync(journals, { recursive: true })
  if (line.traced !== true) notes.push(`not traced: ${command} (status ${status}): ${stderr.split('\n').find((one) => one.includes('not traced')) ?? ''}`)
  return { inferred, narrow, traced: line.traced === true ? Object.keys(line.keys).filter((key) => key.includes(':')) : inferred }
}

/** The project's own changes, and for each of its files the same ones. */
function changesOf({ changes, files }, hand) {
  const told = changes.map(([what, first, second, third]) => {
    if (typeof first === 'function') return { change: what, kind: 'told', apply: () => first(hand) }
    if (third === undefined) return { change: `${what} (${first})`, kind: 'told', apply: () => hand.write(first, second) }
    return { change: `${what} (${first})`, kind: 'told', apply: () => hand.write(first, files[first].replace(second, third)) }
  })
  const words = /\.md$|LICENSE$/
  const lost = Object.entries(files).map(([path, text]) => {
    const lines = text.split('\n')
    if (words.test(path)) return { change: `a line more in ${path}`, kind: 'a line', apply: () => hand.write(path, `${text}A line.\n`) }
    return { change: `a line lost in ${path}`, kind: 'a line', apply: () => hand.write(path, lines.toSpliced(Math.floor((lines.length - 1) / 2), 1).join('\n')) }
  })
  const silent = Object.entries(files).flatMap(([path, text], i) => {
    const line = /\.(?:js|c|h|rs)$/.test(path) ? '// a line\n' : /\.(?:py|sh|cfg|toml)$|Makefile$/.test(path) ? '# a line\n' : path.endsWith('.json') ? '\n' : null
    return line === null || i % 4 !== 0 ? [] : [{ change: `a line that says nothing in ${path}`, kind: 'silent', apply: () => hand.write(path, text + line) }]
  })
  return [...told, ...lost, ...silent]
}

/** What changes a project, and brings it back. */
function hands(top, tools, project) {
  const ignored = project.name === 'rust' ? [] : ['-x']
  let head = ''
  const run = (...argv) => git(top, ...argv)
  const hand = {
    git: run,
    at: { chmod: (path, mode) => chmodSync(join(top, path), mode) },
    write(path, text) {
      mkdirSync(dirname(join(top, path)), { recursive: true })
      writeFileSync(join(top, path), text)
    },
    tool: (name, text) => writeFileSync(join(tools, name), text, { mode: 0o755 }),
    keep() {
      run('add', '-A')
      run('commit', '-q', '-m', 'start')
      head = run('rev-parse', 'HEAD').trim()
    },
    /** Goes: what a command made and git ignores; a change of ours that git ignores is made again. */
    clean(keep = false) {
      const env = keep && existsSync(join(top, '.env')) ? readFileSync(join(top, '.env')) : null
      run('clean', '-fdq', ...(keep ? (ignored.length > 0 ? ['-X'] : ['-e', '*']) : ignored))
      if (env !== null) writeFileSync(join(top, '.env'), env)
    },
    back() {
      run('reset', '-q', '--hard', head)
      run('clean', '-fdq', ...ignored)
      for (const name of readdirSync(tools)) rmSync(join(tools, name))
    },
  }
  return hand
}
