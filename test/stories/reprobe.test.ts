import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf } from '../clone.ts'

const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)
const runsOf = (made: Clone, gate: string): number => (existsSync(join(made.base, gate)) ? readFileSync(join(made.base, gate), 'utf8').length : 0)
/** Changes what the gate itself rests on, and nothing else. */
const touch = (made: Clone): string => made.write('test.sh', 'sh tools/run test # changed\n')
const verdicts = (made: Clone): string[] => json(made, 'resolve').remnants.map(({ verdict }: { verdict: string }) => verdict)
const manifest = (more = ''): string => `{"name":"w","version":"1.0.0","scripts":{"test":"sh tools/run test"}${more}}\n`

/** A project whose gates count their runs outside the work tree, and rest each on a file of its own. `tools/run` is what a test makes of it. */
function project(run = ''): Clone {
  const made = clone()
  made.write('package.json', manifest())
  made.write('test.sh', 'sh tools/run test\n')
  made.write('tools/run', `printf x >> ../"$1"\n${run}\n`)
  made.write('check.sh', 'sh tools/run check\n')
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

function sealed(made: Clone, gate = 'sh test.sh'): { digest: string; remnant: { verified_invariants: { claim_id: string; statement: string }[] } } {
  for (const each of [gate, 'sh check.sh']) expect(made.remnant('run', '--', ...each.split(' '))).toMatchObject({ status: 0 })
  const { digest } = json(made, 'teardown')
  return { digest, remnant: json(made, 'show', digest).remnant }
}

const kept = { folder: '', old: null as ReturnType<typeof sealed> | null }
afterAll(() => kept.folder !== '' && rmSync(kept.folder, { recursive: true, force: true }))

/** A project that was sealed, laid out once and copied for each test. */
function ready(): { made: Clone; old: ReturnType<typeof sealed> } {
  if (kept.old === null) {
    const first = project()
    kept.old = sealed(first)
    kept.folder = mkdtempSync(join(tmpdir(), 'sealed-'))
    cpSync(first.base, kept.folder, { recursive: true, verbatimSymlinks: true })
  }
  const made = clone()
  rmSync(made.dir, { recursive: true })
  for (const name of ['work', 'test', 'check']) cpSync(join(kept.folder, name), join(made.base, name), { recursive: true })
  return { made, old: kept.old }
}

const idOf = ({ remnant }: ReturnType<typeof sealed>, statement: string): string => remnant.verified_invariants.find((claim) => claim.statement.includes(statement))?.claim_id ?? ''

describe('git remnant reprobe', () => {
  it('runs the suspended gate alone, seals it under today\'s keys, and answers exactly what it carries', () => {
    const made = project()
    const old = sealed(made, 'npm test')
    expect(json(made, 'reprobe')).toEqual({ schemaVersion: 1, digest: null, ref: null, held: [], falsified: [], fell: [], suspended: [] })
    expect([runsOf(made, 'test'), runsOf(made, 'check')]).toEqual([1, 1])

    made.write('package.json', manifest(',"description":"changed"'))
    expect(verdicts(made)).toEqual(['PARTIAL_REPROBE_REQUIRED'])
    const npm = idOf(old, 'npm test')
    const dry = json(made, 'reprobe', '--dry-run')
    expect(dry).toMatchObject({ digest: null, dry_run: true, would_run: [{ claims: [npm] }] })
    expect(runsOf(made, 'test')).toBe(1)

    const found = json(made, 'reprobe')
    expect(found).toMatchObject({ held: [npm], falsified: [], fell: [], suspended: [] })
    expect([runsOf(made, 'test'), runsOf(made, 'check')]).toEqual([2, 1])
    expect(verdicts(made)).toEqual(['NO_DRIFT'])

    const { remnant } = json(made, 'show', found.digest)
    expect(remnant.supersedes).toEqual([[old.digest, old.remnant.verified_invariants.map(({ claim_id }) => claim_id).sort()]])
    expect(remnant.verified_invariants.map((claim: { claim_id: string; verification_receipt: { strength: string } }) => [claim.claim_id === npm, claim.verification_receipt.strength]).sort()).toEqual([
      [false, 'witnessed'],
      [true, 'reproduced'],
    ])
    expect(made.git('rev-parse', `${found.ref}^`)).toBe(made.git('rev-parse', `refs/remnants/${old.digest}`))
    expect(made.git('log', '--format=%s', found.ref).split('\n')).toEqual([`Remnant ${found.digest}`, `Remnant ${old.digest}`])
    const log = json(made, 'log')
    expect(log.remnants.map(({ digest }: { digest: string }) => digest)).toEqual([found.digest, old.digest])
    expect(log.remnants[1].answered_by).toEqual([{ digest: found.digest, claims: remnant.supersedes[0][1] }])
    expect(made.remnant('why', npm).stdout).toContain(`answered by remnant ${found.digest.slice(0, 12)}`)
    expect(json(made, 'verify').faults).toEqual([])
    expect(json(made, 'reprobe').digest).toBeNull()
    expect(runsOf(made, 'test')).toBe(2)
  })

  it('seals what broke with what it says now', () => {
    const { made, old } = ready()
    touch(made)
    made.write('tools/run', 'printf x >> ../"$1"; echo "Error: the duration is wrong"; exit 1\n')
    const { status, stdout } = made.remnant('reprobe', '--json')
    const found = JSON.parse(stdout)
    expect([status, found.falsified, found.held]).toEqual([0, expect.arrayContaining([idOf(old, 'test.sh')]), []])
    expect(runsOf(made, 'test')).toBe(3)
    const { remnant } = json(made, 'show', found.digest)
    const broken = remnant.falsified_boundaries.find((claim: { path: { argv: string[] } }) => claim.path.argv[1] === 'test.sh')
    expect(broken).toMatchObject({ class: 'red', terminal_error_signature: expect.stringContaining('the duration is wrong'), verification_receipt: { host: 'git-remnant', strength: 'reproduced', outcome: { code: 1 } } })
    expect(verdicts(made)).toEqual(['NO_DRIFT'])
    expect(made.remnant('brief').stdout).not.toContain('`sh test.sh` is a gate')
  })

  it('leaves a gate armed that it found red: it runs until it is green, and is sealed as a gate again', () => {
    const { made, old } = ready()
    // Outside of the work tree, where a sandbox would let nobody write.
    made.write('tools/run', 'echo "Error: the duration is wrong"; exit 1\n')
    touch(made)
    const gate = idOf(old, 'test.sh')
    expect(json(made, 'reprobe').falsified).toContain(gate)
    made.git('commit', '-qam', 'break it')
    const tried = () => json(made, 'gate').gates.map(({ command, result }: { command: { argv: string[] }; result: string }) => `${command.argv.join(' ')}: ${result}`).sort()
    expect(tried()).toEqual(['sh check.sh: red', 'sh test.sh: red'])
    // Red in another way: what answers the failure is one still.
    made.write('tools/run', 'echo "Error: the total is wrong"; exit 1\n')
    made.remnant('reprobe')
    expect(tried()).toEqual(['sh check.sh: red', 'sh test.sh: red'])
    made.write('tools/run', 'exit 0\n')
    made.git('commit', '-qam', 'mend it')
    expect(tried()).toEqual(['sh check.sh: green', 'sh test.sh: green'])
    expect(json(made, 'reprobe').suspended).toEqual([])
    expect(made.remnant('brief').stdout).toContain('`sh test.sh` is a gate')
    expect(tried()).toEqual(['sh check.sh: green', 'sh test.sh: green'])
  })

  it('lets a dead end fall that passes now', () => {
    const made = project('[ ! -e broken ] || { echo "Error: the duration is wrong"; exit 1; }')
    made.write('broken', '')
    for (let i = 0; i < 2; i++) expect(made.remnant('run', '--', 'sh', 'test.sh').status).toBe(1)
    const { digest } = json(made, 'teardown')
    const [{ claim_id }] = json(made, 'show', digest).remnant.falsified_boundaries
    made.run(['rm', 'broken'])
    const found = json(made, 'reprobe')
    expect(found).toMatchObject({ held: [], falsified: [], fell: [claim_id], suspended: [] })
    expect(json(made, 'show', found.digest).remnant.verified_invariants).toMatchObject([{ statement: '`sh test.sh` is a gate of `.`' }])
    expect(verdicts(made)).toEqual(['NO_DRIFT'])
  })

  it('leaves what is flaky suspended', () => {
    const { made, old } = ready()
    touch(made)
    made.write('tools/run', 'printf x >> ../"$1"; [ $(( $(wc -c < ../"$1") % 2 )) = 1 ] || exit 1\n')
    const { status, stdout } = made.remnant('reprobe', '--claim', idOf(old, 'test.sh').slice(0, 12), '--json')
    expect([status, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ digest: null, held: [], falsified: [], suspended: [{ claim_id: idOf(old, 'test.sh'), reason: 'flaky' }] })])
    expect(remnantsOf(made)).toEqual([old.digest])
  })

  it('leaves what takes too long suspended, and ends it', () => {
    const { made, old } = ready()
    made.write('.git/remnant/config.json', '{"gate":{"timeout_s":1}}')
    touch(made)
    made.write('tools/run', 'printf x >> ../"$1"; sleep 30; printf late >> ../"$1"\n')
    const { status, stdout } = made.remnant('reprobe', '--claim', idOf(old, 'test.sh'), '--json')
    expect([status, JSON.parse(stdout).suspended]).toEqual([1, [{ claim_id: idOf(old, 'test.sh'), reason: 'time-out' }]])
    expect(runsOf(made, 'test')).toBe(2)
  })

  it('runs nothing that was not approved', () => {
    const { made, old } = ready()
    touch(made)
    const gate = idOf(old, 'test.sh')
    expect(made.remnant('deny', gate).status).toBe(0)
    const { status, stdout } = made.remnant('reprobe', '--json')
    expect([status, JSON.parse(stdout).suspended]).toEqual([77, [{ claim_id: gate, reason: 'not-approved' }]])
    expect(runsOf(made, 'test')).toBe(1)
    expect(made.remnant('allow', gate).status).toBe(77)
    expect(made.remnant('allow', gate, '--yes').status).toBe(0)
    expect(made.remnant('reprobe').status).toBe(0)
    expect(runsOf(made, 'test')).toBe(2)
  })

  it('seals no key that changed while its command ran', () => {
    const { made, old } = ready()
    touch(made)
    made.write('tools/run', 'printf x >> ../"$1"; printf \'#\' >> test.sh\n')
    const found = json(made, 'reprobe', '--claim', idOf(old, 'test.sh'))
    expect([found.digest, found.suspended.map(({ claim_id }: { claim_id: string }) => claim_id)]).toEqual([null, [idOf(old, 'test.sh')]])
  })

  it('leaves nothing half-sealed when it is killed', async () => {
    const { made, old } = ready()
    touch(made)
    made.write('tools/run', `printf x >> ../"$1"; for i in 1 2 3 4 5 6 7 8 9 10; do [ -e ../go ] && exit 0; sleep 1; done\n`)
    const env = { ...process.env, HOME: join(made.base, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
    const child = spawn(process.execPath, [join(made.installation, 'dist/git-remnant.cjs'), 'reprobe'], { cwd: made.dir, env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    while (runsOf(made, 'test') < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    writeFileSync(join(made.base, 'go'), '')
    expect(remnantsOf(made)).toEqual([old.digest])
    expect(json(made, 'verify').faults).toEqual([])
    expect(verdicts(made)).toEqual(['PARTIAL_REPROBE_REQUIRED'])
    expect(json(made, 'reprobe').held).toContain(idOf(old, 'test.sh'))
  })
})
