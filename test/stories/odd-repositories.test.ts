import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clone } from '../clone.ts'
import { type Place, at, git, placeAt, project } from '../places.ts'
import { CAN_SIGN, keyPair } from '../signing.ts'
import { hasReftable } from '../stage.ts'

const CHECK = '{"name":"w","version":"1.0.0","scripts":{"test":"sh check.sh"}}\n'

/** A project like any other, in a repository of this kind. */
function madeWith(kind: string, name: string): Place {
  const made = clone()
  git(made, made.base, 'init', '-q', kind, name)
  const place = placeAt(made, at(made, name))
  writeFileSync(join(place.dir, 'package.json'), CHECK)
  writeFileSync(join(place.dir, 'check.sh'), 'exit 0\n')
  git(made, place.dir, 'add', '-A')
  git(made, place.dir, 'commit', '-qm', 'first')
  return place
}

const KINDS: readonly [string, string, RegExp, string, boolean][] = [
  ['SHA-256 objects', '--object-format=sha256', /^[0-9a-f]{64} commit/, 'SHA-256 objects, refs as files', true],
  // Git before 2.45 knows no reftable.
  ['refs in a table', '--ref-format=reftable', /^[0-9a-f]{40} commit/, 'SHA-1 objects, refs in a table', hasReftable],
]

for (const [title, kind, form, told, can] of KINDS)
  describe.skipIf(!can)(`a repository with ${title}`, () => {
    it('is one like any other: what is proved, suspended, run again, gated, examined and forgotten', () => {
      const { made, dir, remnant, json } = madeWith(kind, 'one')
      expect(remnant('init').status).toBe(0)
      expect(remnant('doctor').stdout).toContain(told)
      expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
      const { digest } = json('teardown')
      expect(git(made, dir, 'for-each-ref', 'refs/remnants')).toMatch(form)
      expect(json('resolve').remnants).toMatchObject([{ digest, verdict: 'NO_DRIFT' }])
      expect(remnant('brief').stdout).toContain('`npm test` is a gate of `.`')
      expect(remnant('gate')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^green /) })

      writeFileSync(join(dir, 'package.json'), CHECK.replace('1.0.0', '1.0.1'))
      expect(json('resolve').remnants).toMatchObject([{ verdict: 'FULL_RECONSTRUCTION_REQUIRED' }])
      expect(json('reprobe')).toMatchObject({ held: [expect.any(String)], suspended: [] })
      writeFileSync(join(dir, 'package.json'), CHECK)
      expect(json('verify')).toMatchObject({ faults: [] })
      expect(git(made, dir, 'fsck', '--strict')).toBe('')

      rmSync(join(dir, '.remnants'), { recursive: true })
      expect(json('checkout')).toMatchObject({ faults: [] })
      expect(json('forget', digest as string)).toMatchObject({ refs: 2, digest })
      expect(json('verify')).toMatchObject({ faults: [] })
      expect(remnant('deinit').status).toBe(0)
      expect(git(made, dir, 'fsck', '--strict')).toBe('')
    })

    it('shares with others of its kind, signatures too, and a commit seals what was left', () => {
      const { made, dir, remnant, json } = madeWith(kind, 'one')
      git(made, made.base, 'init', '-q', '--bare', kind, 'hub.git')
      git(made, dir, 'remote', 'add', 'origin', at(made, 'hub.git'))
      git(made, dir, 'push', '-q', '-u', 'origin', 'HEAD')
      git(made, made.base, 'clone', '-q', 'hub.git', 'two')
      expect(remnant('init', '--share', 'origin').status).toBe(0)
      expect(remnant('run', '--', 'npm', 'test').status).toBe(0)
      git(made, dir, 'commit', '-q', '--allow-empty', '-m', 'second') // its hook seals
      const [digest] = json('list').remnants.map((one) => (one as unknown as { digest: string }).digest)
      expect(digest).toMatch(/^[0-9a-f]{64}$/)
      if (CAN_SIGN) {
        git(made, dir, 'config', 'user.signingKey', keyPair().publicPath)
        expect(remnant('sign').status).toBe(0)
      }
      expect(remnant('push').status).toBe(0)
      expect(git(made, at(made, 'hub.git'), 'for-each-ref', 'refs/remnants').split('\n')).toHaveLength(CAN_SIGN ? 2 : 1)

      const two = placeAt(made, at(made, 'two'))
      expect(two.json('fetch', 'origin')).toMatchObject({ fetched: [digest], rejected: [] })
      expect(two.json('resolve').remnants).toMatchObject([{ digest }])
      expect(two.json('verify')).toMatchObject({ faults: [] })
      expect(two.json('fetch', 'origin')).toMatchObject({ fetched: [], rejected: [] })
    })
  })

