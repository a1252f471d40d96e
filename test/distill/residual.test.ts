import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf, sha256 } from '../../src/base/digest.ts'
import type { DebugResidual } from '../../src/model/claim.ts'
import { decodeRemnant, encodeRemnant } from '../../src/model/remnant.ts'
import { type Step, distilled, draftOf, kept, purgedBy, ran } from './session.ts'

const blob = (n: number): string => n.toString(16).padStart(40, '0')
const edit = (path: string, before: number | null, after: number | null): Step => ({
  kind: 'edit',
  command: null,
  edits: [{ path: `/home/dev/clockwork/${path}`, before: before === null ? null : blob(before), after: after === null ? null : blob(after) }],
})

const GATE = 'node --test test/clock.test.js'
/** A run of node's own tests in which the named test fails. */
const red = (what = 'keeps the offset', gate = GATE): Step =>
  ran(gate, 1, ['TAP version 13', `not ok 1 - ${what}`, '  ---', "  failureType: 'testCodeFailure'", `  error: 'expected 12 of ${what}'`, "  code: 'ERR_ASSERTION'", "  name: 'AssertionError'", '  ...', '# tests 1', '# pass 0', '# fail 1'].join('\n'))
const green = (gate = GATE): Step => ran(gate, 0, ['TAP version 13', 'ok 1 - keeps the offset', '# tests 1', '# suites 0', '# pass 1', '# fail 0', '# cancelled 0', '# skipped 0', '# todo 0', '# duration_ms 40'].join('\n'))
const CAUSE = 'The clock parses the zone without its sign'
const cause = (more = ''): Step => ran(`git remnant claim --root-cause '${CAUSE}'${more}`, 0, 'admitted')

const patchId = (...rows: [string, number | null, number | null][]): string =>
  digestOf(rows.map(([path, before, after]) => [path, before === null ? null : blob(before), after === null ? null : blob(after)]))

const residualsOf = async (steps: readonly Step[]): Promise<readonly DebugResidual[]> => (await distilled(steps)).remnant?.debug_residuals ?? []

