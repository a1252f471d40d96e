import { describe, expect, it } from 'vitest'
import reprobe from '../../src/commands/reprobe.ts'
import { ephemera } from '../../src/ephemera.ts'
import { mutations } from '../../src/mutations.ts'
import { rules } from '../../src/rules.ts'
import { toolchains } from '../../src/signatures.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import type { Collected } from '../../src/host/processes.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Key, Reading } from '../../src/model/key.ts'
import type { Probe } from '../../src/model/probe.ts'
import type { Remnant } from '../../src/model/remnant.ts'
import { resolveHere } from '../../src/host/here.ts'
import { type Keyed, type Shape, SEALED, deadEnd, declared, deed, gate, handoff, held, idOf, residual } from '../resolve/records.ts'
import { given, stage } from '../stage.ts'

const KEYS = ['file:package.json']
const TEST = gate(['npm', 'test'], KEYS)
const LINT = gate(['make', 'lint'], ['file:Makefile'])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')
const MISSED: Keyed = (() => {
  const claim = deadEnd(['jest'], 'jest: command not found', [['absent-tool:jest', 'absent']])
  return { ...claim, claim: { ...claim.claim, class: 'program-missing' } as never }
})()
const DECLARED: Keyed = (() => {
  const claim = declared('the tests need no network', ['npm', 'test'], KEYS)
  return { ...claim, claim: { ...claim.claim, effect: { verb: 'require', kind: 'path', value: 'cache' } } as never }
})()
const RED = 'Error: the duration is wrong\n'
const redTest = (signature = 'Error: the duration is wrong') => {
  const claim = deadEnd(['npm', 'test'], signature, [['tree:.', null]])
  return { ...claim, claim: { ...claim.claim, class: 'red' } as never }
}

type Script = readonly (Partial<Collected> & { readonly changes?: Readonly<Record<Key, string>> })[]

/** A work tree in which keys are what the test says, and in which each command ends as its script says, run after run. */
async function ground({ claims = [TEST, LINT], sealed = {}, shapes, now = {}, script = {}, approved = ['npm test', 'make lint'] }: {
  claims?: readonly Keyed[]
  sealed?: Readonly<Record<Key, string>>
  shapes?: readonly (Shape & { readonly claims: readonly Keyed[] })[]
  now?: Readonly<Record<Key, string | null>>
  script?: Readonly<Record<string, Script>>
  approved?: readonly string[]
}) {
  const baselines = { ...SEALED, 'file:Makefile': 'blob-3', ...sealed }
  const values = new Map<Key, string | null>(Object.entries({ ...baselines, ...now }))
  const ran: string[] = []
  const probes = ['absent-tool', 'exists', 'file', 'lock', 'makefiles', 'os-release', 'platform', 'privilege', 'reads', 'repository', 'target', 'tool', 'tree'].map((id): Probe => ({
    id,
    why: 'a stand-in',
    argument: ['absent-tool', 'exists', 'file', 'lock', 'makefiles', 'reads', 'target', 'tool', 'tree'].includes(id) ? 'ARGUMENT' : '',
    read: async (argument): Promise<Reading> => {
      const value = values.get(argument === '' ? id : `${id}:${argument}`)
      if (value === null) throw new Error('gone')
      return { value: value ?? (id === 'file' ? 'absent' : id === 'absent-tool' ? 'absent' : `value of ${argument}`) }
    },
  }))
  const made = stage({
    sets: { toolchains, mutations, rules, ephemera, probes },
    host: {
      world: async () => ({ rootCommit: async () => 'root' }) as never,
      processes: {
        through: () => Promise.reject(new Error('not asked for')),
        collect: async (argv) => {
          const command = argv.join(' ')
          const end = script[command]?.[ran.filter((one) => one === command).length] ?? {}
          ran.push(command)
          for (const [key, value] of Object.entries(end.changes ?? {})) values.set(key, value)
          return { status: 0, signal: null, timedOut: false, output: '', stdout: '', cut: false, ...end }
        },
      },
    },
  })
  const digests: string[] = []
  for (const { claims: of, ...shape } of shapes ?? [{ claims }]) digests.push((await made.store.write(held(of, { sealed: baselines, ...shape }).remnant)).digest)
  const approvals = openApprovals(made.repository, made.files, 'root')
  for (const command of approved) approvals.approve(commandOf(command.split(' ')))
  const run = async (options: Parameters<typeof given>[0] = {}) => {
    const { data, text, status } = await reprobe.run(given(options), made.host)
    return { ...(data as { digest: string | null; held: string[]; falsified: string[]; fell: string[]; suspended: { claim_id: string; reason: string }[] }), text, status: status ?? 0 }
  }
  const shown = async (digest: string | null): Promise<Remnant> => ((await made.store.read(digest ?? '')) as { remnant: Remnant }).remnant
  const verdicts = async () => (await resolveHere(made.host)).resolution.remnants.map(({ verdict }) => verdict)
  return { ...made, digests, ran, run, shown, verdicts }
}

