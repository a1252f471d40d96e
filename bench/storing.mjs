import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, interleaved, program, timeOf, watched } from './process.mjs'
import { median, ms } from './table.mjs'
import { bundled, output, project, valuesOf } from './tools.mjs'

const COUNTS = [1000, 10_000].filter((count) => count <= Number(process.env.REMNANTS ?? Infinity))
const WRITES = 200
const RUNS = 5
const node = process.execPath

/** Storing, sharing, and living beside many remnants, each beside native git doing the same objects and refs. */
export async function storing(folder) {
  const tools = { filling: await bundled('filling', folder), reading: await bundled('reading', folder), writing: await bundled('writing', folder) }
  const template = join(folder, 'template')
  project(template)
  const values = join(folder, 'values.json')
  writeFileSync(values, JSON.stringify(valuesOf(template)))
  const fill = (repository, range, ...what) => output([node, tools.filling, range, values, ...what], repository)
  const saved = (name, text) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const clone = (name, ...options) => {
    const repository = join(folder, name)
    git(folder, 'clone', '-q', ...options, template, repository)
    return repository
  }
  const rows = living('no remnant', clone('none'), folder, template)
  for (const count of COUNTS) {
    const name = count.toLocaleString('en')
    // Write: so many more onto what is there.
    const stream = saved('stream', fill(template, `${count}-${count + WRITES}`, 'stream'))
    const more = saved('more.jsonl', fill(template, `${count}-${count + WRITES}`, 'json'))
    const native = clone(`native-${count}`)
    const ours = clone(`ours-${count}`)
    for (const repository of [native, ours]) fill(repository, String(count), 'refs', ...(repository === ours ? ['copies', 'own'] : []))
    const imported = timeOf(['sh', '-c', 'git fast-import --quiet <"$1"', 'sh', stream], native)
    const wrote = JSON.parse(output([node, tools.writing, more], ours))
    rows.push({ what: `writing ${WRITES} onto ${name}, each by itself and durable`, value: `${ms(wrote.ms / WRITES)} each, peak ${wrote.peak.toFixed(0)} MiB`, floor: `${ms(imported / WRITES)} fast-import`, ratio: wrote.ms / imported })

    const all = { stream: saved('all', fill(template, String(count), 'stream')), json: saved('all.jsonl', fill(template, String(count), 'json')) }
    const bulk = clone(`bulk-${count}`)
    const importing = timeOf(['sh', '-c', 'git fast-import --quiet <"$1"', 'sh', all.stream], clone(`import-${count}`))
    const many = JSON.parse(output([node, tools.writing, all.json, 'many'], bulk))
    if (many.written !== count) throw new Error(`${many.written} of ${count} were written`)
    rows.push({ what: `writing ${name} at once, each examined, durable before its ref`, value: `${ms(many.ms / count)} each, peak ${many.peak.toFixed(0)} MiB`, floor: `${ms(importing / count)} fast-import`, ratio: many.ms / importing })

    // Read back.
    const strictly = JSON.parse(output([node, tools.reading], ours))
    const reads = JSON.parse(output([node, tools.reading], ours))
    const cat = timeOf(['sh', '-c', CAT], ours)
    rows.push({ what: `reading all of ${name} for the first time, each examined`, value: ms(strictly.ms), floor: `${ms(cat)} cat-file`, ratio: strictly.ms / cat })
    rows.push({ what: `reading all of ${name}`, value: ms(reads.ms), floor: `${ms(cat)} cat-file`, ratio: reads.ms / cat })

    // Push and fetch, of all that one clone has, over a path.
    const remotes = ['native', 'ours'].map((one) => {
      const remote = join(folder, `${one}-${count}.git`)
      git(folder, 'init', '-q', '--bare', remote)
      return remote
    })
    for (const [i, repository] of [native, ours].entries()) git(repository, 'remote', 'set-url', 'origin', remotes[i])
    output([node, program, 'init', '--share', 'origin'], ours)
    const pushed = timeOf(['git', 'push', '-q', 'origin', 'refs/remnants/*:refs/remnants/*'], native)
    const push = await watched(['sh', '-c', QUIET, 'sh', node, program, 'push', '--json'], ours)
    if (push.status !== 0) throw new Error(`push ended with ${push.status}: ${push.output}`)
    rows.push({ what: `pushing ${name}`, value: `${ms(push.elapsed)}, peak ${push.peak.toFixed(0)} MiB`, floor: `${ms(pushed)} git push`, ratio: push.elapsed / pushed })
    const takers = ['native', 'ours'].map((one, i) => {
      const repository = clone(`${one}-taker-${count}`)
      git(repository, 'remote', 'set-url', 'origin', remotes[i])
      return repository
    })
    const fetched = timeOf(['git', 'fetch', '-q', '--no-prune', 'origin', 'refs/remnants/*:refs/remnants/*'], takers[0])
    output([node, program, 'init', '--share', 'origin'], takers[1])
    const fetch = await watched(['sh', '-c', QUIET, 'sh', node, program, 'fetch', '--json'], takers[1])
    if (fetch.status !== 0) throw new Error(`fetch ended with ${fetch.status}: ${fetch.output}`)
    rows.push({ what: `fetching ${name}, each examined`, value: `${ms(fetch.elapsed)}, peak ${fetch.peak.toFixed(0)} MiB`, floor: `${ms(fetched)} git fetch`, ratio: fetch.elapsed / fetched })

    // What git itself feels of them: as they were fetched by git (loose), and packed.
    rows.push(...living(`${name} loose`, takers[0], folder, template), ...living(`${name} packed`, ours, folder, template))
  }
  rows.push(...hooks(clone))
  return { note: `one run each where nothing else is said; medians of ${RUNS} for git's own commands; over a path on this disk`, rows }
}

