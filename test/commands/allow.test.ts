import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import allow from '../../src/commands/allow.ts'
import deny from '../../src/commands/deny.ts'
import { mutations } from '../../src/mutations.ts'
import { toolchains } from '../../src/signatures.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { loadConfig } from '../../src/host/config.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Host } from '../../src/command.ts'
import { openStore } from '../../src/store.ts'
import { type Keyed, deadEnd, deed, gate, held, idOf } from '../resolve/records.ts'
import { type Stage, given, stage } from '../stage.ts'

const ROOT = 'r'.repeat(40)
const TEST = gate(['npm', 'test', '--', 'a b'], ['tool:npm'], { folder: 'packages/a' })
const LINT = gate(['make', 'lint'], ['tool:npm'])
const PUSH = deed(['git', 'push', 'origin', 'main'], { kind: 'git-remote', id: 'origin' }, 'main')
const DEPLOY = deadEnd(['npm', 'run', 'deploy'], 'Missing script: "deploy"', [['tool:npm', null]])
const npmTest = commandOf(['npm', 'test', '--', 'a b'], { folder: 'packages/a' })

interface Set extends Stage {
  readonly digest: string
  isApproved(command: ReturnType<typeof commandOf>): boolean
}

async function set(claims: readonly Keyed[], host: Partial<Host> = {}): Promise<Set> {
  const made = stage({ sets: { toolchains, mutations }, host: { world: async () => ({ rootCommit: async () => ROOT }) as never, ...host } })
  const { digest } = await made.store.write(held(claims).remnant)
  return { ...made, digest, isApproved: (command) => openApprovals(made.repository, made.files, ROOT).isApproved(command) }
}

const asked = (answer: string): Partial<Host> => ({ interactive: true, stdin: Readable.from([Buffer.from(answer)]) })

describe('allow', () => {
  it('shows the exact argument list, a word a line, and approves it', async () => {
    const made = await set([TEST, LINT])
    const { text, data } = await allow.run(given({ what: idOf(TEST).slice(0, 8), yes: true }), made.host)
    expect(text?.split('\n').slice(1)).toEqual(['  folder  packages/a', '  argv    npm', '          test', '          --', '          a b', 'approved this command'])
    expect(data).toEqual({ approved: [{ command: npmTest, claims: [idOf(TEST)] }], refused: [] })
    expect([made.isApproved(npmTest), made.isApproved(commandOf(['make', 'lint'])), made.isApproved(commandOf(['npm', 'test', '--', 'a b']))]).toEqual([true, false, false])
  })

  it('approves all commands of a remnant that may be run, and says why not the others', async () => {
    const made = await set([TEST, LINT, PUSH, DEPLOY])
    const { text, data } = await allow.run(given({ what: made.digest, yes: true }), made.host)
    expect(data?.['approved']).toHaveLength(2)
    expect(data?.['refused']).toEqual(expect.arrayContaining([{ claim_id: idOf(PUSH), reason: 'mutation' }, { claim_id: idOf(DEPLOY), reason: 'not-harmless' }]))
    expect(text).toContain(`not ${idOf(PUSH).slice(0, 12)}: it changes the outside, and is never run again`)
    expect([made.isApproved(npmTest), made.isApproved(commandOf(['git', 'push', 'origin', 'main'])), made.isApproved(commandOf(['npm', 'run', 'deploy']))]).toEqual([true, false, false])
  })

  it('says that what others recorded unsigned is still not run for their word', async () => {
    const made = await set([TEST])
    made.files.write(join(made.repository.commonDir, 'remnant', 'own'), '')
    // A store keeps the list of its own as it read it.
    const store = openStore({ repository: made.repository, git: made.host.git, files: made.files })
    const { text } = await allow.run(given({ what: idOf(TEST), yes: true }), { ...made.host, store: async () => store })
    expect(text).toMatch(/\napproved this command\nothers recorded it and no accepted key signed it, [^\n]+\nhint: run it under "git remnant run --"[^\n]+$/)
    expect(made.isApproved(npmTest)).toBe(true)
  })

  it.each([
    [PUSH, 'nothing of this can be approved: it changes the outside, and is never run again'],
    [DEPLOY, 'nothing of this can be approved: a dead end is tried only where that is known to be harmless'],
  ])('refuses what may never be run %#', async (claim, message) => {
    const made = await set([claim])
    await expect(allow.run(given({ what: idOf(claim), yes: true }), made.host)).rejects.toMatchObject({ fault: 'refused', message })
  })

  it.each([
    ['y\n', 0, true],
    ['YES\n', 0, true],
    ['y', 0, true],
    ['n\n', 1, false],
    ['\n', 1, false],
    ['', 1, false],
    ['yesterday\n', 1, false],
  ])('asks, and takes %j for its answer', async (answer, status, approved) => {
    const made = await set([TEST], asked(answer))
    expect((await allow.run(given({ what: idOf(TEST) }), made.host)).status ?? 0).toBe(status)
    expect(made.isApproved(npmTest)).toBe(approved)
    expect(made.warned.join('\n')).toMatch(/argv {4}npm\n[^]*approve\? \[y\/N\]$/)
  })

  it('refuses where nobody is there to be asked, having shown what it is about', async () => {
    const made = await set([TEST])
    await expect(allow.run(given({ what: idOf(TEST) }), made.host)).rejects.toMatchObject({ fault: 'refused', message: 'nobody is there to be asked', hint: 'after reading it, approve it with --yes' })
    expect(made.warned.join('\n')).toContain('  argv    npm')
    expect(made.isApproved(npmTest)).toBe(false)
  })

  it('shows hidden characters', async () => {
    const hidden = gate(['npm', 'test', 'a\u202eb'], ['tool:npm'])
    const made = await set([hidden])
    expect((await allow.run(given({ what: idOf(hidden), yes: true }), made.host)).text).toContain('          a<U+202E>b\n')
  })

  it('knows no claim that is not here, and refuses what is no name', async () => {
    const made = await set([TEST])
    expect(await allow.run(given({ what: '0000000', yes: true }), made.host)).toMatchObject({ status: 1, data: { approved: [] } })
    await expect(allow.run(given({ what: 'x' }), made.host)).rejects.toMatchObject({ fault: 'misuse' })
  })

  it('refuses digits that begin several names', async () => {
    const many = Array.from({ length: 600 }, (_, i) => gate(['make', `t${i}`], ['tool:npm']))
    const ids = many.map(idOf).sort()
    const twin = ids.find((id, i) => ids[i + 1]?.slice(0, 4) === id.slice(0, 4))
    const made = await set(many)
    await expect(allow.run(given({ what: twin?.slice(0, 4) ?? '' }), made.host)).rejects.toMatchObject({ fault: 'misuse', hint: 'give more digits' })
  })
})

