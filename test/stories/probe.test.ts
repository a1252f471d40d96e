import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf } from '../clone.ts'

const GATES = ['test.sh', 'check.sh']

/** A project whose gates count their runs outside the work tree, and the log of a session that ran them on another machine. */
function project(): Clone & { readonly log: string } {
  const made = clone()
  for (const gate of GATES) made.write(gate, `sh tools/run ${gate}\n`)
  made.write('tools/run', 'printf x >> ../runs-"$1"\n')
  made.git('add', '-A')
  made.git('commit', '-qm', 'Start')
  const log = join(made.base, 'elsewhere.jsonl')
  const line = (command: string, record_id: string, output = '') => ({
    schema: 'git-remnant/observation/1', host: 'codex', session: 'far-away', record_id, at: '2026-05-01T10:00:00Z', kind: 'command', folder: '.', head: null, command,
    outcome: { is: 'code', code: 0 }, output, edits: [], declared: null, keys: {},
  })
  const pushed = 'To git.example.com:dev/clockwork.git\n   1111111..2222222  main -> main\n'
  const lines = [...GATES.map((gate, i) => line(`sh ${gate}`, `record-${i}`)), line('git push origin main', 'record-9', pushed)]
  writeFileSync(log, lines.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return { ...made, log }
}

const runsOf = (made: Clone, gate: string): number => (existsSync(join(made.base, `runs-${gate}`)) ? readFileSync(join(made.base, `runs-${gate}`), 'utf8').length : 0)
const runs = (made: Clone): number[] => GATES.map((gate) => runsOf(made, gate))
const probe = (made: Clone & { readonly log: string }) => {
  const { status, stdout } = made.remnant('teardown', '--transcript', made.log, '--probe', '--json')
  return { status, ...JSON.parse(stdout) }
}
/** What somebody types is approved; its journal is not what is looked at here. */
const approve = (made: Clone, ...gates: string[]): void => gates.forEach((gate) => expect(made.remnant('run', '--', 'sh', gate).status).toBe(0))

describe('the log of a session elsewhere, run again here', () => {
  it('starts nothing that was not approved here, and never a change of the outside', () => {
    const made = project()
    const { status, digest, probed } = probe(made)
    expect([status, digest, probed.held]).toEqual([77, null, []])
    expect(probed.stays.map(({ command, reason }: { command: { argv: string[] } | null; reason: string }) => `${command?.argv.join(' ') ?? '-'}: ${reason}`).sort()).toEqual([
      '-: mutation',
      'sh check.sh: not-approved',
      'sh test.sh: not-approved',
    ])
    const { stdout } = made.remnant('teardown', '--transcript', made.log, '--probe')
    expect(stdout).toMatch(/^ {2}not {5}[0-9a-f]{12} {2}`sh test\.sh`: its command is not approved in this clone$/m)
    const hints = [...stdout.matchAll(/^ {4}hint: read it, then: git remnant allow -- (sh \w+\.sh)$/gm)].map(([, command]) => command).sort()
    expect(hints).toEqual(['sh check.sh', 'sh test.sh'])
    expect([runs(made), remnantsOf(made)]).toEqual([[0, 0], []])
  })

  it('seals what holds as reproduced, and nothing else; again, it finds what it found and runs nothing', () => {
    const made = project()
    approve(made, 'test.sh')
    const first = probe(made)
    expect(first).toMatchObject({ status: 0, written: true, claims: { verified_invariants: 1, non_idempotent_commits: 0 }, purged: { unsealed: 2 }, probed: { digest: first.digest, known: [], held: [expect.any(String)] } })
    expect([runs(made), remnantsOf(made)]).toEqual([[2, 0], [first.digest]])
    const { remnant } = JSON.parse(made.remnant('show', first.digest, '--json').stdout)
    expect(remnant.verified_invariants).toMatchObject([{ claim_id: first.probed.held[0], statement: '`sh test.sh` is a gate of `.`', verification_receipt: { host: 'git-remnant', strength: 'reproduced', outcome: { is: 'code', code: 0 } } }])
    expect([remnant.supersedes, remnant.provenance.head]).toEqual([[], made.git('rev-parse', 'HEAD')])
    expect(JSON.parse(made.remnant('resolve', '--json').stdout).remnants).toMatchObject([{ verdict: 'NO_DRIFT' }])
    expect(JSON.parse(made.remnant('verify', '--json').stdout).faults).toEqual([])

    const again = probe(made)
    expect(again).toMatchObject({ status: 0, digest: first.digest, written: false, probed: { held: [], known: first.probed.held } })
    expect([runs(made), remnantsOf(made)]).toEqual([[2, 0], [first.digest]])
  })

  it('runs what was approved by typing what it told to type', () => {
    const made = project()
    const { stdout } = made.remnant('teardown', '--transcript', made.log, '--probe')
    const [, typed = ''] = /hint: read it, then: (git remnant allow -- sh test\.sh)$/m.exec(stdout) ?? []
    expect(made.run(['sh', '-c', `${typed.replace('allow', 'allow --yes')}`]).status).toBe(0)
    expect(probe(made)).toMatchObject({ status: 0, written: true, claims: { verified_invariants: 1 } })
    expect(runs(made)).toEqual([1, 0])
  })

  it('seals nothing of what says otherwise here, or can not make up its mind', () => {
    const made = project()
    approve(made, ...GATES)
    made.write('check.sh', 'sh tools/run check.sh; echo "Error: the sum is wrong"; exit 1\n')
    made.write('test.sh', 'sh tools/run test.sh; [ $(( $(wc -c < ../runs-test.sh) % 2 )) = 1 ]\n')
    const { status, probed } = probe(made)
    expect([status, probed.held]).toEqual([66, []])
    expect(probed.stays.map(({ reason }: { reason: string }) => reason).sort()).toEqual(['falsified', 'flaky', 'mutation'])
    expect(remnantsOf(made)).toEqual([])
  })

  it('leaves nothing half-sealed when it is killed', async () => {
    const made = project()
    approve(made, ...GATES)
    made.write('tools/run', 'printf x >> ../runs-"$1"; for i in 1 2 3 4 5 6 7 8; do [ -e ../go ] && exit 0; sleep 1; done\n')
    const env = { ...process.env, HOME: join(made.base, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
    const child = spawn(process.execPath, [join(made.installation, 'dist/git-remnant.cjs'), 'teardown', '--transcript', made.log, '--probe'], { cwd: made.dir, env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
    while (Math.max(...runs(made)) < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    writeFileSync(join(made.base, 'go'), '')
    expect(remnantsOf(made)).toEqual([])
    expect(probe(made).probed.held).toHaveLength(2)
  })
})