describe('red, edits, green, and a declared cause', () => {
  it('are a residual, with the patch that turned the gate and nothing of the way there', async () => {
    const { remnant } = await distilled([red(), edit('src/clock.js', 1, 2), green(), cause()])
    expect(remnant?.debug_residuals).toEqual([
      {
        claim_id: digestOf(['debug_residual', { argv: GATE.split(' '), env: [], folder: '.', privilege: 'user', where: 'here' }, patchId(['src/clock.js', 1, 2])]),
        root_cause_invariant: CAUSE,
        falsified_branches: [],
        verified_patch_receipt: { patch_id: patchId(['src/clock.js', 1, 2]), diff_sha256: sha256(`${blob(1)} ${blob(2)} src/clock.js\n`) },
        regression_gate_signature: { argv: GATE.split(' '), env: [], folder: '.', privilege: 'user', where: 'here' },
        proof: null,
        verification_receipt: expect.objectContaining({ record_id: 'call-2', strength: 'recorded', outcome: { is: 'code', code: 0 } }),
      },
    ])
    expect(remnant?.provenance.patch_ids).toEqual([patchId(['src/clock.js', 1, 2])])
    const [, keys] = remnant?.claim_dependency_map.find(([id]) => id === remnant.debug_residuals[0]?.claim_id) ?? []
    expect(keys).toEqual(['exists:test/clock.test.js', 'reads:[".","node","--test","test/clock.test.js"]', 'tool:node'])
    if (remnant === null) throw new Error('nothing was kept')
    const { bytes, digest } = encodeRemnant(remnant)
    expect(decodeRemnant(bytes, digest)).toEqual(remnant)
  })

  it('name the attempts that the gate ruled out, and leave out what was given up, put back or run again', async () => {
    const steps = [
      red('keeps the offset'),
      edit('src/clock.js', 1, 2),
      red('keeps the zone'),
      red('keeps the zone'),
      edit('src/clock.js', 2, 7),
      edit('src/clock.js', 7, 2),
      red('keeps the zone'),
      edit('src/zone.js', 5, 6),
      edit('src/clock.js', 2, 3),
      red('keeps the year'),
      edit('src/clock.js', 3, 4),
      green(),
      cause(),
    ]
    const [residual] = await residualsOf(steps)
    const branches = residual?.falsified_branches.map(({ patch_id, terminal_error_signature }) => [patch_id, terminal_error_signature.split('\n')[0]])
    expect(new Map(branches as [string, string][])).toEqual(
      new Map([
        [patchId(['src/clock.js', 1, 2]), '✖ keeps the zone'],
        [patchId(['src/clock.js', 2, 3], ['src/zone.js', 5, 6]), '✖ keeps the year'],
      ]),
    )
    expect(residual?.verified_patch_receipt.patch_id).toBe(patchId(['src/clock.js', 1, 4], ['src/zone.js', 5, 6]))
  })

  it('count the attempts since the gate was last green only', async () => {
    const steps = [red('old'), edit('a.js', 1, 2), red('older'), edit('a.js', 2, 3), green(), edit('a.js', 3, 4), red('new'), edit('a.js', 4, 5), red('newer'), edit('a.js', 5, 6), green(), cause()]
    const [residual] = await residualsOf(steps)
    expect(residual?.falsified_branches.map(({ patch_id }) => patch_id)).toEqual([patchId(['a.js', 4, 5])])
    expect(residual?.verified_patch_receipt.patch_id).toBe(patchId(['a.js', 4, 6]))
  })

  it('have the patch since the first red run from which on the log shows all, and the later ones beside it', async () => {
    const way = async (...steps: Step[]) => {
      const { candidates } = await draftOf([...steps, green(), cause()])
      const its = candidates.find(({ list }) => list === 'debug_residuals')
      return its?.list === 'debug_residuals' ? [its.body.verified_patch_receipt.patch_id, its.parts] : null
    }
    const steps = [red('one'), edit('a.js', 1, 2), red('two'), edit('b.js', 5, 6), red('three'), red('three'), edit('a.js', 2, 3)]
    expect(await way(...steps)).toEqual([patchId(['a.js', 1, 3], ['b.js', 5, 6]), [patchId(['a.js', 2, 3], ['b.js', 5, 6]), patchId(['a.js', 2, 3])]])
    expect(await way(red('none'), ran("sed -i 's/a/b/' c.js"), ...steps)).toEqual(await way(...steps))
    expect(await way(red('one'), edit('a.js', 1, 2), red('two'), edit('a.js', 2, 1))).toBeNull()
  })

  it('keep an attempt whose edits the log does not hold, without a patch id', async () => {
    const [residual] = await residualsOf([red('one'), edit('a.js', 1, null), red('two'), edit('a.js', 2, 3), green(), cause()])
    expect(residual?.falsified_branches.map(({ patch_id }) => patch_id)).toEqual([null])
  })

  it('take the gate that is named, else the one that turned green last', async () => {
    const other = 'npm run lint'
    const steps = [red(), ran(other, 1, 'x'), edit('a.js', 1, 2), green(), edit('b.js', 1, 2), ran(other), green()]
    const gateOf = async (more: string) => (await residualsOf([...steps, cause(more)])).map(({ regression_gate_signature: { argv } }) => argv.join(' '))
    expect(await gateOf('')).toEqual([other])
    expect(await gateOf(` --gate '${GATE}'`)).toEqual([GATE])
    expect(await gateOf(` --by '${GATE}'`)).toEqual([GATE])
  })

  it('rest on the sources, wherever the gate was started', async () => {
    const at = { cwd: '/home/dev/clockwork/packages/a' }
    const { remnant } = await distilled([ran('git status'), { ...red(), ...at }, edit('packages/a/x.js', 1, 2), { ...green(), ...at }, cause()])
    expect(remnant?.claim_dependency_map.find(([id]) => id === remnant.debug_residuals[0]?.claim_id)?.[1]).toContain('reads:["packages/a","node","--test","test/clock.test.js"]')
  })
})

