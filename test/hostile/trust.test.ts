import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { canonical } from '../../src/base/canonical.ts'
import { sha256 } from '../../src/base/digest.ts'
import { openApprovals } from '../../src/host/trust/approvals.ts'
import { loadConfig } from '../../src/host/config.ts'
import { gatesAmong } from '../../src/host/trial/gates.ts'
import { configuredSigners, openSignerList, signersHere } from '../../src/host/trust/signers.ts'
import { commandOf } from '../../src/model/command.ts'
import type { Config } from '../../src/model/config.ts'
import { RANKS, type Rank, atLeast } from '../../src/model/rank.ts'
import type { Held } from '../../src/model/store.ts'
import { resolve } from '../../src/resolve.ts'
import { briefOf } from '../../src/resolve/brief.ts'
import { type Knowledge, planOf, suspendedIn } from '../../src/resolve/plan.ts'
import { toolchains } from '../../src/signatures.ts'
import { TOMBSTONE_SCHEMA } from '../../src/store/sync/tombstones.ts'
import { aRemnant } from '../remnants.ts'
import { deadEnd, gate, held, idOf, readings, residual } from '../resolve/records.ts'
import { stage } from '../stage.ts'

const KEYS = ['tool:npm', 'tree:.'] as const
const TEST = gate(['npm', 'test'], KEYS)
const RED = deadEnd(['npm', 'test'], 'ERR', [['tool:npm', null]], { keys: KEYS })
const PAIRS = RANKS.flatMap((mine) => RANKS.map((theirs) => [theirs, mine] as const))

const holds = (stored: readonly Held[], digest: string): readonly string[] =>
  resolve(stored, readings()).remnants.find((one) => one.digest === digest)?.claims.filter((here) => here.holds).map(({ claim }) => claim.claim_id) ?? []

describe('a remnant that is', () => {
  it.each(PAIRS)('%s answers one that is %s only if its rank is as high', (theirs, mine) => {
    const old = held([TEST], { rank: mine, session: 'mine' })
    const answer = held([gate(['npm', 'run', 'lint'], KEYS)], { rank: theirs, session: 'theirs', supersedes: [[old.digest, [idOf(TEST)]]] })
    expect(holds([old, answer], old.digest)).toEqual(atLeast(theirs, mine) ? [] : [idOf(TEST)])
  })

  it.each(PAIRS)('%s stands in the place of one of the same session that is %s only within one rank', (theirs, mine) => {
    const old = held([TEST], { rank: mine, session: 'same' })
    const later = held([gate(['npm', 'run', 'lint'], KEYS)], { rank: theirs, session: 'same', until: '9999-12-31T23:59:59Z' })
    expect(holds([old, later], old.digest)).toEqual(theirs === mine ? [] : [idOf(TEST)])
  })

  it.each(PAIRS)('%s outvotes one that is %s only if its rank is as high', (theirs, mine) => {
    const green = held([TEST], { rank: mine, session: 'mine' })
    const red = held([RED], { rank: theirs, session: 'theirs', until: '2027-01-01T10:00:00Z' })
    expect(holds([green, red], green.digest)).toEqual(atLeast(theirs, mine) ? [] : [idOf(TEST)])
  })

  it.each(PAIRS)('%s lets a failure that is %s fall by a later pass only if it is trusted, and its rank as high', (theirs, mine) => {
    const red = held([RED], { rank: mine, session: 'mine' })
    const green = held([TEST], { rank: theirs, session: 'theirs', until: '2027-01-01T10:00:00Z' })
    const fell = !resolve([red, green], readings()).remnants.some(({ digest }) => digest === red.digest)
    expect(fell).toBe(atLeast(theirs, 'signed') && atLeast(theirs, mine))
  })

  it.each<[Rank, boolean]>([['own', true], ['signed', true], ['reported', false], ['other', false]])('%s names a gate: %s', (rank, named) => {
    expect(gatesAmong([held([TEST, residual('the cache is keyed by path', ['npm', 'run', 'check'], KEYS)], { rank })], toolchains).length > 0).toBe(named)
  })

  const everything: Knowledge = { toolchains, mutations: [], isApproved: () => true }
  it.each<[Rank, string[]]>([['own', []], ['signed', []], ['reported', ['unsigned']], ['other', ['unsigned']]])('%s is probed, were all of it approved: refused for %j', (rank, reasons) => {
    const drifted = readings({ 'tool:npm': '12.0.0' })
    const plan = planOf(suspendedIn(resolve([held([TEST], { rank })], drifted)), everything, drifted)
    expect([plan.stays.map(({ reason }) => reason), plan.probes.length]).toEqual([reasons, 1 - reasons.length])
  })

  it('anything but its own or signed stands under a heading that says so, behind all facts', () => {
    const stored = RANKS.map((rank) => held([gate(['npm', 'run', rank], KEYS)], { rank, session: rank }))
    const { text } = briefOf(resolve([...stored].reverse(), readings()), { budget: 10_000, touches: () => false, tokensOf: () => 1 })
    const lines = text.split('\n').filter((line) => line.startsWith('- ') || line.includes('Gates and facts to use'))
    expect(lines.map((line) => line.replace(/ is a gate.*/, ''))).toEqual([
      'Gates and facts to use', '- `npm run own`',
      'Signed: Gates and facts to use', '- `npm run signed`',
      'Reported, unsigned: Gates and facts to use', '- `npm run reported`',
      'From others, unsigned: Gates and facts to use', '- `npm run other`',
    ])
  })

  it('a stranger\'s repetition of a claim of mine adds nothing to it', () => {
    const stored = [held([TEST], { rank: 'own' }), ...[1, 2, 3].map((i) => held([gate(['npm', 'test'], KEYS, { record: `r${i}` })], { rank: 'reported', session: `s${i}` }))]
    expect(briefOf(resolve(stored, readings()), { budget: 10_000, touches: () => false, tokensOf: () => 1 }).text).not.toMatch(/times|Reported/)
  })
})

