import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { booleanOf, lastOf, readGitConfig } from '../../../src/host/git/config.ts'
import { ENV } from '../../stage.ts'

const TRICKY = `# a comment
early = 1
[core]
	repositoryformatversion = 1
	bare
	WorkTree = "a b" # why
	editor = vi \\
   -u none ; more
[extensions] objectFormat = sha1
[remote "Or\\"igin"]
	url = "https://example.com/x#y"
	url = second\\tvalue
	empty =
[Branch.main]
	x = 1
`

it('reads what git reads', () => {
  const byGit = execFileSync('git', ['config', '-f', '-', '--list', '-z'], { input: TRICKY, env: ENV as NodeJS.ProcessEnv, encoding: 'utf8' })
  const expected = byGit.split('\0').slice(0, -1).map((entry) => {
    const at = entry.indexOf('\n')
    return at === -1 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)]
  })
  const ours = [...(readGitConfig(TRICKY) ?? [])].flatMap(([name, values]) => values.map((value) => [name, value]))
  expect(ours).toEqual(expected)
  expect(readGitConfig(TRICKY.replaceAll('\n', '\r\n'))).toEqual(readGitConfig(TRICKY))
})

it.each(['[core]\n\tbare = "open\n', '[core]\n\t= 1\n', '[core]\n\ta = \\x\n', '[core\n', '[core]\n\ta b\n'])('refuses what git refuses: %j', (text) => {
  expect(readGitConfig(text)).toBeNull()
  expect(() => execFileSync('git', ['config', '-f', '-', '--list'], { input: text, env: ENV as NodeJS.ProcessEnv, stdio: 'pipe' })).toThrow()
})

it.each([
  ['true', true],
  ['Yes', true],
  ['1', true],
  ['off', false],
  ['0', false],
  ['', false],
  ['maybe', undefined],
])('takes "%s" for %s', (text, value) => {
  const config = readGitConfig(`[core]\n\tbare = ${text}\n`) ?? new Map()
  expect(booleanOf(config, 'core.bare')).toBe(value)
  expect(booleanOf(config, 'core.other')).toBeUndefined()
  expect(lastOf(config, 'core.bare')).toBe(text)
})
