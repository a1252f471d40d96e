import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const SAMPLE = fileURLToPath(new URL('../sample', import.meta.url))
const LOG = join(SAMPLE, 'session.jsonl')

/** A clone of the sample's project, in the state in which its session left it. */
function sampleClone(options?: Parameters<typeof clone>[0]): Clone {
  const made = clone(options)
  cpSync(join(SAMPLE, 'project'), made.dir, { recursive: true })
  made.git('remote', 'add', 'origin', 'git@git.example.com:dev/clockwork.git')
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

const json = (made: Clone, ...args: string[]) => JSON.parse(made.remnant(...args, '--json').stdout)

describe('a session log becomes a sealed remnant, and a successor knows what still holds', () => {
  it('from teardown to drift and back', () => {
    const made = sampleClone({ fresh: true })
    const sealed = json(made, 'teardown', '--transcript', LOG, '--here')
    expect(sealed).toMatchObject({ schemaVersion: 1, written: true, claims: { verified_invariants: 3, falsified_boundaries: 2, non_idempotent_commits: 1 } })
    expect(sealed.ref).toBe(`refs/remnants/${sealed.digest}`)
    expect(made.git('rev-parse', '--verify', sealed.ref)).toMatch(/^[0-9a-f]{40}/)
    expect(json(made, 'teardown', '--transcript', LOG, '--here')).toMatchObject({ digest: sealed.digest, written: false })

    const before = json(made, 'resolve').remnants
    expect(before).toMatchObject([{ digest: sealed.digest, verdict: 'NO_DRIFT', reason: null, drifted_keys: [], invalidated_claims: [] }])
    expect(before[0].retained_claims).toHaveLength(6)

    writeFileSync(join(made.dir, 'package.json'), readFileSync(join(made.dir, 'package.json'), 'utf8').replace('{', '{ "description": "changed",'))
    const after = json(made, 'resolve').remnants[0]
    expect(after).toMatchObject({ verdict: 'PARTIAL_REPROBE_REQUIRED', drifted_keys: ['file:package.json'] })
    expect([after.retained_claims.length, after.invalidated_claims.length]).toEqual([3, 3])
    const { text } = json(made, 'brief')
    expect(text).toContain('`make lint` is a gate of `.`')
    expect(text).not.toContain('`npm test` is a gate')
    for (const id of after.invalidated_claims) expect(text).toContain(id.slice(0, 12))

    made.git('checkout', '-q', '--', 'package.json')
    expect(json(made, 'resolve').remnants[0].verdict).toBe('NO_DRIFT')
    expect(made.git('status', '--porcelain')).toBe('')
  })

  it('keeps nothing of a log that was made elsewhere, unless somebody vouches for this tree', () => {
    const made = sampleClone()
    const plain = made.remnant('teardown', '--transcript', LOG)
    expect(plain.status).toBe(66)
    expect(plain.stdout).toContain('unsealed')
    expect(plain.stdout).toContain('--here')
    expect(made.git('for-each-ref', 'refs/remnants')).toBe('')
  })

  it('says of each claim what it rests on, and of a purged one by which rule', () => {
    const made = sampleClone()
    made.remnant('teardown', '--transcript', LOG, '--here')
    const gate = json(made, 'resolve').remnants[0].retained_claims.map((id: string) => made.remnant('why', id.slice(0, 12)).stdout).find((text: string) => text.includes('`make lint` is a gate'))
    expect(gate).toContain('file:Makefile')
    expect(gate).toContain('recorded')
    expect(json(made, 'verify')).toMatchObject({ checked: 1, faults: [] })
  })

  it('brings lost and reformatted copies back', () => {
    const made = sampleClone()
    const { digest } = json(made, 'teardown', '--transcript', LOG, '--here')
    const copy = join(made.dir, '.remnants', digest.slice(0, 2), `${digest}.json`)
    const bytes = readFileSync(copy, 'utf8')
    writeFileSync(copy, JSON.stringify(JSON.parse(bytes), null, 2))
    expect(made.remnant('brief').stdout).toContain('make lint')
    expect(readFileSync(copy, 'utf8')).toBe(bytes)
    made.git('clean', '-fdxq')
    expect(json(made, 'verify').faults).toEqual([])
    expect(made.remnant('checkout').status).toBe(0)
    expect(readFileSync(copy, 'utf8')).toBe(bytes)
  })
})

describe('what can not be read is refused with nothing stored', () => {
  it.each([
    ['an empty file', Buffer.alloc(0), /empty/],
    ['a binary file', Buffer.from([0, 1, 2, 3, 10, 0, 0]), /NUL|UTF-8/],
    ['an unknown format', Buffer.from('{"hello":"world"}\n{"hello":"again"}\n'), /not recognised/],
    ['a text', Buffer.from('dear diary\n'), /not JSON/],
  ])('%s', (_, bytes, message) => {
    const made = sampleClone()
    writeFileSync(join(made.base, 'log.jsonl'), bytes)
    const { status, stderr } = made.remnant('teardown', '--transcript', join(made.base, 'log.jsonl'), '--here')
    expect(status).toBe(65)
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/hint: /)
    expect(made.git('for-each-ref', 'refs/remnants')).toBe('')
    expect(made.read('.remnants')).toBeNull()
  })

  it('a log cut in the middle of a line is read up to the cut', () => {
    const made = sampleClone()
    const whole = readFileSync(LOG)
    writeFileSync(join(made.base, 'cut.jsonl'), whole.subarray(0, whole.byteLength - 400))
    expect(made.remnant('teardown', '--transcript', join(made.base, 'cut.jsonl'), '--here').status).toBe(0)
  })

  it('a repository of a kind that nobody here knows', () => {
    const made = clone()
    const dir = join(made.base, 'odd')
    made.git('init', '-q', dir)
    made.git('-C', dir, 'config', 'core.repositoryFormatVersion', '1')
    made.git('-C', dir, 'config', 'extensions.oddObjects', 'true')
    const { status, stderr } = made.run(['git', 'remnant', 'teardown', '--transcript', LOG, '--here'], { cwd: dir })
    expect(status).toBe(69)
    expect(stderr).toMatch(/oddobjects/i)
    expect(readdirSync(dir)).toEqual(['.git'])
  })

  it('a folder outside any repository', () => {
    const made = clone()
    expect(made.run(['git', 'remnant', 'brief'], { cwd: made.base }).status).toBe(69)
  })
})