describe('a tombstone that a stranger', () => {
  it('puts into the work tree or under refs/remnants takes nothing of mine away', async () => {
    const made = stage()
    const { digest } = await made.store.write(aRemnant())
    const stone = canonical({ schema: TOMBSTONE_SCHEMA, remnant: digest, forgotten_at: '2026-06-01T10:00:00Z', replaced_by: null })
    for (const folder of ['.remnants/tombstones', `.remnants/tombstones/${digest}`, '.remnants/sig', `.remnants/${digest.slice(0, 2)}`]) {
      mkdirSync(join(made.dir, folder), { recursive: true })
      writeFileSync(join(made.dir, folder, `${sha256(stone)}.json`), stone)
    }
    made.git('update-ref', `refs/remnants/tombstones/${digest}`, 'HEAD')
    const found: string[] = []
    for await (const one of made.store.readAll()) if ('remnant' in one) found.push(`${one.digest} ${one.rank}`)
    expect(found).toEqual([`${digest} own`])
  })
})

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f'
const signerText = `evil@example.com namespaces="git-remnant" ${KEY}\n`

describe('a tracked configuration that', () => {
  const WIDE: readonly (readonly [string, Config, (config: Config) => unknown])[] = [
    ['shares with a remote', { share: 'evil' }, ({ share }) => share],
    ['names signers', { signers: '.remnants/signers' }, ({ signers }) => signers],
    ['turns the guard off', { guard: 'off' }, ({ guard }) => guard],
    ['reads an interface by a command', { interfaces: { db: { command: ['sh', '-c', 'touch owned'] } } }, ({ interfaces }) => interfaces],
    ['runs a command before each gate', { gate: { setup: [['sh', '-c', 'touch owned']] } }, ({ gate }) => gate?.setup],
  ]
  it.each(WIDE)('%s says nothing before it is accepted, and nothing once a byte of it changes', (_, config, of) => {
    const made = stage()
    const text = JSON.stringify({ schema: 'git-remnant/config/1', ...config })
    made.write('.remnants/config.json', text)
    expect(of(loadConfig(made.repository, made.files))).toBeUndefined()
    openApprovals(made.repository, made.files, '').approveConfig(sha256(text))
    expect(of(loadConfig(made.repository, made.files))).toBeDefined()
    made.write('.remnants/config.json', `${text} `)
    expect(of(loadConfig(made.repository, made.files))).toBeUndefined()
  })

  it('was accepted with its file of signers lets in no signer whom a later commit adds to that file', () => {
    const made = stage()
    const text = JSON.stringify({ schema: 'git-remnant/config/1', signers: '.remnants/signers' })
    made.write('.remnants/config.json', text)
    made.write('.remnants/signers', signerText)
    const approvals = openApprovals(made.repository, made.files, '')
    approvals.approveConfig(sha256(text))
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
    approvals.approveConfig(configuredSigners(made.repository, made.files)?.id ?? '')
    expect(signersHere(made.repository, made.files).accepted.map(({ principals, from }) => `${principals} ${from}`)).toEqual(['evil@example.com config'])
    made.write('.remnants/signers', `${signerText}* ${KEY}\n`)
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
  })

  it('names a key that was denied here lets it in by no file', () => {
    const made = stage()
    const text = JSON.stringify({ schema: 'git-remnant/config/1', signers: '.remnants/signers' })
    made.write('.remnants/config.json', text)
    made.write('.remnants/signers', signerText)
    const approvals = openApprovals(made.repository, made.files, '')
    approvals.approveConfig(sha256(text))
    const file = configuredSigners(made.repository, made.files)
    approvals.approveConfig(file?.id ?? '')
    openSignerList(made.repository, made.files).deny(file?.signers[0]?.key as never)
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
  })
})

describe('an approval of `npm test` here', () => {
  const LOOK_ALIKES: readonly (readonly [string, readonly string[], Parameters<typeof commandOf>[1]])[] = [
    ['with a Cyrillic letter', ['npm', 't\u0435st'], {}],
    ['with a letter of another width', ['npm', '\uff54est'], {}],
    ['with an accent that is a character of its own', ['npm', 'te\u0301st'], {}],
    ['with a zero-width space', ['npm', 'te\u200bst'], {}],
    ['with a blank behind it', ['npm', 'test '], {}],
    ['with a line break behind it', ['npm', 'test\n'], {}],
    ['as one word', ['npm test'], {}],
    ['with one more word', ['npm', 'test', ''], {}],
    ['with an option', ['npm', '--prefix=/tmp/evil', 'test'], {}],
    ['of a program of the repository', ['./npm', 'test'], {}],
    ['in another folder', ['npm', 'test'], { folder: 'evil' }],
    ['with a variable', ['npm', 'test'], { env: [['NODE_OPTIONS', '--require=./evil.js']] }],
    ['as root', ['npm', 'test'], { privilege: 'root' }],
    ['on another machine', ['npm', 'test'], { where: 'host:evil' }],
    ['in capitals', ['NPM', 'test'], {}],
  ]
  it.each(LOOK_ALIKES)('is none of it %s', (_, argv, more) => {
    const made = stage()
    const approvals = openApprovals(made.repository, made.files, 'a'.repeat(40))
    approvals.approve(commandOf(['npm', 'test']))
    expect([approvals.isApproved(commandOf(['npm', 'test'])), approvals.isApproved(commandOf(argv, more))]).toEqual([true, false])
  })
})
