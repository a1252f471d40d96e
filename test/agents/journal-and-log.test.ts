import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import teardown from '../../src/commands/teardown.ts'
import type { Host } from '../../src/command.ts'
import type { Remnant } from '../../src/model/remnant.ts'
import { CLAIM_LISTS } from '../../src/model/claim.ts'
import { ENV, type Stage, given, stage } from '../stage.ts'
import { type Player, type Step, claudeCode, codex, hostAt, play } from './sessions.ts'

const GREEN = '\n> w@1.0.0 test\n> node --test\n\nTAP version 13\n# Subtest: adds\nok 1 - adds\n1..1\n# tests 1\n# pass 1\n# fail 0\n'
const RED = `\n> w@1.0.0 test\n> node --test\n\nTAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  error: 'Expected values to be strictly equal: 1 !== 2'\n  code: 'ERR_ASSERTION'\n  ...\n1..1\n# tests 1\n# pass 0\n# fail 1\n`
const run = (command: string, code: number, output: string, cwd?: string): Step => ({ is: 'command', command, code, output, ...(cwd !== undefined && { cwd }) })
const edit = (path: string, text: string): Step => ({ is: 'edit', path, text })

const POOL: readonly Step[] = [
  run('npm test', 0, GREEN),
  run('npm test', 1, RED),
  run('npm test 2>&1 | tail -40', 0, RED),
  run('npm run biuld', 1, 'npm error Missing script: "biuld"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\n'),
  run('no-such-tool --version', 127, '/bin/bash: line 1: no-such-tool: command not found\n'),
  run('git status --frobnicate', 129, "error: unknown option `frobnicate'\nusage: git status [<options>] [--] [<pathspec>...]\n"),
  run('git push origin main', 0, 'To ../remote.git\n   0d45c4a..1ace9e5  main -> main\n'),
  run('ls -la', 0, 'a.test.mjs\npackage.json\n'),
  run('cat missing.txt', 1, 'cat: missing.txt: No such file or directory\n'),
  run("grep -rn 'a|b' . | head", 0, 'x\n'),
  run('node script.mjs', 0, 'done\n'),
  run('npm install', 0, 'added 3 packages in 1s\n'),
  run("git remnant claim 'The tests run on the runner that ships with Node.' --by 'npm test' --effect 'use command npm test'", 0, 'admitted\n'),
  edit('src/a.mjs', 'export const a = 1\n'),
  edit('src/a.mjs', 'export const a = 2\n'),
  edit('README.md', 'Other words.\n'),
]

interface Ground extends Stage {
  readonly home: string
  readonly there: Host
}

function ground(): Ground {
  const set = stage({
    files: {
      'package.json': '{"name":"w","version":"1.0.0","scripts":{"test":"node --test"}}\n',
      'a.test.mjs': "import test from 'node:test'\ntest('adds', () => {})\n",
      'script.mjs': 'console.log(1)\n',
      'src/a.mjs': 'export const a = 0\n',
    },
  })
  set.git('remote', 'add', 'origin', '../remote.git')
  const home = join(set.base, 'home')
  mkdirSync(home)
  return { ...set, home, there: hostAt(set.dir, { ...ENV, HOME: home, CLAUDE_CONFIG_DIR: undefined, CODEX_HOME: undefined }) }
}

/** What a teardown sealed: every claim without its proof. */
async function claimsOf(set: Ground, args: Record<string, string>): Promise<string[]> {
  const { data } = await teardown.run(given(args), hostAt(set.dir, set.there.env))
  const digest = (data as { digest: string | null }).digest
  if (digest === null) return []
  const stored = await (await set.there.store()).read(digest)
  if (stored === null || !('remnant' in stored)) throw new Error('not stored')
  return bare(stored.remnant)
}

const bare = (remnant: Remnant): string[] =>
  CLAIM_LISTS.flatMap((list) =>
    (remnant[list] as readonly Record<string, unknown>[]).map((claim) => {
      const { verification_receipt: receipt, ...rest } = claim as { verification_receipt: { strength: string; outcome: unknown } }
      return JSON.stringify([list, rest, receipt.strength, receipt.outcome])
    }),
  ).sort()

async function both(steps: readonly Step[], player: Player): Promise<{ log: string[]; journal: string[] }> {
  const set = ground()
  const place = { home: set.home, dir: set.dir, session: `0199c0de-0000-7000-8000-${String(steps.length).padStart(12, '0')}` }
  await play(steps, player, place, set.there)
  const log = await claimsOf(set, { transcript: player.logPath(place) })
  return { log, journal: await claimsOf(set, {}) }
}

describe.each([claudeCode, codex])('a session of $host', (player) => {
  it('gives the same claims from its journal as from its own log', async () => {
    const [green, red, , missing, absent, usage, push, , , , , , declared, a1, a2] = POOL as [Step, ...Step[]]
    const { log, journal } = await both([green, missing!, a1!, absent!, usage!, red!, a2!, green, declared!, push!] as Step[], player)
    expect(journal).toEqual(log)
    expect(log.length).toBeGreaterThanOrEqual(4)
  })

  it('is seen under the structural keys that the configuration names', async () => {
    const set = ground()
    mkdirSync(join(set.dir, '.remnants'))
    set.write('.remnants/config.json', '{"schema":"git-remnant/config/1","structural":["platform","file:script.mjs"]}\n')
    const there = hostAt(set.dir, set.there.env)
    await play([POOL[0] as Step], player, { home: set.home, dir: set.dir, session: '0199c0de-0000-7000-8000-00000000abcd' }, there)
    const { data } = await teardown.run(given({}), hostAt(set.dir, set.there.env))
    const stored = await (await there.store()).read((data as { digest: string }).digest)
    expect(stored).toMatchObject({ remnant: { structural_keys: ['file:script.mjs', 'platform'], verified_invariants: [{ effect: { value: 'npm test' } }] } })
  })

  it('does so whatever it does', async () => {
    let claims = 0
    for (let seed = 1; seed <= 3; seed++) {
      const steps = Array.from({ length: 9 }, (_, i) => POOL[(seed * 7 + i * i * 5 + i * seed) % POOL.length] as Step)
      const { log, journal } = await both(steps, player)
      expect({ seed, claims: journal }).toEqual({ seed, claims: log })
      claims += log.length
    }
    expect(claims).toBeGreaterThan(2)
  }, 60_000)
})
