import { tmpdir } from 'node:os'
import { basename, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { cli } from '../../src/cli.ts'
import type { Outside } from '../../src/cli/host.ts'
import type { Answer, Arguments, Command, Host } from '../../src/command.ts'

/** Runs a line whose only verbs are `act`, which does what the test says, and `actor`. */
async function run(line: readonly string[], act: (args: Arguments, host: Host) => Answer | Promise<Answer> = () => ({}), more: Partial<Outside> = {}) {
  let stdout = ''
  const stderr: string[] = []
  const outside: Outside = {
    env: {},
    installation: '/package',
    interactive: () => false,
    cwd: () => '/here',
    now: () => new Date(0),
    stdin: () => Readable.from([]),
    print: async (text) => void (stdout += text),
    warn: (line) => void stderr.push(line),
    ...more,
  }
  const command = (name: string): Command => ({
    name,
    kind: 'porcelain',
    summary: 'acts',
    options: { many: { type: 'string', many: true, describe: '' } },
    rest: 'CMD…',
    run: async (args, host) => act(args, host),
  })
  const status = await cli(line, outside, ['act', 'actor'].map((name) => ({ name, load: async () => command(name) })))
  return { status, stdout, stderr }
}

const lines = async function* (...values: unknown[]) {
  yield* values
}

describe('an answer', () => {
  it('is a text that ends its line', async () => {
    expect(await run(['act'], () => ({ text: 'done', data: { n: 1 } }))).toEqual({ status: 0, stdout: 'done\n', stderr: [] })
    expect(await run(['act'], () => ({ text: 'done\n' }))).toEqual({ status: 0, stdout: 'done\n', stderr: [] })
  })

  it('is silent where there is nothing to say', async () => {
    expect(await run(['act'], () => ({ text: '' }))).toEqual({ status: 0, stdout: '', stderr: [] })
  })

  it('is one document with --json, wherever that stands', async () => {
    for (const line of [['act', '--json'], ['--json', 'act']])
      expect(await run(line, () => ({ text: 'done', data: { n: 1 }, status: 1 }))).toEqual({ status: 1, stdout: '{"schemaVersion":1,"n":1}\n', stderr: [] })
  })

  it('of plumbing is one value a line, or one document with --json', async () => {
    const act = (): Answer => ({ lines: lines({ a: 1 }, [2], 'three') })
    expect(await run(['act'], act)).toEqual({ status: 0, stdout: '{"a":1}\n[2]\n"three"\n', stderr: [] })
    expect(await run(['act', '--json'], act)).toEqual({ status: 0, stdout: '{"schemaVersion":1,"lines":[{"a":1},[2],"three"]}\n', stderr: [] })
  })

  it('of plumbing may have its status after its last line', async () => {
    let status = 0
    const some = async function* () {
      yield 1
      status = 65
    }
    expect(await run(['act'], () => ({ lines: some(), status: () => status }))).toMatchObject({ status: 65, stdout: '1\n' })
  })

  it('ends quietly where its reader has gone', async () => {
    let asked = 0
    const endless = async function* () {
      for (;;) yield asked++
    }
    const gone = async (): Promise<never> => {
      throw Object.assign(new Error('gone'), { code: 'EPIPE' })
    }
    expect(await run(['act'], () => ({ lines: endless() }), { print: gone })).toMatchObject({ status: 0, stderr: [] })
    expect(asked).toBe(1)
  })

  it('that can not be written is a fault', async () => {
    const full = async (): Promise<never> => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    expect(await run(['act'], () => ({ text: 'done' }), { print: full })).toMatchObject({ status: 74, stderr: ['git-remnant: output could not be written'] })
  })
})

describe('a fault', () => {
  const broken = (): never => {
    throw new RemnantError('malformed', 'log "a" is not JSON', { hint: 'look at it' })
  }

  it('is a message and a hint on stderr, and its status', async () => {
    expect(await run(['act'], broken)).toEqual({ status: 65, stdout: '', stderr: ['git-remnant: log "a" is not JSON', 'hint: look at it'] })
  })

  it('is the one document with --json', async () => {
    expect(await run(['act', '--json'], broken)).toEqual({
      status: 65,
      stdout: '{"schemaVersion":1,"error":{"fault":"malformed","message":"log \\"a\\" is not JSON","hint":"look at it"}}\n',
      stderr: [],
    })
  })

  it('of the command line is a document too', async () => {
    const { status, stdout } = await run(['act', '--json', '--mny', 'x'])
    expect(status).toBe(64)
    expect(JSON.parse(stdout)).toEqual({ schemaVersion: 1, error: { fault: 'misuse', message: 'unknown option "--mny"', hint: 'did you mean "--many"?' } })
  })

  it.each([
    ['misuse', 64],
    ['malformed', 65],
    ['nothing', 66],
    ['missing', 69],
    ['corrupt', 74],
    ['unwritable', 74],
    ['refused', 77],
    ['timeout', 124],
  ] as const)('of kind %s ends with %i', async (fault, status) => {
    const act = (): never => {
      throw new RemnantError(fault, 'no')
    }
    expect(await run(['act'], act)).toEqual({ status, stdout: '', stderr: ['git-remnant: no'] })
  })

  it('that nobody foresaw shows its stack and asks to be reported', async () => {
    const bug = (): never => {
      throw new TypeError('x is not a function')
    }
    const { status, stdout, stderr } = await run(['act', '--json'], bug)
    expect(status).toBe(70)
    expect(JSON.parse(stdout).error).toMatchObject({ fault: 'bug', message: 'x is not a function' })
    expect(stderr[0]).toMatch(/^git-remnant: TypeError: x is not a function\n\s+at /)
    expect(stderr[1]).toBe('hint: this is a bug of git-remnant: please report it with the lines above')
  })

  it('in the middle of plumbing leaves what was said', async () => {
    const some = async function* () {
      yield 1
      throw new RemnantError('corrupt', 'store is damaged')
    }
    expect(await run(['act'], () => ({ lines: some() }))).toEqual({ status: 74, stdout: '1\n', stderr: ['git-remnant: store is damaged'] })
  })
})

describe('a verb', () => {
  it.each([
    [['atc'], 'unknown verb "atc"', 'did you mean "git remnant act"?'],
    [['help', 'actr'], 'unknown verb "actr"', 'did you mean "git remnant actor"?'],
    [['entirely-different'], 'unknown verb "entirely-different"', 'see "git remnant -h"'],
    [['constructor'], 'unknown verb "constructor"', 'see "git remnant -h"'],
    [['--json'], 'no verb is given', 'see "git remnant -h"'],
    [['--', 'act'], 'no verb is given', 'see "git remnant -h"'],
  ])('that is none in %j is refused with the nearest', async (line, message, hint) => {
    const { status, stdout, stderr } = await run(line)
    expect(status).toBe(64)
    if (!line.includes('--json')) expect(stderr).toEqual([`git-remnant: ${message}`, `hint: ${hint}`])
    else expect(JSON.parse(stdout).error).toEqual({ fault: 'misuse', message, hint })
  })

  it('sees its options, what stands behind "--", and the folder of -C', async () => {
    const { stdout } = await run(['-C', basename(tmpdir()), 'act', '--many', 'a', '--many', 'b', '--', 'npm', '--json'], (args, host) => ({
      text: JSON.stringify([args.list('many'), args.rest, host.cwd]),
    }), { cwd: () => dirname(tmpdir()) })
    expect(JSON.parse(stdout)).toEqual([['a', 'b'], ['npm', '--json'], tmpdir()])
  })

  it('is not run in a folder that is not there', async () => {
    const { status, stderr } = await run(['-C', 'no such', 'act'], undefined, { cwd: () => tmpdir() })
    expect({ status, stderr }).toEqual({ status: 64, stderr: ['git-remnant: there is no folder "no such"', 'hint: option "-C" names a folder that exists'] })
  })

  it('is told that the current folder is gone', async () => {
    const gone = (): never => {
      throw Object.assign(new Error('uv_cwd'), { code: 'ENOENT' })
    }
    expect(await run(['act'], undefined, { cwd: gone })).toMatchObject({ status: 69, stderr: ['git-remnant: current folder is gone', 'hint: change into a folder that exists'] })
  })

  it('shows its progress on a terminal only, and warns everywhere', async () => {
    const act = (_: Arguments, host: Host): Answer => {
      host.progress('half')
      host.warn('careful')
      return {}
    }
    expect((await run(['act'], act)).stderr).toEqual(['careful'])
    expect((await run(['act'], act, { interactive: () => true })).stderr).toEqual(['half', 'careful'])
  })

  it('outside a repository is told so', async () => {
    const { status, stderr } = await run(['act'], async (_, host) => ({ data: { dir: (await host.repository()).gitDir } }), { cwd: () => '/' })
    expect({ status, stderr }).toEqual({ status: 69, stderr: ['git-remnant: no git repository around "/"', 'hint: git init'] })
  })
})
