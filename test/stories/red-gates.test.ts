import { describe, expect, it } from 'vitest'
import { type Clone, clone } from '../clone.ts'

const SESSION = { env: { GIT_REMNANT_SESSION: 'one' } }
const CHECK = ['node', '--test', 'check.test.js']

function project(): Clone {
  const made = clone()
  made.write('check.test.js', "require('node:test')('is good', () => require('node:assert').ok(!require('node:fs').existsSync('bad')))\n")
  made.write('other.test.js', "require('node:test')('is', () => {})\n")
  made.write('.gitignore', 'bad\nlog\n')
  made.git('add', '-A')
  made.git('commit', '-q', '-m', 'Start')
  return made
}

type Step = 'green' | 'red' | 'other' | 'gone' | 'seal'
/** What one session does: `green`, a `red` whose words nobody sees, `other` (another check passes), the check is `gone`, `seal`. */
function session(...steps: readonly Step[]): Clone {
  const made = project()
  for (const step of steps) {
    if (step === 'red') made.write('bad', '')
    else made.run(['rm', '-f', 'bad'])
    if (step === 'gone') made.git('rm', '-q', 'check.test.js')
    const argv = step === 'seal' ? ['teardown'] : step === 'other' || step === 'gone' ? ['run', '--', 'node', '--test', 'other.test.js'] : step === 'green' ? ['run', '--', ...CHECK] : ['run', '--', 'sh', '-c', `${CHECK.join(' ')} > log 2>&1`]
    // Nothing may be left to seal.
    expect(step === 'seal' ? [0, 66] : [step === 'red' ? 1 : 0], step).toContain(made.run(['git-remnant', ...argv], SESSION).status)
  }
  return made
}

const gatesOf = (made: Clone) => (JSON.parse(made.remnant('gate', '--json').stdout) as { gates: { command: { argv: string[] } }[] }).gates.map(({ command }) => command.argv.at(-1)).sort()
/** The checks that are told as gates. */
const toldIn = (made: Clone) => [...(JSON.parse(made.remnant('brief', '--json').stdout) as { text: string }).text.matchAll(/`node --test (\S+)` is a gate/g)].map(([, name]) => name).sort()

describe('a gate whose last run was red in a way of which nothing is sealed', () => {
  it.each<[Step[], string[], string[]]>([
    [['green', 'seal', 'red', 'other', 'seal'], ['check.test.js', 'other.test.js'], ['other.test.js']],
    [['green', 'seal', 'other', 'red', 'seal'], ['check.test.js', 'other.test.js'], ['other.test.js']],
    [['red', 'seal', 'green', 'other', 'seal'], ['check.test.js', 'other.test.js'], ['check.test.js', 'other.test.js']],
    [['green', 'seal', 'red', 'other', 'seal', 'green', 'seal'], ['check.test.js', 'other.test.js'], ['check.test.js', 'other.test.js']],
    [['red', 'other', 'seal'], ['other.test.js'], ['other.test.js']],
    [['green', 'red', 'other', 'seal'], ['other.test.js'], ['other.test.js']],
    [['green', 'seal', 'gone', 'seal'], ['other.test.js'], ['other.test.js']],
  ])('is run, and told only where it ended green: after %j', (steps, run, told) => {
    const made = session(...steps)
    expect(toldIn(made)).toEqual(told)
    expect(gatesOf(made)).toEqual(run)
  })
})