describe('no residual comes of', () => {
  const invariant = `invariant ${CAUSE} [asserted]`
  const gate = `invariant \`${GATE}\` is a gate of \`.\` [recorded]`
  it.each<[string, Step[], string[], string[]]>([
    ['a fix without a declared cause: it stays a gate', [red(), edit('a.js', 1, 2), green()], [gate], []],
    ['edits whose result the log does not hold: it is an invariant', [red(), edit('a.js', 1, null), green(), cause()], [invariant, gate], []],
    ['a change by the shell, whose result nobody recorded', [red(), edit('a.js', 1, 2), ran("sed -i 's/a/b/' b.js"), green(), cause()], [invariant, gate], []],
    ['a gate that turned green by itself', [red(), green(), cause()], [invariant, gate], []],
    ['edits that were put back', [red(), edit('a.js', 1, 2), edit('a.js', 2, 1), green(), cause()], [invariant, gate], []],
    ['a gate that was never red', [edit('a.js', 1, 2), green(), cause()], [gate], ['receipt']],
    ['a gate that is red when the cause is declared', [red(), edit('a.js', 1, 2), green(), edit('a.js', 2, 3), red(), cause()], [], ['receipt']],
    ['a named gate that is red when the cause is declared', [red(), edit('a.js', 1, 2), ran('npm test'), cause(` --gate '${GATE}'`)], ['invariant `npm test` is a gate of `.` [recorded]'], ['precondition', 'receipt']],
    ['a named gate that never ran', [red(), edit('a.js', 1, 2), green(), cause(" --gate 'npm test'")], [gate], ['receipt']],
    ['a gate that fails again', [red(), edit('a.js', 1, 2), green(), cause(), edit('a.js', 2, 3), red()], [], ['receipt']],
    ['sources that changed after the gate was last green', [red(), edit('a.js', 1, 2), green(), cause(), edit('a.js', 2, 3)], [gate], ['precondition']],
    ['a declaration that did not go through', [red(), edit('a.js', 1, 2), green(), { ...cause(), outcome: 1 }], [gate], ['receipt']],
    ['a cause that tells a story', [red(), edit('a.js', 1, 2), green(), ran("git remnant claim --root-cause 'I noticed that the logs looked weird'", 0)], [gate], ['no-deixis']],
  ])('%s', async (_, steps, claims, purged) => {
    const distillation = await distilled(steps)
    expect(distillation.remnant?.debug_residuals ?? []).toEqual([])
    expect(kept(distillation).filter((line) => !line.startsWith('open '))).toEqual([...claims].sort())
    expect(purgedBy(distillation)).toEqual(purged)
  })
})

describe('an open gate', () => {
  it('says what was tried last, and what the gate ruled out', async () => {
    const steps = [green(), edit('a.js', 1, 2), red('first'), edit('a.js', 2, 3), red('second'), edit('a.js', 3, 4), edit('b.js', null, 9), red('third')]
    const { remnant } = await distilled(steps)
    const [handoff] = remnant?.unresolved_handoffs ?? []
    expect(handoff?.terminal_error_signature.split('\n')[0]).toBe('✖ third')
    expect(handoff?.open_since_patch).toBe(patchId(['a.js', 3, 4], ['b.js', null, 9]))
    expect(new Set(handoff?.falsified_branches.map(({ patch_id }) => patch_id))).toEqual(new Set([patchId(['a.js', 2, 3]), patchId(['a.js', 3, 4], ['b.js', null, 9])]))
  })

  it.each([
    ['no edit came before it', [red()], null],
    ['the log does not hold the edits', [red('x'), edit('a.js', 1, null), red('y')], null],
    ['the last edits lie before an earlier run', [edit('a.js', 1, 2), ran(GATE, { is: 'unknown' }), red()], patchId(['a.js', 1, 2])],
  ])('knows its last patch as far as the log does: %s', async (_, steps, patch) => {
    const { remnant } = await distilled(steps)
    expect(remnant?.unresolved_handoffs.map(({ open_since_patch }) => open_since_patch)).toEqual([patch])
  })
})

describe('a patch id', () => {
  it('is the same whatever the order and number of the edits that led there', async () => {
    const files = fc.uniqueArray(fc.constantFrom('a.js', 'b.js', 'src/é.js', 'src/z.js'), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(files, fc.integer({ min: 0, max: 3 }), async (paths, detours) => {
        const direct = paths.map((path) => edit(path, 1, 2))
        const round = [...paths].reverse().flatMap((path) => [...Array.from({ length: detours }, (_, i) => edit(path, i === 0 ? 1 : 10 + i, 11 + i)), edit(path, detours === 0 ? 1 : 10 + detours, 2)])
        const [one] = await residualsOf([red(), ...direct, green(), cause()])
        const [other] = await residualsOf([red(), ...round, green(), cause()])
        expect(other?.claim_id).toBe(one?.claim_id)
        expect(one?.claim_id).toMatch(/^[0-9a-f]{64}$/)
      }),
      { numRuns: 12 },
    )
  })
})