describe('allow config', () => {
  const tracked = '{"guard":"note","share":"origin","gate":{"setup":[["npm","ci"]]}}'

  it('accepts the tracked file as it is, to the byte', async () => {
    const made = await set([TEST])
    made.write('.remnants/config.json', tracked)
    const { text } = await allow.run(given({ what: 'config', yes: true }), made.host)
    expect(text?.split('\n').slice(1, 4)).toEqual(['  share  "origin"', '  guard  "note"', '  gate.setup  [["npm","ci"]]'])
    expect(loadConfig(made.repository, made.files)).toMatchObject({ guard: 'note', share: 'origin' })
    made.write('.remnants/config.json', `${tracked} `)
    expect(loadConfig(made.repository, made.files)).not.toHaveProperty('share')
  })

  it('can be taken back', async () => {
    const made = await set([TEST])
    made.write('.remnants/config.json', tracked)
    await allow.run(given({ what: 'config', yes: true }), made.host)
    expect((await deny.run(given({ what: 'config' }), made.host)).status).toBe(0)
    expect(loadConfig(made.repository, made.files)).not.toHaveProperty('share')
    expect((await deny.run(given({ what: 'config' }), made.host)).status).toBe(1)
  })

  it('asks like for a command, and needs no yes for what anybody may say', async () => {
    const made = await set([TEST])
    expect(await allow.run(given({ what: 'config' }), made.host)).toMatchObject({ status: 1, text: 'there is no .remnants/config.json in this work tree' })
    made.write('.remnants/config.json', '{"ambient":[]}')
    expect((await allow.run(given({ what: 'config' }), made.host)).text).toContain('nothing in it needs approval')
    made.write('.remnants/config.json', tracked)
    await expect(allow.run(given({ what: 'config' }), made.host)).rejects.toMatchObject({ fault: 'refused' })
  })
})

describe('allow -- CMD', () => {
  it('approves exactly the command that was typed, in this folder, once somebody has seen it', async () => {
    const made = await set([])
    const { text, data } = await allow.run(given({ yes: true }, ['env', 'MODE=x', 'npm', 'test', '--', 'a b']), made.host)
    const command = commandOf(['npm', 'test', '--', 'a b'], { env: [['MODE', 'x']] })
    expect(text?.split('\n')).toEqual(['  folder  .', '  env     MODE=x', '  argv    npm', '          test', '          --', '          a b', 'approved this command'])
    expect(data).toEqual({ approved: [{ command, claims: [] }], refused: [] })
    expect([made.isApproved(command), made.isApproved(commandOf(['npm', 'test', '--', 'a b']))]).toEqual([true, false])
    expect(await deny.run(given({}, ['env', 'MODE=x', 'npm', 'test', '--', 'a b']), made.host)).toMatchObject({ status: 0, data: { denied: [command] } })
    expect(made.isApproved(command)).toBe(false)
  })

  it.each<[string, readonly string[], string, boolean]>([
    ['unseen', ['npm', 'test'], 'refused', false],
    ['what changes the outside', ['git', 'push', 'origin', 'main'], 'refused', true],
    ['what is more than one command', ['npm test && make lint'], 'misuse', true],
    ['what only running tells', ['sh -c "$X"'], 'misuse', true],
  ])('approves nothing %s', async (_, words, fault, yes) => {
    const made = await set([])
    await expect(allow.run(given({ yes }, words), made.host)).rejects.toMatchObject({ fault })
    expect(openApprovals(made.repository, made.files, ROOT).list()).toEqual([])
  })

  it('names no claim beside it', async () => {
    const made = await set([TEST])
    await expect(allow.run(given({ what: idOf(TEST), yes: true }, ['npm', 'test']), made.host)).rejects.toMatchObject({ fault: 'misuse', message: 'both a claim and a command are named' })
  })
})
