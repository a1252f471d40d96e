import { describe, expect, it } from 'vitest'
import { draft, seal } from '../../src/distill.ts'
import { type Grounds, earlierSeals } from '../../src/distill/seal.ts'
import { AMBIENT, STRUCTURAL } from '../../src/model/key.ts'
import { encodeRemnant, incoherence, fingerprintOf } from '../../src/model/remnant.ts'
import { distilled, draftOf, edited, kept, plainValues, purgedBy, ran, sets, stream, turnsOf, type Step } from './session.ts'

const GREEN = '# tests 3\n# pass 3\n# fail 0\n'
const session: readonly Step[] = [
  ran('npm test', 0, GREEN),
  ran('jest', 127, 'bash: line 1: jest: command not found\n'),
  ran('git push origin main', 0, 'To github.com:dev/clockwork.git\n   1a2b3c4..5d6e7f8  main -> main\n'),
]

describe('a seal says only what was seen', () => {
  it('holds every causal and structural key, sorted, under one fingerprint', async () => {
    const { remnant } = await distilled(session)
    if (remnant === null) throw new Error('nothing was kept')
    expect(incoherence(remnant)).toBeNull()
    expect(remnant.environment_fingerprint).toBe(fingerprintOf(remnant.baseline_key_hashes))
    const sealedKeys = remnant.baseline_key_hashes.map(([key]) => key)
    for (const [, keys] of remnant.claim_dependency_map) for (const key of keys) expect(sealedKeys).toContain(key)
    expect(sealedKeys).toEqual(expect.arrayContaining([...STRUCTURAL]))
  })

  it('purges as unsealed what nobody looked at', async () => {
    const made = await draftOf(session)
    const result = seal(made, plainValues(made.wanted), 'journal')
    expect(result.remnant).toBeNull()
    expect(purgedBy(result)).toEqual(['unsealed', 'unsealed', 'unsealed'])
  })

  it('purges what rests on a key that could not be read, and keeps the rest', async () => {
    const made = await draftOf(session)
    const values = new Map(plainValues(made.wanted))
    values.set('file:package.json', { unreadable: 'too slow' })
    const result = seal(made, values, 'here')
    expect(kept(result)).toEqual(['done git push origin main = refs/heads/main', 'program-missing jest'])
    expect(purgedBy(result)).toEqual(['unsealed'])
  })

  it('keeps what was done there, wherever the name of the target points by now', async () => {
    expect(kept(await distilled(session.slice(2), { 'target:git-remote/origin': 'elsewhere.example:x.git' }))).toEqual(['done git push origin main = refs/heads/main'])
  })

  it('purges a missing program that is there by now', async () => {
    expect(purgedBy(await distilled(session, { 'absent-tool:jest': 'present' }))).toEqual(['precondition'])
  })

  it('takes from a log that was made here what has not changed since', async () => {
    const made = await draftOf([ran('npm test', 0, GREEN)])
    const at = Date.parse('2026-06-01T10:00:00Z')
    const changedAt = (changed: number) => new Map([...plainValues(made.wanted)].map(([key, reading]) => [key, key === 'file:package.json' ? { ...reading, changed } : reading]))
    expect(kept(seal(made, changedAt(at - 1), 'own-place'))).toHaveLength(1)
    expect(purgedBy(seal(made, changedAt(at + 1), 'own-place'))).toEqual(['unsealed'])
  })

  it('takes what an earlier seal of the session recorded for the claim, while it is the same', async () => {
    const made = await draftOf([ran('npm test', 0, GREEN)])
    const late = (value: string) => new Map([...plainValues(made.wanted)].map(([key, reading]) => [key, key === 'file:package.json' ? { value, changed: Date.parse('2027-01-01') } : reading]))
    const first = seal(made, plainValues(made.wanted), 'own-place').remnant
    const earlier = earlierSeals(first === null ? [] : [first])
    expect(kept(seal(made, late('value of file:package.json'), 'own-place', earlier))).toHaveLength(1)
    expect(purgedBy(seal(made, late('another'), 'own-place', earlier))).toEqual(['unsealed'])
    expect(purgedBy(seal(made, late('value of file:package.json'), 'own-place'))).toEqual(['unsealed'])
  })

  it('takes what a journal saw at that moment, and purges it if it has changed since', async () => {
    const made = await draftOf([ran('npm test', 0, GREEN)])
    const seen = Object.fromEntries(made.wanted.map((key) => [key, `value of ${key}`]))
    const witnessed = await draft(stream(turnsOf([ran('npm test', 0, GREEN, { keys: seen })])), sets, { journal: true, roots: [], ambient: AMBIENT, structural: STRUCTURAL })
    expect(kept(seal(witnessed, new Map(), 'journal'))).toHaveLength(1)
    expect(kept(seal(witnessed, plainValues(made.wanted), 'journal'))).toHaveLength(1)
    expect(purgedBy(seal(witnessed, plainValues(made.wanted, { 'file:package.json': 'other' }), 'journal'))).toEqual(['precondition'])
  })
})