describe('a git that is too old for refs in a table', () => {
  it.skipIf(hasReftable)('has every verb say so, and nothing is written', () => {
    const made = project()
    const config = readFileSync(join(made.dir, '.git/config'), 'utf8')
    writeFileSync(join(made.dir, '.git/config'), `${config.replace('repositoryformatversion = 0', 'repositoryformatversion = 1')}[extensions]\n\trefStorage = reftable\n`)
    for (const verb of ['list', 'resolve', 'verify', 'init']) expect([verb, made.run(['git-remnant', verb])]).toEqual([verb, expect.objectContaining({ status: 69, stderr: expect.stringContaining('unknown repository extension') })])
    expect(made.run(['git-remnant', 'doctor']).stdout).toMatch(/^no .*repository: .*unknown repository extension/m)
    writeFileSync(join(made.dir, '.git/config'), config)
    expect(made.git('status', '--porcelain')).toBe('')
    expect(made.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  })
})

describe('a clone that has not all objects of its own', () => {
  it.each([
    ['borrows them', ['--shared']],
    ['fetches them when they are needed', ['--filter=blob:none', '--no-checkout']],
  ])('is a repository like any other where it %s', (_title, how) => {
    const made = project()
    made.git('config', 'uploadpack.allowFilter', 'true')
    made.git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    const older = JSON.parse(made.remnant('teardown', '--json').stdout).digest
    git(made, made.base, 'clone', '-q', ...how, `file://${made.dir}`, 'odd')
    const { dir, remnant, json } = placeAt(made, at(made, 'odd'))
    git(made, dir, 'checkout', '-q', 'main')
    expect(json('fetch', 'origin')).toMatchObject({ fetched: [older], rejected: [] })
    expect(remnant('run', '--', 'sh', 'check.sh').status).toBe(0)
    expect(json('teardown').digest).toMatch(/^[0-9a-f]{64}$/)
    expect(json('resolve').remnants).toMatchObject([{ verdict: 'NO_DRIFT' }, { verdict: 'NO_DRIFT' }])
    expect(json('verify')).toMatchObject({ faults: [] })
    expect(git(made, dir, 'fsck', '--strict', '--no-dangling')).toBe('')
  })
})

describe('a repository with 10,000 other refs, packed', () => {
  it('hides no remnant among them, and takes a new one', () => {
    const made = project()
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    const { digest } = JSON.parse(made.remnant('teardown', '--json').stdout)
    const head = made.git('rev-parse', 'HEAD')
    const packed = join(made.dir, '.git/packed-refs')
    made.git('pack-refs', '--all', '--prune')
    const [header, ...own] = readFileSync(packed, 'utf8').trim().split('\n')
    const others = Array.from({ length: 10_000 }, (_, i) => `${head} refs/${['heads', 'tags', 'remotes/origin', 'others'][i % 4]}/of-${i}`)
    writeFileSync(packed, `${[header, ...[...own, ...others].sort((a, b) => (a.slice(41) < b.slice(41) ? -1 : 1))].join('\n')}\n`)
    expect(made.git('for-each-ref', '--format=x').length).toBeGreaterThan(20_000)
    const { remnant, json } = placeAt(made, made.dir)
    expect(json('resolve').remnants).toMatchObject([{ digest, verdict: 'NO_DRIFT' }])
    expect(remnant('run', '--', 'sh', 'check.sh').status).toBe(0)
    const second = json('teardown').digest
    expect(made.git('for-each-ref', '--format=%(refname)', 'refs/remnants/[0-9a-f]*').split('\n').sort()).toEqual([`refs/remnants/${digest}`, `refs/remnants/${second}`].sort())
    expect(json('verify')).toMatchObject({ faults: [] })
  })
})

describe('a repository whose git converts line ends', () => {
  it('keeps copies that are tracked byte for byte, and its keys are those of a clone that converts nothing', () => {
    const made = project()
    expect(made.remnant('init', '--track').status).toBe(0)
    expect(made.remnant('run', '--', 'npm', 'test').status).toBe(0)
    const { digest } = JSON.parse(made.remnant('teardown', '--json').stdout)
    made.git('add', '-A')
    made.git('commit', '-q', '--no-verify', '-m', 'kept')
    git(made, made.base, 'clone', '-q', '-c', 'core.autocrlf=true', made.dir, 'crlf')
    const { dir, remnant, json } = placeAt(made, at(made, 'crlf'))
    expect(readFileSync(join(dir, 'package.json'), 'utf8')).toBe(CHECK.replace('\n', '\r\n'))
    expect(json('resolve').remnants).toMatchObject([{ digest, verdict: 'NO_DRIFT' }])
    expect(json('verify')).toMatchObject({ faults: [] })
    expect(remnant('run', '--', 'node', '-e', '0').status).toBe(0)
    expect(remnant('teardown').status).toBeLessThan(67)
    expect(git(made, dir, 'status', '--porcelain', '--untracked-files=no')).toBe('')
  })
})
