import { chmodSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import checkout from '../../../src/commands/checkout.ts'
import verify from '../../../src/commands/verify.ts'
import type { Git } from '../../../src/host/git.ts'
import { openTransport } from '../../../src/store/sync/transport.ts'
import { aRemnant, digestOfRemnant } from '../../remnants.ts'
import { type Sharer, bareIn, sharer } from '../../sharing.ts'
import { given, stage } from '../../stage.ts'

const OLD = aRemnant(['make old'])
const OLDER = digestOfRemnant(OLD)
/** It answers the other, so that its commit has a parent. */
const REMNANT = aRemnant(['make new'], { supersedes: [[OLDER, [OLD.verified_invariants[0]?.claim_id as string]]] })
const DIGEST = digestOfRemnant(REMNANT)
const OTHER = aRemnant(['make other'])
const REF = `refs/remnants/${DIGEST}`

let there: Sharer
let here: Sharer
beforeEach(async () => {
  const remote = bareIn(stage().base)
  there = sharer(remote)
  here = sharer(remote)
  for (const remnant of [OLD, REMNANT]) await there.store.write(remnant)
  await there.push()
  await here.fetch()
})

/** The file of a loose object of this clone. */
function objectFile({ git, repository }: Sharer, name: string): string {
  const oid = git('rev-parse', name).trim()
  return join(repository.commonDir, 'objects', oid.slice(0, 2), oid.slice(2))
}

const OBJECTS: [string, string][] = [
  ['commit', REF],
  ['tree', `${REF}^{tree}`],
  ['blob', `${REF}:.remnants/${DIGEST.slice(0, 2)}/${DIGEST}.json`],
]
const HARMS: [string, (path: string) => void][] = [
  ['is gone', (path) => rmSync(path)],
  ['is cut short', (path) => writeFileSync(path, readFileSync(path).subarray(0, 9))],
  ['has a flipped bit', (path) => writeFileSync(path, readFileSync(path).map((byte, i, all) => (i === all.length >> 1 ? byte ^ 4 : byte)))],
]

describe('a remnant of which something is damaged here', () => {
  it.each(HARMS.flatMap(([harm, act]) => OBJECTS.map(([type, name]) => [type, harm, name, act] as const)))('is made whole by a fetch where its %s %s', async (_, __, name, act) => {
    const path = objectFile(here, name)
    chmodSync(path, 0o644)
    act(path)
    expect(await here.fetch()).toMatchObject({
      text: 'fetched 0 remnants from origin; 2 were here; 1 of which objects were missing or damaged here is whole again',
      data: { renewed: [REF], rejected: [] },
    })
    expect(await here.store.read(DIGEST)).toMatchObject({ remnant: REMNANT })
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('')
    expect(await here.fetch()).toMatchObject({ text: 'fetched 0 remnants from origin; 2 were here' })
    expect(readdirSync(join(here.repository.commonDir, 'remnant')).filter((name) => name.startsWith('inbox'))).toEqual([])
  })

  it('keeps no other from coming, and is named where the remote can not mend it', async () => {
    const mine = await here.store.write(aRemnant(['make mine']))
    rmSync(objectFile(here, `refs/remnants/${mine.digest}`))
    rmSync(objectFile(here, REF))
    there.git('push', '-q', 'origin', `:${REF}`)
    await there.store.write(OTHER)
    await there.push()
    expect(await here.fetch()).toMatchObject({ data: { fetched: [digestOfRemnant(OTHER)], renewed: [], rejected: [] } })
    expect(await here.store.read(digestOfRemnant(OTHER))).toMatchObject({ remnant: OTHER })
  })

  it('gets its ref again where a crash left that empty, and keeps one that says something else', async () => {
    const path = join(here.repository.commonDir, REF)
    here.git('update-ref', '-d', REF)
    writeFileSync(path, '')
    expect(await here.fetch()).toMatchObject({ data: { fetched: [DIGEST], rejected: [] } })
    expect(here.git('rev-parse', REF)).toBe(there.git('rev-parse', REF))
    here.git('update-ref', '-d', REF)
    writeFileSync(path, 'x\n')
    expect(await here.fetch()).toMatchObject({ data: { fetched: [], rejected: [{ ref: REF, fault: expect.stringContaining('is another commit there than here') }] } })
    expect(readFileSync(path, 'utf8')).toBe('x\n')
  })
})

describe('objects that can not be written here', () => {
  const said: [string, string, string][] = [
    ['a full disk', 'fatal: write error: No space left on device\nfatal: fetch-pack: invalid index-pack output\n', 'unwritable'],
    ['a folder of somebody else', 'error: insufficient permission for adding an object to repository database objects\nfatal: failed to write object\n', 'unwritable'],
    ['a full disk of the other side', 'remote: fatal: unable to create temporary file: No space left on device\nfatal: protocol error\n', 'missing'],
    ['a key that the other side does not take', 'git@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.\n', 'missing'],
  ]
  it.each(said)('are not said to be withheld by the remote: %s', async (_, stderr, fault) => {
    const git: Git = { ...(await here.host.git()), try: async () => ({ status: 128, stdout: new Uint8Array(), stderr }) }
    await expect(openTransport(git, 'origin').bring(['0'.repeat(40)])).rejects.toMatchObject({ fault })
  })
})

describe('the next step that verify names', () => {
  const verified = async (values = {}): Promise<unknown> => (await verify.run(given(values), here.host)).data?.faults

  it('is a fetch where no copy is whole, and that does it', async () => {
    rmSync(objectFile(here, REF))
    expect(await verified()).toMatchObject([{ subject: REF, repair: 'git remnant fetch, from a remote that has it whole' }])
    await here.fetch()
    expect(await verified()).toEqual([])
  })

  it('is a repair where a copy is whole, and that does it', async () => {
    await checkout.run(given({}), here.host)
    rmSync(objectFile(here, REF))
    expect(await verified()).toMatchObject([{ subject: REF, repair: 'git remnant verify --repair, which makes it again from the copy' }])
    expect(await verified({ repair: true })).toEqual([])
  })
})