describe('a command of unknown effects after a run that was witnessed', () => {
  const keys = { 'file:package.json': 'value of file:package.json', 'tool:npm': 'value of tool:npm', 'tool:node': 'value of tool:node', 'file:.npmrc': 'value of file:.npmrc' }
  const seen = ran('npm test', 0, GREEN, { keys, host: 'git-remnant' })
  const gate = ['invariant `npm test` is a gate of `.` [witnessed]']
  it.each<[string, Step, Readonly<Record<string, string>>, string[], string[]]>([
    ['takes nothing away where all is as it was', ran('make -C sub', 2, 'make: *** [x] Error 1'), {}, gate, []],
    ['nor does an edit that was put back', edited('package.json'), {}, gate, []],
    ['ends what rests on something that is another now', ran('make -C sub', 2, 'make: *** [x] Error 1'), { 'file:package.json': 'another' }, [], ['precondition']],
    ['ends it where it may have changed programs too, whose versions tell of no plug-in', ran('npm install'), {}, [], ['precondition', 'effect']],
  ])('%s', async (_, step, other, stays, purged) => {
    const here = await distilled([{ ...seen, keys: { ...keys, ...Object.fromEntries(STRUCTURAL.map((key) => [key, `value of ${key}`])) } }, { ...step, host: 'git-remnant' }], other, 'journal')
    expect(kept(here)).toEqual(stays)
    expect(here.purged.filter(({ list }) => list === 'verified_invariants').map(({ rule }) => rule)).toEqual(purged)
  })

  it('leaves what an agent’s hooks saw, and ends it where that is another now', async () => {
    const hooked = { ...seen, host: 'claude-code', keys: { ...keys, ...Object.fromEntries(STRUCTURAL.map((key) => [key, `value of ${key}`])) } }
    const steps = [hooked, ran('make -C sub', 2, 'make: *** [x] Error 1')]
    expect(kept(await distilled(steps, {}, 'journal'))).toHaveLength(1)
    expect(purgedBy(await distilled(steps, { 'file:package.json': 'another' }, 'journal'))).toContain('precondition')
  })

  it('ends what can not be read again', async () => {
    const made = await draftOf([{ ...seen, keys: { ...keys, ...Object.fromEntries(STRUCTURAL.map((key) => [key, `value of ${key}`])) } }, ran('make deps', 0, '', { host: 'git-remnant' })])
    const values = new Map(plainValues(made.wanted))
    values.set('file:package.json', { unreadable: 'too slow' })
    expect(purgedBy(seal(made, values, 'journal'))).toContain('precondition')
  })

  it('ends what nobody looked at, and a dead end that a new right may have ended', async () => {
    expect(purgedBy(await distilled([ran('npm test', 0, GREEN), ran('make deps')]))).toEqual(['precondition'])
    const denied = ran('gh pr create', 4, 'gh: To use GitHub CLI in a script, set the GH_TOKEN environment variable.', { keys: { privilege: 'value of privilege', 'env:GH_TOKEN': 'value of env:GH_TOKEN' } })
    expect(kept(await distilled([denied]))).toEqual(['denied gh pr create'])
    expect(kept(await distilled([denied, ran('gh auth login')]))).toEqual([])
  })
})

