import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { openFiles } from '../../src/host/files.ts'
import { openRepository } from '../../src/host/git.ts'
import { readKeys } from '../../src/host/keys.ts'
import { commandOf } from '../../src/model/command.ts'
import probe from '../../src/probes/interface.ts'
import { type Ground, ground, runsIn, valueOf } from './ground.ts'

const SAYS = 'printf "\\n  v2 of the schema  \\nread at noon\\n"\n'

/** A work tree whose tracked configuration declares an interface, read by a program of the repository that notes its runs. */
function declared(script = SAYS, argv = ['sh', 'api.sh']): Ground & { readonly runs: () => number; readonly text: string } {
  const text = `${JSON.stringify({ interfaces: { api: { command: argv } } })}\n`
  const made = ground({ 'api.sh': `echo run >> ../runs\n${script}`, '.remnants/config.json': text })
  return { ...made, runs: () => runsIn(join(made.top, '../runs')), text }
}

const approvals = ({ top }: Ground) => openApprovals(openRepository(top, {}), openFiles(), '')
const counts = { config: { interfaces: { api: { command: ['sh', 'api.sh'] } } } }

describe('interface', () => {
  it('is unreadable, and nothing is run, as long as nobody approved its command', async () => {
    const made = declared()
    expect([await valueOf(probe, 'api', made.world()), made.runs()]).toEqual(['unreadable: its command is not approved in this clone: read it, then "git remnant allow config"', 0])
    approvals(made).approveConfig(sha256(`${made.text} `))
    expect([await valueOf(probe, 'api', made.world()), made.runs()]).toEqual([expect.stringContaining('not approved'), 0])
  })

  it.each(['db', 'constructor', '__proto__'])('is unreadable where nothing declares "%s"', async (name) => {
    expect(await valueOf(probe, name, declared().world(counts))).toBe('unreadable: no configuration declares how to read it')
  })

  it('is the first line that its command prints, trimmed, where the configuration counts; one question is one run', async () => {
    const made = declared()
    const world = made.world(counts)
    expect([await valueOf(probe, 'api', world), await valueOf(probe, 'api', world), made.runs()]).toEqual(['v2 of the schema', 'v2 of the schema', 1])
  })

  it('is read where that very command was approved, and no longer where it was taken back', async () => {
    const made = declared()
    const own = openApprovals(openRepository(made.top, {}), openFiles(), made.git('rev-parse', 'HEAD'))
    own.approve(commandOf(['sh', 'api.sh', '-v']))
    expect(await valueOf(probe, 'api', made.world())).toContain('not approved')
    own.approve(commandOf(['sh', 'api.sh']))
    expect(await valueOf(probe, 'api', made.world())).toBe('v2 of the schema')
    own.revoke(commandOf(['sh', 'api.sh']))
    expect(await valueOf(probe, 'api', made.world())).toContain('not approved')
  })

  it('runs in the top of the work tree, without what ties git to a repository', async () => {
    const made = declared('printf "%s %s\\n" "$PWD" "${GIT_DIR-none}"\n')
    expect(await valueOf(probe, 'api', made.world({ ...counts, env: { GIT_DIR: '/elsewhere' } }))).toBe(`${made.top} none`)
  })

  it.each([
    ['fails', 'echo v1; exit 3\n', 'its command ended with status 3'],
    ['prints nothing', 'echo v1 >&2\n', 'its command printed nothing'],
    ['prints what is no text', 'printf "\\001\\377\\n"\n', 'its command printed no line of text'],
    ['ends itself', 'kill -9 $$\n', 'its command was stopped by a signal'],
  ])('is unreadable where its command %s', async (_, script, reason) => {
    expect(await valueOf(probe, 'api', declared(script).world(counts))).toBe(`unreadable: ${reason}`)
  })

  it('is unreadable where its program is missing', async () => {
    expect(await valueOf(probe, 'api', declared().world({ config: { interfaces: { api: { command: ['no-such-program-here'] } } } }))).toBe('unreadable: the program of its command is missing')
  })

  it('is unreadable after two seconds, and what it started ends', async () => {
    const made = declared('sleep 4; echo late > ../late\n')
    const started = Date.now()
    const readings = await readKeys(['interface:api'], [probe], made.world(counts))
    expect([...readings.values()]).toEqual([{ unreadable: expect.stringMatching(/took over 2 s$/) }])
    expect(Date.now() - started).toBeLessThan(3500)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, started + 4500 - Date.now())))
    expect(existsSync(join(made.top, '../late'))).toBe(false)
  }, 15_000)

  it('may have changed since any earlier moment', async () => {
    const reading = await probe.read('api', declared().world(counts))
    expect('changed' in reading && (reading.changed ?? 0) > Date.now()).toBe(true)
  })

  it('is another value when its command says another', async () => {
    const made = declared()
    writeFileSync(join(made.top, 'api.sh'), 'echo v3\n')
    expect(await valueOf(probe, 'api', made.world(counts))).toBe('v3')
  })
})
