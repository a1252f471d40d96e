import { appendFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { prepared } from './prepared.ts'
import { gitIn, stage } from './stage.ts'

const LOOKS = ['status --porcelain --ignored', 'log --format=%H --all', 'ls-files --stage', 'fsck --full --strict', 'config --list --local', 'reflog --format=%H%gd', 'count-objects']

/** What git tells of a repository, and all that lies in it with its mode. */
function seen(dir: string): unknown {
  const told = LOOKS.map((words) => gitIn(dir, ...words.split(' ')))
  const lying = readdirSync(dir, { recursive: true, encoding: 'utf8' }).sort().map((path) => `${(statSync(join(dir, path)).mode & 0o777).toString(8)} ${path}`)
  return { told, lying }
}

it('is to git, and as it lies, what git itself made', () => {
  const files = { 'a.txt': 'a\n', 'folder/b.txt': 'b\n' }
  const [first, second] = [stage({ files }), stage({ files })]
  expect(seen(second.dir)).toEqual(seen(first.dir))
  expect(second.git('log', '--format=%s')).toBe('start\n')
})

it('is made once, and each is one of its own', () => {
  const { base } = stage()
  let made = 0
  const make = (name: string): string =>
    prepared('counted', join(base, name), () => {
      made++
      gitIn(base, 'init', '-q', name)
    })
  appendFileSync(join(make('first'), '.git/config'), '[x]\n\ty = z\n')
  expect(gitIn(make('second'), 'config', '--list', '--local')).not.toContain('x.y')
  expect(made).toBe(1)
})

it('tells what was edited after it, though the size is the same', () => {
  const stages = [stage(), stage()]
  for (const { write, git } of stages) {
    write('README.md', 'A PROJECT.\n')
    expect(git('diff', '--name-only')).toBe('README.md\n')
    expect(git('diff-index', '--name-only', 'HEAD')).toBe('README.md\n')
  }
})
