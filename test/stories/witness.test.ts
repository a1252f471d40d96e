import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)
const journals = (made: Clone) => (existsSync(join(made.dir, '.git/remnant/journals')) ? readdirSync(join(made.dir, '.git/remnant/journals')) : [])

function project(options?: Parameters<typeof clone>[0]): Clone {
  const made = clone(options)
  made.write('package.json', '{"name":"w","version":"1.0.0","scripts":{"test":"node --test"}}\n')
  made.write('a.test.mjs', "import test from 'node:test'\ntest('adds', () => {})\n")
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

describe('git remnant run', () => {
  it('hands output and status through', () => {
    const made = project({ fresh: true })
    const ran = made.remnant('run', '--', 'sh', '-c', 'echo out; echo err >&2; exit 7')
    expect(ran).toMatchObject({ status: 7, stdout: 'out\n', stderr: 'err\n' })
    expect(made.remnant('run', '--', 'no-such-program-here')).toEqual({ status: 127, stdout: '', stderr: 'git-remnant: no-such-program-here: command not found\n' })
    expect(made.remnant('run').status).toBe(64)
  })

  it('witnesses what comes of a command, and teardown seals it', () => {
    const made = project({ fresh: true })
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    expect(made.remnant('run', '--', 'npm', 'run', 'nothing-of-this-name').status).toBe(1)
    expect(made.remnant('run', '--', 'no-such-program-here', '--version').status).toBe(127)
    expect(made.remnant('run', '--', 'node', '-e', '0').status).toBe(0)
    expect(journals(made)).toHaveLength(1)
    const sealed = json(made, 'teardown')
    expect(sealed).toMatchObject({ written: true, claims: { verified_invariants: 2, falsified_boundaries: 2 } })
    expect(journals(made)).toEqual([])
    const { remnant } = json(made, 'show', sealed.digest)
    expect(remnant.verified_invariants.map((claim: { statement: string }) => claim.statement).sort()).toEqual(['`node -e 0` passes in `.`', '`npm test` is a gate of `.`'])
    for (const claim of [...remnant.verified_invariants, ...remnant.falsified_boundaries]) expect(claim.verification_receipt.strength).toBe('witnessed')
    expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
  })

  it('notes nothing with REMNANT=0, and nothing outside a repository', () => {
    const made = project()
    expect(made.run(['git', 'remnant', 'run', '--', 'true'], { env: { REMNANT: '0' } }).status).toBe(0)
    expect(journals(made)).toEqual([])
    expect(made.run(['git', 'remnant', 'run', '--', 'sh', '-c', 'exit 3'], { cwd: made.base }).status).toBe(3)
  })

  it('purges what changed between the run and the seal', () => {
    const made = project()
    made.remnant('run', '--', 'npm', 'test')
    made.write('package.json', '{"name":"w","version":"2.0.0","scripts":{"test":"node --test"}}\n')
    const { status, stdout } = made.remnant('teardown', '--json')
    expect(status).toBe(66)
    expect(JSON.parse(stdout)).toMatchObject({ digest: null, written: false, purged: { precondition: 1 } })
  })

  it('begins a new session where the command itself had the last one sealed, so that both stand', () => {
    const made = project()
    made.remnant('init')
    made.remnant('run', '--', 'npm', 'test')
    expect(made.remnant('run', '--', 'git', 'commit', '-q', '--allow-empty', '-m', 'More').status).toBe(0)
    expect(json(made, 'list').remnants).toHaveLength(1)
    made.remnant('run', '--', 'no-such-program-here')
    expect(json(made, 'teardown')).toMatchObject({ written: true, claims: { falsified_boundaries: 1 } })
    expect(json(made, 'resolve').remnants.map(({ verdict }: { verdict: string }) => verdict)).toEqual(['NO_DRIFT', 'NO_DRIFT'])
    expect(new Set(json(made, 'list').remnants.map(({ session_id }: { session_id: string }) => session_id)).size).toBe(2)
  })

  it('keeps a session together that somebody named, though it is sealed twice', () => {
    const made = project()
    made.remnant('run', '--session', 'morning', '--', 'npm', 'test')
    expect(json(made, 'teardown').claims.verified_invariants).toBe(1)
    made.remnant('run', '--session', 'morning', '--', 'node', '-e', '0')
    expect(json(made, 'teardown').claims.verified_invariants).toBe(2)
    expect(json(made, 'brief').claims).toHaveLength(2)
  })

  it('of a linked work tree is sealed there, into the one store', () => {
    const made = project()
    made.git('worktree', 'add', '-q', '../linked')
    const there = join(made.dir, '..', 'linked')
    expect(made.run(['git', 'remnant', 'run', '--', 'npm', 'test'], { cwd: there }).status).toBe(0)
    expect(made.remnant('teardown', '--json').status).toBe(66)
    const sealed = made.run(['git', 'remnant', 'teardown', '--json'], { cwd: there })
    expect(JSON.parse(sealed.stdout).written).toBe(true)
    made.git('worktree', 'remove', '--force', '../linked')
    expect(json(made, 'list').remnants).toHaveLength(1)
    expect(made.git('fsck', '--strict')).toBe('')
  })
})

describe('what could not be started, or was only looked for', () => {
  it('is a dead end until the mode of the file changes, if that is in a key, and else said to be none', () => {
    const made = project()
    made.write('unmarked.sh', '#!/bin/sh\n', 0o644)
    made.write('ignored.sh', '#!/bin/sh\n', 0o644)
    made.write('.gitignore', 'ignored.sh\n')
    made.git('add', '-A')
    made.git('commit', '-q', '-m', 'More')
    for (const command of ['./unmarked.sh', './ignored.sh']) expect(made.remnant('run', '--', command)).toMatchObject({ status: 126, stderr: `git-remnant: ${command}: Permission denied\n` })
    expect(made.remnant('run', '--', 'cat', 'missing').status).toBe(1)
    const { stdout } = made.remnant('teardown', '--explain')
    expect(stdout).toMatch(/^kept [0-9a-f]{12} {2}falsified boundary\n {2}`\.\/unmarked\.sh` → \.\/unmarked\.sh: Permission denied$/m)
    expect(stdout).toMatch(/^no claim of `\.\/ignored\.sh` at .*\n {2}because {3}it could not be started/m)
    expect(stdout).toMatch(/^no claim of `cat missing` at .*\n {2}because {3}the status answers a question/m)
    expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
    made.run(['chmod', '+x', 'unmarked.sh'])
    expect(json(made, 'resolve').remnants[0]).toMatchObject({ retained_claims: [] })
  })
})

describe('a session that was sealed while the clock was ahead', () => {
  it('is said to keep what comes after it from being told', () => {
    const made = project()
    const run = (...command: string[]) => made.remnant('run', '--session', 'long', '--', ...command)
    run('npm', 'test')
    const [name = ''] = journals(made)
    const path = join('.git/remnant/journals', name)
    made.write(path, (made.read(path) ?? '').replace(/"at":"\d{4}/g, '"at":"2099'), 0o600)
    const first = made.remnant('teardown', '--session', 'long', '--json')
    expect([first.stderr, JSON.parse(first.stdout).written]).toEqual(['', true])
    run('node', '-e', '0')
    const { stderr } = made.remnant('teardown', '--session', 'long')
    expect(stderr).toContain(`an earlier seal of this session, ${JSON.parse(first.stdout).digest.slice(0, 12)}, was made while the clock said 2099-`)
  })
})

describe('git remnant claim', () => {
  it.each([
    [['The tests need a running database.', '--effect', 'require tool postgres'], 0, /^admitted/],
    [['This should work now.', '--effect', 'require tool postgres'], 1, /^refused by no-deixis: .* \("this"\)$/m],
    [['The cache is probably shared.', '--effect', 'require tool postgres'], 1, /^refused by no-hedge: .* \("probably"\)$/m],
    [['The parser added a trailing newline.', '--effect', 'use path src'], 1, /^refused by not-narrative: .* \("added"\)\nhint: say what holds, as SUBJECT VERB … in the present tense/],
    [['Wrong sign in the parser', '--effect', 'use path src'], 1, /^refused by declarative: is no sentence[^\n]*\nhint: say it as SUBJECT VERB …, in the present tense/],
    [['div returned Infinity for a zero divisor.', '--root-cause', '--gate', 'npm test'], 0, /^admitted/],
    [['The tests need a running database.'], 1, /^refused by effect: .*\nhint: say it as --effect "require tool node"/],
    [['The cache lies in /tmp/build-4711.', '--effect', 'require path cache'], 1, /^refused by temporary-path/],
    [['The tests need a running database.', '--effect', 'want postgres'], 64, /^$/],
    [['The script needs its manifest.', '--effect', 'require path package.json'], 0, /^admitted/],
    [['The script needs its manifest.', '--effect', 'use path gone.json'], 1, /^refused by effect: the path that it names is not there\nhint: name a path that is in this work tree, from its top/],
    [['The script needs its manifest.', '--effect', 'require path ../gone.json'], 1, /^refused by effect: it names no path of the environment/],
    [['The output folder is made anew each time.', '--effect', 'avoid path gone'], 0, /^admitted/],
    [[], 64, /^$/],
  ])('%j → %d', (args, status, stdout) => {
    const ran = project().remnant('claim', ...args)
    expect(ran.status).toBe(status)
    expect(ran.stdout).toMatch(stdout)
  })

  it('names no word of a text in which a secret stands', () => {
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
    expect(project().remnant('claim', `This token ${secret} is probably read.`, '--effect', 'use interface registry').stdout).toMatch(/^refused by no-deixis: [^"\n]*\nhint: /)
  })

  it('rests on the path that it tells a successor to have, and is not kept where that went away', () => {
    const made = project()
    made.write('data/rates.csv', 'eur;1\n')
    const run = (...command: string[]) => made.remnant('run', '--session', 's', '--', ...command)
    expect(run('npm', 'test').status).toBe(0)
    expect(run('git', 'remnant', 'claim', 'The tests read the table of rates.', '--by', 'npm test', '--effect', 'require path data/rates.csv').status).toBe(0)
    const { digest } = json(made, 'teardown', '--session', 's')
    const [[id, keys]] = json(made, 'show', digest).remnant.claim_dependency_map.filter(([, keys]: [string, string[]]) => keys.includes('exists:data/rates.csv'))
    expect(keys).toContain('file:package.json')
    made.write('data/rates.csv', 'eur;2\n')
    expect(json(made, 'resolve').remnants[0].retained_claims).toContain(id)
    made.run(['rm', 'data/rates.csv'])
    expect(json(made, 'resolve').remnants[0].invalidated_claims).toEqual([id])
    expect(made.remnant('why', id).stdout).toContain('exists:data/rates.csv')

    expect(run('npm', 'test').status).toBe(0)
    expect(run('git', 'remnant', 'claim', 'The tests read another table.', '--by', 'npm test', '--effect', 'require path data/rates.csv').status).toBe(1)
    made.write('data/rates.csv', 'eur;2\n')
    expect(run('git', 'remnant', 'claim', 'The tests read a third table.', '--by', 'npm test', '--effect', 'require path data/rates.csv').status).toBe(0)
    made.run(['rm', 'data/rates.csv'])
    made.remnant('teardown', '--session', 's')
    expect(made.remnant('brief').stdout).not.toMatch(/another table|third table|table of rates/)
  })

  it('is told no more once what its command read has changed, and again when that is as it was', () => {
    const made = project()
    made.write('cart.mjs', 'export const total = (price, count) => price * count\n')
    made.write('cart.test.mjs', "import test from 'node:test'\nimport { total } from './cart.mjs'\ntest('total', () => { if (total(2, 3) !== 6) throw new Error('not 6') })\n")
    const run = (...command: string[]) => made.remnant('run', '--session', 's', '--', ...command).status
    const fact = 'The cart multiplies the price by the count.'
    expect(run('npm', 'test')).toBe(0)
    expect(run('git', 'remnant', 'claim', fact, '--by', 'npm test', '--effect', 'use command npm test')).toBe(0)
    expect(json(made, 'teardown', '--session', 's')).toMatchObject({ written: true, claims: { verified_invariants: 2 } })
    expect(made.remnant('brief').stdout).toContain(fact)
    made.write('NOTES.txt', 'nobody reads this\n')
    expect(made.remnant('brief').stdout).toContain(fact)
    made.write('cart.mjs', 'export const total = price => price\n')
    const brief = made.remnant('brief').stdout
    expect(brief).not.toContain(fact)
    expect(brief).toContain('`npm test` is a gate of `.`')
    made.write('cart.mjs', 'export const total = (price, count) => price * count\n')
    expect(made.remnant('brief').stdout).toContain(fact)
  })

  it('says of what was declared and admitted why it is not kept, at teardown and after a commit', () => {
    const made = project({ fresh: true })
    const declare = () => made.remnant('run', '--', 'git', 'remnant', 'claim', 'The tests need no network.', '--by', 'npm run e2e', '--effect', 'use command npm test')
    const run = () => made.remnant('run', '--', 'npm', 'test').status
    expect([run(), declare().status]).toEqual([0, 0])
    const told = /\n  declared, and not kept: record ([\w-]+): receipt: the command that should prove it is not in the log before it\n/.exec(made.remnant('teardown').stdout)
    expect(made.remnant('why', told?.[1] ?? '').stdout).toContain('the command that should prove it is not in the log before it')
    expect(made.remnant('run', '--', 'git', 'remnant', 'claim', 'It should work now.', '--by', 'npm test', '--effect', 'use command npm test').status).toBe(1)
    expect(made.remnant('teardown').stdout).not.toContain('declared, and not kept')

    made.remnant('init', '--agent', 'none')
    expect([run(), declare().status]).toEqual([0, 0])
    const { stderr } = made.run(['git', 'commit', '-q', '--allow-empty', '-m', 'Next'])
    const [, record = ''] = /^git-remnant: sealed [0-9a-f]{12}; purged 1 receipt; of what was declared, "git remnant why ([\w-]+)" says why it was not kept\n$/.exec(stderr) ?? []
    expect(made.remnant('why', record).status).toBe(0)
  })

  it('never prints what looks like a secret', () => {
    const secret = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
    const { status, stdout, stderr } = project().remnant('claim', `The registry takes the token ${secret} for reading.`, '--effect', 'use interface registry')
    expect(status).toBe(1)
    expect(stdout + stderr).not.toContain(secret)
  })
})
