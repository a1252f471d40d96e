import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Clone, clone } from '../../clone.ts'

/** A journal of a command on whose keys nobody looked. */
function unlooked(made: Clone, ...more: string[]): void {
  made.write('package.json', '{"name":"x","scripts":{"test":"node check.js"}}\n')
  made.write('check.js', 'console.log("ok")\n')
  expect(made.remnant('run', ...more, '--', 'npm', 'test').status).toBe(0)
  const folder = join(made.dir, '.git/remnant/journals')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), readFileSync(join(folder, name), 'utf8').replace(/"keys":\{[^}]*\}/g, '"keys":{}'))
}

it('names a step for what nobody looked at, and that step reads the keys of the session that was sealed', () => {
  const made = clone()
  unlooked(made, '--session', 'S')
  const first = made.remnant('teardown')
  expect(first.stdout).toContain('1 unsealed')
  const [, step = ''] = /"git remnant (teardown --session S --here)" reads them now/.exec(first.stdout) ?? []
  expect(made.remnant(...step.split(' '))).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sealed .*\n {2}kept {4}1 invariant/) })
  expect(made.remnant(...step.split(' '))).toMatchObject({ status: 0, stdout: expect.stringMatching(/^already sealed /) })
})

it('names no step for a session whose lines went with its seal', () => {
  const made = clone()
  unlooked(made)
  const { stdout } = made.remnant('teardown')
  expect(stdout).toContain('end it with "git remnant teardown --here" another time: the lines of this one went with its seal.')
  unlooked(made)
  expect(made.remnant('teardown', '--here')).toMatchObject({ status: 0, stdout: expect.stringContaining('kept    1 invariant') })
})