/** Git's own commands in a repository that holds remnants; the floors are those of the first one that was asked. */
let floors
function living(name, repository, folder, template) {
  const bare = join(folder, 'beside.git')
  if (!existsSync(bare)) git(folder, 'clone', '-q', '--bare', template, bare)
  git(repository, 'config', 'remote.beside.url', bare)
  git(repository, 'config', 'remote.beside.fetch', '+refs/heads/*:refs/remotes/beside/*')
  const asked = [['git', 'status', '--porcelain'], ['git', 'log', '-1'], ['git', 'log', '-1', '--decorate'], ['git', 'fetch', '-q', 'beside'], ['sh', '-c', 'git push -q beside HEAD:refs/heads/b-$(date +%s%N)']]
  const times = interleaved(asked, RUNS, repository).map(median)
  floors ??= times
  return asked.map((argv, i) => ({ what: `${argv[0] === 'sh' ? 'git push of a branch' : argv.join(' ')}, ${name}`, value: ms(times[i]), floor: ms(floors[i]), ratio: times[i] / floors[i] }))
}

/** Commit and push with and without our hooks, where nothing waits for a seal. */
function hooks(clone) {
  const [without, with_] = ['without', 'with'].map((name) => clone(`${name}-hooks`))
  output([node, program, 'init'], with_)
  const asked = { commit: 'git -c user.name=B -c user.email=b@example.org commit -q --allow-empty -m more', push: 'git push -q origin HEAD:refs/heads/h-$(date +%s%N)' }
  return Object.entries(asked).map(([what, line]) => {
    const times = [without, with_].map(() => [])
    for (let run = -1; run < 3 * RUNS; run++)
      for (const [i, repository] of [without, with_].entries()) {
        const time = timeOf(['sh', '-c', line], repository)
        if (run >= 0) times[i].push(time)
      }
    const [bare, hooked] = times.map(median)
    return { what: `git ${what} with our hooks`, value: ms(hooked), floor: `${ms(bare)} without`, ratio: hooked / bare }
  })
}

/** What would leave for the first time is told at length. */
const QUIET = 'exec "$@" 2>/dev/null'

const CAT = `git for-each-ref refs/remnants --format='%(objectname):%(refname:lstrip=2)' | sed 's|:\\(..\\)\\(.*\\)$|:.remnants/\\1/\\1\\2.json|' | git cat-file --batch`
