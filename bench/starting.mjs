import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { git, interleaved, program } from './process.mjs'
import { median, ms } from './table.mjs'

const RUNS = 21

/** Whole processes against `node -e 0`. */
export async function starting(folder) {
  const repository = join(folder, 'repository')
  mkdirSync(repository)
  git(repository, 'init', '-q')
  git(repository, 'commit', '-q', '--allow-empty', '-m', 'start')
  const node = process.execPath
  const asked = [
    ['git remnant -h', [node, program, '-h'], 1.3],
    ['git remnant list', [node, program, 'list'], 2],
    ['git remnant hook post-commit, nothing to seal', [node, program, 'hook', 'post-commit'], 1.2],
  ]
  const [floor, ...times] = interleaved([[node, '-e', '0'], ...asked.map(([, argv]) => argv)], RUNS, repository)
  const base = median(floor)
  return {
    note: `medians of ${RUNS} interleaved runs; floor: node -e 0`,
    rows: asked.map(([what, , target], i) => {
      const ratio = median(times[i].map((time, run) => time / floor[run]))
      return { what, value: ms(median(times[i])), floor: ms(base), ratio, target: `≤ ${target}`, met: ratio <= target }
    }),
  }
}
