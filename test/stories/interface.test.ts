import { expect, it } from 'vitest'
import { clone } from '../clone.ts'

it('a claim that rests on an interface is suspended when its declared command says another version, or may not run', () => {
  const made = clone()
  made.write('check.sh', 'exit 0\n')
  made.write('api.sh', 'echo run >> ../runs; echo v1\n')
  made.write('.remnants/config.json', JSON.stringify({ structural: ['platform', 'repository', 'interface:api'], interfaces: { api: { command: ['sh', 'api.sh'] } } }))
  made.git('add', '-A')
  made.git('commit', '-qm', 'declares an interface')
  const teardown = () => {
    expect(made.remnant('run', '--', 'sh', 'check.sh').status).toBe(0)
    return made.remnant('teardown')
  }
  const resolved = () => JSON.parse(made.remnant('resolve', '--json').stdout).remnants.map(({ verdict, reason, drifted_keys }: Record<string, unknown>) => [verdict, reason, drifted_keys])

  expect(teardown()).toMatchObject({ status: 66, stdout: expect.stringContaining('unsealed') })
  expect(made.run(['test', '-e', '../runs']).status).toBe(1)
  expect(made.remnant('allow', 'config', '--yes')).toMatchObject({ status: 0, stdout: expect.stringContaining('interfaces  {"api":{"command":["sh","api.sh"]}}') })
  expect(teardown().status).toBe(0)
  expect(resolved()).toEqual([['NO_DRIFT', null, []]])

  made.write('api.sh', 'echo v2\n')
  expect(resolved()).toEqual([['FULL_RECONSTRUCTION_REQUIRED', 'structural', ['interface:api']]])
  made.git('checkout', '-q', '--', 'api.sh')
  expect(made.remnant('deny', 'config').status).toBe(0)
  expect(resolved()).toEqual([['FULL_RECONSTRUCTION_REQUIRED', 'structural', ['interface:api']]])
  expect(made.remnant('resolve').stdout).toContain('interface:api: can\'t be read now: its command is not approved in this clone: read it, then "git remnant allow config"')
})
