import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import build from '../build/rolldown.config.mjs'
import { env as plain, home } from './process.mjs'
import { tools } from './signatures/tools.mjs'
import { wilson } from './table.mjs'

const AT_ONCE = 3
const env = { ...Object.fromEntries(Object.entries(plain).filter(([name]) => !/^(?:CI|FORCE_COLOR|RUST_BACKTRACE|PYTEST_ADDOPTS)$/.test(name))), CARGO_NET_OFFLINE: 'true', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

/**
 * Stability and separation of error signatures, on faults that the machine's own tools really show: each fault is run
 * twice, the second time under another path, later, with lines inserted above it and tests that pass beside it (same);
 * any two faults of one tool differ (different).
 */
export async function signatures(folder) {
  const entry = join(folder, 'signing.mjs')
  const bundle = await rolldown({ input: join(home, 'bench', 'signatures', 'signing.ts'), platform: 'node', logLevel: 'silent', resolve: build.resolve })
  await bundle.write({ file: entry, format: 'esm', codeSplitting: false })
  const { sign } = await import(pathToFileURL(entry).href)
  const [here, absent] = [tools.filter(isHere), tools.filter((tool) => !isHere(tool))]
  const faults = here.flatMap((tool) => tool.faults.map((fault, i) => ({ tool, fault, i })))
  const first = await inTurn(faults, ({ tool, fault, i }) => run(sign, tool, fault, join(folder, 'a', tool.id, `fault-${i}`, 'app'), 0))
  const second = await inTurn(faults, ({ tool, fault, i }) => run(sign, tool, fault, join(folder, 'second', 'place', 'of', 'the', 'work', `${tool.id}.${i}`), 1 + ((i * 7) % 23)))
  const counted = here.map((tool) => pairsOf(tool, faults.flatMap((one, i) => (one.tool === tool ? [{ fault: one.fault, runs: [first[i], second[i]] }] : []))))
  for (const { wrong } of counted) for (const line of wrong) console.log(line)
  const sum = (field) => counted.reduce((all, one) => all.map((n, i) => n + one[field][i]), [0, 0])
  return {
    note: `${faults.length} seeded faults, each run twice${absent.length > 0 ? `; not on this machine: ${absent.map(({ id }) => id).join(', ')}` : ''}`,
    rows: [
      ...counted.map(({ id, same, different, seeded }) => ({ what: id, value: `same ${ratio(same)}  different ${ratio(different)}  class ${ratio(seeded)}` })),
      share('same pairs that are equal', sum('same'), 0.98),
      share('different pairs that differ', sum('different'), 0.99),
      share('classes as seeded', sum('seeded')),
    ],
  }
}

const isHere = ({ needs }) => (needs.startsWith('node_modules/') ? existsSync(join(home, needs)) : spawnSync(needs, ['--version'], { env, stdio: 'ignore' }).error === undefined)

/** Several at a time, each result in its place. */
async function inTurn(items, work) {
  const results = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const at = next++
      results[at] = await work(items[at])
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

async function run(sign, tool, { argv, files, before }, root, shift) {
  for (const [path, text] of Object.entries({ ...tool.files, ...(shift > 0 ? tool.grown : {}), ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), `${lines(path, shift)}${text}`)
  }
  mkdirSync(root, { recursive: true })
  for (const name of tool.modules ?? []) {
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
    symlinkSync(join(home, 'node_modules', name), join(root, 'node_modules', name))
  }
  for (const line of [...(tool.before ?? []), ...(before ?? [])]) spawnSync('sh', ['-c', line], { cwd: root, env: { ...env, ...IDENTITY }, stdio: 'ignore' })
  const { code, output } = await outputOf(argv ?? tool.argv, root)
  return { code, output, ...(await sign(argv ?? tool.argv, code, output, root)) }
}

const IDENTITY = Object.fromEntries(['AUTHOR', 'COMMITTER'].flatMap((who) => [[`GIT_${who}_NAME`, 'Bench'], [`GIT_${who}_EMAIL`, 'bench@example.org']]))
const COMMENTS = { '.py': '# moved', '.sh': '# moved', '.txt': '# moved', '': '# moved', '.toml': '# moved', '.json': '', '.patch': '', '.xml': '' }

/** Lines that mean nothing, put above all that a file holds. */
const lines = (path, count) => ((COMMENTS[extname(path)] ?? '// moved') === '' ? '' : `${COMMENTS[extname(path)] ?? '// moved'}\n`.repeat(count))

/** Both streams as one, as agents' logs have them. */
function outputOf(argv, cwd) {
  const child = spawn('sh', ['-c', 'exec "$@" 2>&1', 'sh', ...argv], { cwd, env: { ...env, ...IDENTITY }, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((done) => child.on('close', (code) => done({ code: code ?? 1, output })))
}

function pairsOf({ id }, faults) {
  const wrong = []
  const [same, different, seeded] = [[0, 0], [0, 0], [0, 0]]
  const count = (pair, right, title, one, other) => {
    pair[1] += 1
    if (right) pair[0] += 1
    else wrong.push(`\n${id}: ${title}\n  ${shown(one)}\n  ${shown(other)}`)
  }
  for (const [i, { fault, runs }] of faults.entries()) {
    const [one, other] = runs
    count(same, one.signature !== undefined && one.signature === other.signature, `"${fault.name}" twice is not one signature`, one, other)
    count(seeded, one.class === fault.is, `"${fault.name}" is of class ${one.class}, seeded as ${fault.is}`, one, other)
    for (const { fault: another, runs: [third] } of faults.slice(i + 1)) {
      count(different, one.signature !== undefined && third.signature !== undefined && one.signature !== third.signature, `"${fault.name}" and "${another.name}" are not two signatures`, one, third)
    }
  }
  return { id, same, different, seeded, wrong }
}

const shown = ({ signature, code, output, by }) => (signature === undefined ? `none (status ${code}): ${JSON.stringify(output.slice(-400))}` : `${by}: ${JSON.stringify(signature)}`)
const ratio = ([right, all]) => `${right}/${all}`

function share(what, [right, all], target) {
  const value = `${((100 * right) / all).toFixed(1)} % of ${all} (≥ ${(100 * wilson(right, all)[0]).toFixed(1)} %)`
  return target === undefined ? { what, value } : { what, value, target: `≥ ${100 * target} %`, met: right / all >= target && all >= 150 }
}