const drifted = { 'file:package.json': 'blob-9' }
const red = (output = RED) => ({ status: 1, output })

describe('reprobe', () => {
  it('runs nothing where nothing is suspended', async () => {
    const { run, ran } = await ground({})
    expect([await run(), ran]).toMatchObject([{ digest: null, held: [], suspended: [], status: 0, text: 'nothing is suspended; nothing was run' }, []])
  })

  it('runs a gate once that holds, and carries what holds beside it', async () => {
    const { run, ran, shown, digests, verdicts } = await ground({ now: drifted })
    const found = await run()
    expect([found, ran]).toMatchObject([{ held: [idOf(TEST)], falsified: [], fell: [], suspended: [], status: 0 }, ['npm test']])
    const remnant = await shown(found.digest)
    expect(remnant.supersedes).toEqual([[digests[0], [idOf(TEST), idOf(LINT)].sort()]])
    expect(remnant.verified_invariants.map((claim) => [claim.claim_id, claim.verification_receipt.host, claim.verification_receipt.strength])).toEqual(
      [[idOf(TEST), 'git-remnant', 'reproduced'], [idOf(LINT), 'claude-code', 'recorded']].sort(),
    )
    expect(await verdicts()).toEqual(['NO_DRIFT'])
  })

  it('tries all of a remnant after a structural drift, but for what was done: that stays done', async () => {
    const { run, ran, shown, digests } = await ground({ claims: [TEST, LINT, PUSH, MISSED], sealed: { 'absent-tool:jest': 'absent' }, now: { platform: 'linux arm64 glibc' } })
    const found = await run()
    expect([found.held, found.suspended, ran.sort()]).toEqual([[TEST, LINT, MISSED].map(idOf).sort(), [], ['make lint', 'npm test']])
    const remnant = await shown(found.digest)
    expect(remnant.supersedes).toEqual([[digests[0], [TEST, LINT, PUSH, MISSED].map(idOf).sort()]])
    expect(remnant.falsified_boundaries[0]?.verification_receipt.host).toBe('claude-code')
  })

  it('lets a missed program fall that is there now, where there is something to seal in its place', async () => {
    const absent = { sealed: { 'absent-tool:jest': 'absent' }, now: { 'absent-tool:jest': 'present' } }
    const beside = await ground({ claims: [LINT, MISSED], ...absent })
    expect([await beside.run(), beside.ran]).toMatchObject([{ fell: [idOf(MISSED)], suspended: [], status: 0 }, []])
    const alone = await ground({ claims: [MISSED], ...absent })
    expect(await alone.run()).toMatchObject({ digest: null, fell: [], suspended: [{ claim_id: idOf(MISSED), reason: 'nothing-left' }], status: 1 })
  })

  it('believes a gate that is red when it is red twice, and seals its words', async () => {
    const { run, ran, shown } = await ground({ now: drifted, script: { 'npm test': [red(), red()] } })
    const found = await run()
    expect([found, ran]).toMatchObject([{ held: [], falsified: [idOf(TEST)], suspended: [], status: 0 }, ['npm test', 'npm test']])
    expect((await shown(found.digest)).falsified_boundaries).toMatchObject([{ class: 'red', terminal_error_signature: 'Error: the duration is wrong', verification_receipt: { strength: 'reproduced' } }])
  })

  it.each([
    ['red and green', [red(), {}], 'flaky', 2],
    ['red in three ways', [red('Error: one\n'), red('Error: two\n'), red('Error: three\n')], 'flaky', 3],
    ['late', [{ timedOut: true, status: 143, signal: 'SIGTERM' }], 'time-out', 1],
    ['killed', [{ status: 137, signal: 'SIGKILL' }], 'transient', 1],
    ['green with words that say red', [{ output: '# tests 3\n# suites 0\n# pass 2\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n# duration_ms 61.2\n' }], 'unclear', 1],
  ])('leaves a gate suspended that is %s', async (_, script, reason, times) => {
    const { run, ran, digests, store } = await ground({ now: drifted, script: { 'npm test': script } })
    expect([await run(), ran.length]).toMatchObject([{ digest: null, held: [], falsified: [], suspended: [{ claim_id: idOf(TEST), reason }], status: 1 }, times])
    expect(await store.digests()).toEqual(digests)
  })

  it('takes the status for what a gate says that is red without a word', async () => {
    const { run, shown } = await ground({ now: drifted, script: { 'npm test': [red(''), red('')] } })
    const found = await run()
    expect(found.falsified).toEqual([idOf(TEST)])
    expect((await shown(found.digest)).falsified_boundaries.map(({ class: kind, terminal_error_signature }) => [kind, terminal_error_signature])).toEqual([['red', 'exit status 1']])
  })

  it.each<[string, Keyed, string]>([
    ['not approved', TEST, 'hint: read its command and approve it: git remnant allow CLAIM'],
    ['declared alone', DECLARED, 'hint: once CMD passes, declare it again with --gate CMD in place of --effect'],
    ['a dead end that may do harm', deadEnd(['./deploy.sh'], 'boom', [['file:package.json', null]]), 'hint: "git remnant why CLAIM" names its command; what you run yourself, as git remnant run -- CMD, is witnessed and sealed anew'],
  ])('names one safe next step for what stays suspended: %s', async (_, claim, hint) => {
    const { run } = await ground({ claims: [claim], now: drifted, approved: [] })
    for (const options of [{}, { 'dry-run': true }]) {
      const lines = ((await run(options)).text ?? '').split('\n')
      expect(lines[0]).toMatch(new RegExp(`^suspended  ${idOf(claim).slice(0, 12)}  `))
      expect(lines[1]).toBe(`  ${hint.replace('CLAIM', idOf(claim).slice(0, 12))}`)
    }
  })

  it('says that only a declared gate makes a declared claim one that can be run again', async () => {
    const { run } = await ground({ claims: [DECLARED], now: drifted })
    const found = await run()
    expect(found).toMatchObject({ suspended: [{ claim_id: idOf(DECLARED), reason: 'declared' }] })
    expect(found.text).toContain('it was declared, and names no check of its own: only a claim declared with --gate CMD can be run again')
  })

  it('believes what two of three red runs say', async () => {
    const { run, ran } = await ground({ now: drifted, script: { 'npm test': [red('Error: one\n'), red('Error: two\n'), red('Error: one\n')] } })
    expect([await run(), ran.length]).toMatchObject([{ falsified: [idOf(TEST)] }, 3])
  })

  it('answers a contradiction by one command, for both sides', async () => {
    const shapes = [{ session: 'a', claims: [TEST, LINT] }, { session: 'b', claims: [redTest()] }]
    const passes = await ground({ shapes })
    expect(await passes.verdicts()).toEqual(expect.arrayContaining(['PARTIAL_REPROBE_REQUIRED', 'FULL_RECONSTRUCTION_REQUIRED']))
    const green = await passes.run()
    expect([green, passes.ran]).toMatchObject([{ held: [idOf(TEST)], fell: [idOf(redTest())], status: 0 }, ['npm test', 'npm test']])
    expect((await passes.shown(green.digest)).supersedes.map(([digest]) => digest)).toEqual([...passes.digests].sort())
    expect(await passes.verdicts()).toEqual(['NO_DRIFT'])

    const fails = await ground({ shapes, script: { 'npm test': [red(), red()] } })
    expect(await fails.run()).toMatchObject({ held: [idOf(redTest())], falsified: [idOf(TEST)], status: 0 })
    expect(await fails.verdicts()).toEqual(['NO_DRIFT'])
  })

  it('keeps an open gate open that fails as it did', async () => {
    const open = handoff(['npm', 'test'], 'Error: the duration is wrong', KEYS)
    const { run, ran, shown } = await ground({ claims: [open], now: drifted, script: { 'npm test': [red()] } })
    const found = await run()
    expect([found.held, ran.length, (await shown(found.digest)).unresolved_handoffs.length]).toEqual([[idOf(open)], 1, 1])
  })

  it('carries a residual whose gate is green', async () => {
    const fixed = residual('a list is sorted before it is cut', ['npm', 'test'], KEYS)
    const { run, shown } = await ground({ claims: [fixed], now: drifted })
    const found = await run()
    const remnant = await shown(found.digest)
    expect([found.held, remnant.debug_residuals.length, remnant.provenance.patch_ids]).toEqual([[idOf(fixed)], 1, ['a'.repeat(40)]])
  })

  it('answers the claims that were asked for, and no others', async () => {
    const both = { ...drifted, 'file:Makefile': 'blob-9' }
    const { run, ran, shown, digests, verdicts } = await ground({ now: both })
    const found = await run({ claim: [idOf(LINT).slice(0, 10)] })
    expect([found.held, found.suspended, ran]).toEqual([[idOf(LINT)], [], ['make lint']])
    expect((await shown(found.digest)).supersedes).toEqual([[digests[0], [idOf(LINT)]]])
    expect((await verdicts()).sort()).toEqual(['FULL_RECONSTRUCTION_REQUIRED', 'NO_DRIFT'])
  })

  it('ends with 77 where all that was asked for is not approved, with 1 where some is', async () => {
    const both = { ...drifted, 'file:Makefile': 'blob-9' }
    const none = await ground({ now: both, approved: [] })
    expect([await none.run(), none.ran]).toMatchObject([{ digest: null, status: 77, suspended: [{ reason: 'not-approved' }, { reason: 'not-approved' }] }, []])
    const some = await ground({ now: both, approved: ['npm test'] })
    expect(await some.run()).toMatchObject({ held: [idOf(TEST)], status: 1, suspended: [{ claim_id: idOf(LINT), reason: 'not-approved' }] })
  })

  it('says what it would run, and runs nothing', async () => {
    const { run, ran, store, digests } = await ground({ now: drifted })
    expect(await run({ 'dry-run': true })).toMatchObject({ digest: null, dry_run: true, would_run: [{ command: commandOf(['npm', 'test']), claims: [idOf(TEST)] }], status: 0 })
    expect([ran, await store.digests()]).toEqual([[], digests])
  })

  it('takes what its own run changed for no baseline', async () => {
    const { run } = await ground({ claims: [TEST], now: drifted, script: { 'npm test': [{ changes: { 'file:package.json': 'blob-10' } }] } })
    expect(await run()).toMatchObject({ digest: null, suspended: [{ claim_id: idOf(TEST) }], status: 1 })
  })

  it('seals nothing that a later command changed', async () => {
    const both = { ...drifted, 'file:Makefile': 'blob-9' }
    const { run } = await ground({ now: both, script: { 'make lint': [{ changes: { 'file:package.json': 'blob-10' } }], 'npm test': [{ changes: { 'file:Makefile': 'blob-10' } }] } })
    const found = await run()
    expect(found.suspended).toEqual(expect.arrayContaining([expect.objectContaining({ reason: 'keys-changed' })]))
    expect(found.held).toHaveLength(1)
  })

  it('carries of what holds only what still does when it is done', async () => {
    const { run, shown, digests } = await ground({ now: drifted, script: { 'npm test': [{ changes: { 'file:Makefile': 'blob-9' } }] } })
    const found = await run()
    expect((await shown(found.digest)).supersedes).toEqual([[digests[0], [idOf(TEST)]]])
  })

  it('names a claim that is not here, and refuses what is no name', async () => {
    const { run, host } = await ground({ now: drifted })
    expect(await run({ claim: ['00000000'] })).toMatchObject({ status: 1, text: 'no claim and no remnant here begins with "00000000"' })
    await expect(reprobe.run(given({ claim: ['zz'] }), host)).rejects.toMatchObject({ fault: 'misuse' })
  })
})