describe('the same log with the same key values gives the same bytes', () => {
  it('whatever the folder, the time zone and the locale', () => {
    const [a, b] = [sampleClone(), sampleClone()]
    a.run(['git', 'remnant', 'teardown', '--transcript', LOG, '--here'], { env: { TZ: 'Pacific/Auckland', LC_ALL: 'de_DE.UTF-8', LANG: 'de_DE.UTF-8' } })
    b.run(['git', 'remnant', 'teardown', '--transcript', LOG, '--here'], { cwd: join(b.dir, 'src'), env: { TZ: 'America/Lima', LC_ALL: 'C' } })
    const remnants = [a, b].map((made) => json(made, 'show', json(made, 'list').remnants[0].digest).remnant)
    // The two repositories have first commits of their own, and nothing else that differs.
    const same = remnants.map(({ environment_fingerprint: _, baseline_key_hashes, ...rest }) => ({ ...rest, keys: baseline_key_hashes.filter(([key]: [string]) => key !== 'repository') }))
    expect(same[0]).toEqual(same[1])
  })

  it('through observe, fingerprint and distill as through teardown', () => {
    const made = sampleClone()
    const { digest } = json(made, 'teardown', '--transcript', LOG, '--here')
    const stored = json(made, 'show', digest).remnant
    const observations = made.remnant('observe', LOG).stdout
    const keys = stored.baseline_key_hashes.map(([key]: [string]) => key)
    const values = made.run(['git', 'remnant', 'fingerprint'], { input: `${JSON.stringify({ keys })}\n` }).stdout
    expect(JSON.parse(values).environment_fingerprint).toBe(stored.environment_fingerprint)
    const distilled = made.run(['git', 'remnant', 'distill'], { input: `${observations}${values}` })
    expect(distilled.status).toBe(0)
    expect(JSON.parse(distilled.stdout)).toEqual(stored)
    const named = made.run(['git', 'remnant', 'canonical'], { input: distilled.stdout }).stdout
    expect(JSON.parse(named).digest).toBe(digest)
  })
})
