import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const traces = spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0
const hasMake = spawnSync('make', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('GNU Make') === true
const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)

function project(): Clone {
  const made = clone({ onDisk: true })
  made.write('check.sh', '#!/bin/sh\n. ./lib.sh\n[ -f local.sh ] && . ./local.sh\ngrep -q right data.txt\n', 0o755)
  made.write('lib.sh', 'x=1\n')
  made.write('data.txt', 'right\n')
  made.write('other.txt', 'other\n')
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

const lineOf = (made: Clone) => {
  const folder = join(made.dir, '.git/remnant/journals')
  return JSON.parse(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n')).at(-1) as string)
}

describe.runIf(traces)('git remnant run --trace', () => {
  it('lets a claim rest on what the command depended on, and on nothing else', () => {
    const made = project()
    expect(made.remnant('run', '--trace', '--', './check.sh')).toEqual({ status: 0, stdout: '', stderr: '' })
    const line = lineOf(made)
    expect(line.traced).toBe(true)
    expect(Object.keys(line.keys).filter((key) => !key.startsWith('tool:')).sort()).toEqual([
      ...['absent:local.sh', 'alike:[".","check.sh"]', 'file:check.sh', 'file:data.txt', 'file:lib.sh', 'platform', 'privilege', 'repository'],
    ])
    expect(Object.keys(line.keys)).toEqual(expect.arrayContaining(['tool:grep', 'tool:sh']))
    const { digest } = json(made, 'teardown')
    const { remnant } = json(made, 'show', digest)
    expect(remnant.claim_dependency_map[0][1]).toEqual(Object.keys(line.keys).filter((key) => key.includes(':')).sort())
    made.write('other.txt', 'changed\n')
    expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
    made.write('lib.sh', 'x=2\n')
    expect(json(made, 'resolve').remnants[0]).toMatchObject({ verdict: 'FULL_RECONSTRUCTION_REQUIRED' })
    made.write('lib.sh', 'x=1\n')
    expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
    made.write('local.sh', 'exit 1\n')
    expect(json(made, 'resolve').remnants[0]).toMatchObject({ verdict: 'FULL_RECONSTRUCTION_REQUIRED' })
  })

  it('does the same for a red outcome', () => {
    const made = project()
    made.write('data.txt', 'wrong\n')
    made.write('check.sh', '#!/bin/sh\ngrep -q right data.txt || { echo "error: data is wrong" >&2; exit 1; }\n', 0o755)
    expect(made.remnant('run', '--trace', '--', './check.sh').status).toBe(1)
    const { digest } = json(made, 'teardown')
    const { remnant } = json(made, 'show', digest)
    expect(remnant.falsified_boundaries).toHaveLength(1)
    expect(remnant.claim_dependency_map[0][1]).toEqual(expect.arrayContaining(['file:check.sh', 'file:data.txt', 'tool:grep']))
    expect(remnant.claim_dependency_map[0][1]).not.toContain('tree:.')
  })

  it.runIf(hasMake)('lets a make rest on the names that it may ask for, and a recipe on those that it lists', () => {
    const made = clone()
    made.write('Makefile', '-include local.mk\ntest: out.txt\n\tgrep -q right out.txt\nout.txt: src/input.txt\n\tcat src/input.txt > $@\n')
    made.write('src/input.txt', 'right\n')
    made.write('.gitignore', 'out.txt\n')
    made.git('add', '-A')
    made.git('commit', '-q', '-m', 'Start')
    expect(made.remnant('run', '--trace', '--', 'make', 'test').status).toBe(0)
    rmSync(join(made.dir, 'out.txt'))
    expect(lineOf(made).traced).toBe(true)
    expect(Object.keys(lineOf(made).keys).filter((key) => /^(?:alike|names):/.test(key))).toEqual(['.', 'src'].map((folder) => `alike:["${folder}","Makefile","input","local","makefile","out","test"]`))
    json(made, 'teardown')
    const verdict = (): string => json(made, 'resolve').remnants[0].verdict
    made.write('NOTES.txt', 'x\n')
    made.write('src/b.c', 'x\n')
    expect(verdict()).toBe('NO_DRIFT')
    for (const path of ['local.mk', 'GNUmakefile', 'test', 'test.c', 'src/input.txt.sh']) {
      made.write(path, 'exit 0\n')
      expect(verdict(), path).not.toBe('NO_DRIFT')
      rmSync(join(made.dir, path))
      expect(verdict(), path).toBe('NO_DRIFT')
    }
  })

  it.each([
    [['sh', '-c', 'exit 7'], 7],
    [['sh', '-c', 'kill -9 $$'], 137],
    [['no-such-program-here'], 127],
    [['./data.txt'], 126],
  ])('hands the status of %j through', (argv, status) => {
    expect(project().remnant('run', '--trace', '--', ...argv).status).toBe(status)
  })

  it('says of what it can not trace, and infers its keys as ever', () => {
    const made = project()
    const ran = made.remnant('run', '--trace', '--', 'sh', '-c', 'cat data.txt; echo more >> data.txt')
    expect(ran.stdout).toBe('right\n')
    expect(ran.stderr).toContain('not traced: "data.txt", which it reads, changed while it ran; its keys are inferred from its words')
    expect(lineOf(made).traced).toBeUndefined()
  })

  it('does not let a claim rest on what it saw alone where the command reads outside the repository, or git does', () => {
    const made = project()
    made.write('report.sh', '#!/bin/sh\ncat "$HOME/rate.conf" data.txt\n', 0o755)
    writeFileSync(join(made.base, 'home/rate.conf'), 'a\n')
    const ran = made.remnant('run', '--trace', '--', './report.sh')
    expect(ran.stderr).toMatch(/not traced: it reads ".*\/rate\.conf", which lies outside the repository; its keys are inferred/)
    const { digest } = json(made, 'teardown')
    expect(json(made, 'show', digest).remnant.claim_dependency_map[0][1]).toContain('reads:[".","./report.sh"]')
    writeFileSync(join(made.base, 'home/rate.conf'), 'b\n')
    expect(json(made, 'resolve').remnants[0].verdict).not.toBe('NO_DRIFT')
    made.write('report.sh', '#!/bin/sh\ngit rev-parse HEAD\n', 0o755)
    expect(made.remnant('run', '--trace', '--', './report.sh').stderr).toMatch(/not traced: it reads git's own "/)
    expect(json(made, 'teardown')).toMatchObject({ purged: { unsealed: 1 } })
  })

  it('does not wait for what the command leaves running, and leaves nothing behind', () => {
    const made = project()
    const before = Date.now()
    made.remnant('run', '--trace', '--', 'sh', '-c', 'sleep 20 >/dev/null 2>&1 & cat data.txt')
    expect(Date.now() - before).toBeLessThan(10_000)
    expect(lineOf(made).keys).toHaveProperty(['file:data.txt'])
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('git-remnant-trace-'))).toEqual([])
  })
})

describe('git remnant run --trace without strace', () => {
  it('says so, and witnesses the command as ever', () => {
    const made = project()
    // The program itself is found by its place, not by PATH.
    const ran = made.run([process.execPath, join(made.base, 'bin/git-remnant'), 'run', '--trace', '--', '/bin/sh', '-c', 'exit 0'], { env: { PATH: gitOnly(made) } })
    expect(ran.status).toBe(0)
    expect(ran.stderr).toMatch(/not traced: (?:strace is not installed, or may not trace here|only Linux has strace); its keys are inferred from its words/)
    expect(lineOf(made)).not.toHaveProperty('traced')
  })
})

/** A PATH on which there is git and nothing else. */
function gitOnly(made: Clone): string {
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  made.write('../only/git', `#!/bin/sh\nexec '${git}' "$@"\n`, 0o755)
  return join(made.base, 'only')
}
