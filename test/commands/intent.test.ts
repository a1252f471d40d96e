import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { clone } from '../clone.ts'

describe('git remnant intent', () => {
  it('notes what a mutation would make, and nothing of what is none', () => {
    const made = clone()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    const noted = made.remnant('intent', '--json', '--session', 'mine', '--', 'npm', 'publish')
    expect(JSON.parse(noted.stdout)).toMatchObject({ noted: true, session: 'mine', target: { kind: 'npm', id: 'demo' }, identifier: 'demo@1.0.0' })
    const [name = ''] = readdirSync(join(made.dir, '.git/remnant/journals'))
    const [line, keys] = readFileSync(join(made.dir, '.git/remnant/journals', name), 'utf8').trim().split('\n').map((one) => JSON.parse(one))
    expect(line).toMatchObject({ kind: 'intent', session: 'mine', command: 'npm publish', outcome: { is: 'unknown' }, intended: { identifier: 'demo@1.0.0' } })
    expect(Object.keys(keys.keys).sort()).toEqual(['platform', 'privilege', 'repository', 'target:npm/demo'])
    expect(made.remnant('intent', '--', 'npm', 'test')).toMatchObject({ status: 1, stdout: expect.stringContaining('nothing was noted') })
    expect(made.remnant('intent', '--', 'git push origin main')).toMatchObject({ status: 1 })
    expect(made.remnant('intent')).toMatchObject({ status: 64 })
  })

  it('says that nothing will be kept where nobody can tell what it would make, and teardown names it among what it purged', () => {
    const made = clone()
    const noted = made.remnant('intent', '--', 'gh', 'release', 'create', 'v1.0.0')
    expect(noted).toMatchObject({ status: 0, stdout: 'noted: what it would make can not be told, so nothing of it will be kept unless its result says what it made\n' })
    const sealed = made.remnant('teardown', '--explain')
    expect(sealed.status).toBe(66)
    expect(sealed.stdout).toContain('what it would have made can not be told')
  })

  it('is written by run too, and answered by the result of the same command', () => {
    const made = clone()
    made.write('package.json', '{"name":"demo","version":"1.0.0"}\n')
    made.write('bin/npm', '#!/bin/sh\necho "npm error 403" >&2\nexit 1\n', 0o755)
    const env = { PATH: `${join(made.dir, 'bin')}:${join(made.base, 'bin')}:${process.env.PATH}` }
    made.remnant('intent', '--', 'npm', 'publish')
    expect(made.run(['git', 'remnant', 'run', '--', 'npm', 'publish'], { env }).status).toBe(1)
    const kinds = readdirSync(join(made.dir, '.git/remnant/journals')).flatMap((name) => readFileSync(join(made.dir, '.git/remnant/journals', name), 'utf8').trim().split('\n').map((one) => JSON.parse(one).kind))
    expect(kinds).toEqual(['intent', undefined, 'intent', undefined, 'command'])
    const sealed = made.remnant('teardown', '--json')
    expect(JSON.parse(sealed.stdout).claims.non_idempotent_commits ?? 0).toBe(0)
  })
})