describe('a command of unknown effects after a run that stands in a log alone', () => {
  const before = Date.parse('2026-06-01T09:00:00Z')
  const after = Date.parse('2026-06-01T10:30:00Z')
  const dated = async (steps: readonly Step[], grounds: Grounds, others: Readonly<Record<string, { readonly changed?: number; readonly moved?: number }>> = {}) => {
    const made = await draftOf(steps)
    return seal(made, new Map([...plainValues(made.wanted)].map(([key, reading]) => [key, { ...reading, changed: before, ...others[key] }])), grounds)
  }
  const green = [ran('npm test', 0, GREEN), ran('./fix.sh')]

  it.each<Grounds>(['here', 'own-place'])('takes nothing away where the files themselves are older (%s)', async (grounds) => {
    const distillation = await dated(green, grounds)
    expect(kept(distillation)).toEqual(['invariant `npm test` is a gate of `.` [recorded]'])
    expect([...(distillation.sightings.values().next().value as ReadonlyMap<string, string>)]).toContainEqual(['file:package.json', 'unchanged'])
  })

  it.each<[string, readonly Step[], Readonly<Record<string, { readonly changed?: number; readonly moved?: number }>>]>([
    ['a file is younger', green, { 'file:package.json': { changed: after } }],
    ['a program is younger, and the text can not be read', [ran('npm test', 0, GREEN), ran('if [ x')], { 'tool:npm': { changed: after } }],
    ['a folder above it was moved', green, { 'file:package.json': { moved: after } }],
    ['nobody knows its date', green, { 'file:package.json': { changed: Number.NaN } }],
    ['the log says that it was changed', [...green, edited('package.json')], {}],
    ['the command is there to change programs', [ran('npm test', 0, GREEN), ran('npm install')], {}],
    ['the log does not say when it ran', [ran('npm test', 0, GREEN, { at: null }), ran('./fix.sh')], {}],
  ])('ends it where %s', async (_, steps, others) => {
    for (const grounds of ['here', 'own-place'] as const) {
      const distillation = await dated(steps, grounds, others)
      expect(kept(distillation).filter((one) => one.includes('npm test'))).toEqual([])
      expect(distillation.purged.map(({ rule }) => rule)).toContain('precondition')
    }
  })

  it('leaves a gate of a workspace where no manifest and no folder is younger, and ends it where one is', async () => {
    const steps = [ran('npm -w a test', 0, GREEN), ran('./fix.sh')]
    expect(kept(await dated(steps, 'own-place'))).toEqual(['invariant `npm -w a test` is a gate of `.` [recorded]'])
    for (const later of [{ changed: after }, { moved: after }, { moved: Number.POSITIVE_INFINITY }]) expect(kept(await dated(steps, 'own-place', { 'manifests:package.json': later }))).toEqual([])
  })

  it('ends what rests on more than files that were named: all that a command may read has no date', async () => {
    const red = [ran('npm test', 1, '# fail 1\nnot ok 1 - adds'), ran('npm test', 1, '# fail 1\nnot ok 1 - adds'), ran('./fix.sh')]
    expect(kept(await dated(red.slice(0, 2), 'here'))).toHaveLength(1)
    expect(kept(await dated(red, 'here'))).toEqual([])
  })

  it.each<[string, Step]>([
    ['what is removed lies in a temporary folder', ran('rm -rf /tmp/scratch /var/tmp/x')],
    ['nobody knows which file was edited', { kind: 'edit', command: null, edits: [{ path: '.', before: null, after: null }] }],
  ])('takes nothing away where %s', async (_, step) => {
    expect(kept(await dated([ran('npm test', 0, GREEN), step], 'own-place'))).toHaveLength(1)
  })

  it('ends it where what is removed outside may be a program, and a dead end where a program may have got what it lacked', async () => {
    expect(kept(await dated([ran('npm test', 0, GREEN), ran('rm -rf /opt/node')], 'here')).filter((one) => one.includes('gate'))).toEqual([])
    const lacking = [ran('npm run typecheck', 1, 'npm error Missing script: "typecheck"'), ran('if [ x')]
    expect(kept(await dated(lacking.slice(0, 1), 'here'))).toHaveLength(1)
    expect(kept(await dated(lacking, 'here'))).toEqual([])
  })

  it('leaves a folder that a check names there when a file is put into it', async () => {
    const check = ran('go build ./src')
    const put = (before: string | null, after: string | null): Step => ({ kind: 'edit', command: null, edits: [{ path: '/home/dev/clockwork/src/new.go', before, after }] })
    expect(kept(await dated([check, put(null, 'b'.repeat(40))], 'here'))).toHaveLength(1)
    expect(kept(await dated([check, put('b'.repeat(40), null)], 'here'))).toEqual([])
  })

  it('takes the last run, which the most of the session stands behind', async () => {
    const { remnant } = await dated([ran('npm test', 0, GREEN), ran('./fix.sh'), ran('npm test', 0, GREEN), ran('./fix.sh')], 'here')
    expect(remnant?.verified_invariants[0]?.verification_receipt.record_id).toBe('call-2')
  })
})

describe('the same claims give the same digest', () => {
  const digest = async (steps: readonly Step[]) => {
    const { remnant } = await distilled(steps)
    return remnant === null ? null : encodeRemnant(remnant).digest
  }

  it('however long the talk went on', async () => {
    const longer = [...session, ran('ls', 0, 'a'), ran('cat README.md', 0, 'x'), ran('npm test', 0, GREEN), ran('grep x y', 1, '')]
    expect(await digest(longer)).toBe(await digest(session))
    expect(await digest([...session, edited('src/a.js')])).toBe(await digest(session))
  })

  it('whatever the machine’s folders are named', async () => {
    const elsewhere = session.map((step) => ({ ...step, cwd: '/Users/ann/work/clockwork' }))
    expect(await digest(elsewhere)).toBe(await digest(session))
  })

  it('and other claims another', async () => {
    expect(await digest(session.slice(0, 2))).not.toBe(await digest(session))
  })
})
