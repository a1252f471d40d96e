import { describe, expect, it } from 'vitest'
import { type Clone, type Ran, clone } from './clone.ts'
import { isReady } from './ready.ts'

/** What differs from run to run. */
const plain = ({ status, stdout, stderr }: Ran, { base }: Clone): Ran => {
  const alike = (text: string): string => text.replaceAll(base, 'BASE').replace(/\b\d+ ms\b|\b\d+\.\d s\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T').replace(/\brun-[0-9a-f-]{36}/g, 'run-S').replace(/\b[0-9a-f]{12,64}\b/g, 'D')
  return { status, stdout: alike(stdout), stderr: alike(stderr) }
}

/** One command after another in one repository: what is shown, kept, run, refused, misspelt, and said on standard error. */
const WORDS: readonly (readonly string[])[] = [
  ['list'],
  ['init'],
  ['run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7'],
  ['run', '--', 'no-such-program-here'],
  ['run', '--', 'sh', 'check.sh'],
  ['run'],
  ['teardown', '--json'],
  ['teardown'],
  ['list'],
  ['resolve', '--json'],
  ['brief'],
  ['reprobe'],
  ['gate'],
  ['verify', '--json'],
  ['show', 'feedbeef'],
  ['show', '--nonsense'],
  ['log', '--json'],
  ['sign'],
  ['push'],
  ['allow', 'nothing'],
  ['claim', ''],
  ['deinit'],
  ['resolve'],
]

describe('a process that is there already', () => {
  it('answers as one of its own does, command by command, and leaves the same behind', () => {
    const [ready, fresh] = [clone(), clone({ fresh: true })]
    for (const made of [ready, fresh]) {
      made.write('check.sh', 'exit 0\n')
      made.git('add', '-A')
      made.git('commit', '-qm', 'second')
    }
    for (const words of WORDS) {
      expect([words, isReady(words)]).toEqual([words, true])
      expect([words, plain(ready.remnant(...words), ready)]).toEqual([words, plain(fresh.remnant(...words), fresh)])
    }
    const left = ({ run, dir }: Clone): string => run(['find', '.', '-not', '-path', './.git/objects/*', '-not', '-path', './.git/refs/remnants/*'], { cwd: dir }).stdout.replace(/[0-9a-f]{64}/g, 'D').split('\n').sort().join('\n')
    expect(left(ready)).toBe(left(fresh))
  })

  it('works in the folder and the environment that it is asked from, each time', () => {
    const [first, second] = [clone(), clone()]
    first.remnant('run', '--', 'sh', '-c', 'echo "$HOME" >seen; pwd >>seen')
    second.remnant('run', '--', 'sh', '-c', 'echo "$HOME" >seen; pwd >>seen')
    for (const { base, dir, read } of [first, second]) expect(read('seen')).toBe(`${base}/home\n${dir}\n`)
  })
})
