import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import sign from '../../src/commands/sign.ts'
import { openStore } from '../../src/store.ts'
import { pathOf } from '../../src/store/git/recipe.ts'
import { listSignatures } from '../../src/store/signing/signatures.ts'
import { aRemnant } from '../remnants.ts'
import { CAN_SIGN, fetched, keyPair, signingStage } from '../signing.ts'
import { QUICK, type Stage, given, stage } from '../stage.ts'

const ONE = aRemnant()
const TWO = aRemnant(['npm run lint'])
/** Run by a process that has just been started. */
const run = ({ repository, host, files }: Stage, ...names: string[]) =>
  sign.run(given({ DIGEST: names }), { ...host, store: async () => openStore({ repository, git: () => host.git(), files, disk: QUICK }) })

describe('sign', () => {
  it('has nothing to sign where this clone sealed nothing', async () => {
    const made = stage()
    await fetched(made, ONE)
    expect(await run(made)).toEqual({ text: 'this clone has sealed nothing to sign', data: { signed: [], there: [] } })
  })

  it.each<[string, (made: Stage) => Promise<string> | string, RegExp]>([
    ['what is not here', () => 'abcd1234', /^no remnant "abcd1234" that this clone sealed$/],
    ['what somebody else sealed', (made) => fetched(made, TWO), /^no remnant "[0-9a-f]+" that this clone sealed$/],
  ])('signs nothing at all where one of the names is %s', async (_, prepare, text) => {
    const made = stage()
    const { digest } = await made.store.write(ONE)
    expect(await run(made, digest, await prepare(made))).toEqual({ text: expect.stringMatching(text), data: { signed: [], there: [] }, status: 1 })
    expect(listSignatures(made.repository)).toEqual([])
  })

  it('takes digests alone for names', async () => {
    const made = stage()
    await made.store.write(ONE)
    await expect(run(made, 'a@example.com')).rejects.toMatchObject({ fault: 'misuse' })
  })

  it('says what is missing where git has no key', async () => {
    const made = signingStage()
    await made.store.write(ONE)
    await expect(run(made)).rejects.toMatchObject({ fault: 'missing', message: 'git has no signing key', hint: expect.stringContaining('user.signingKey') })
    expect(listSignatures(made.repository)).toEqual([])
  })
})

// Needs OpenSSH's ssh-keygen.
describe.skipIf(!CAN_SIGN)('sign, with a key', () => {
  const keyed = () => {
    const [made, pair] = [signingStage(), keyPair()]
    made.git('config', 'user.signingKey', pair.publicPath)
    return { made, pair }
  }

  it('signs all that this clone sealed, once, and nothing of others', async () => {
    const { made } = keyed()
    const own = [(await made.store.write(ONE)).digest, (await made.store.write(TWO)).digest].sort()
    const strange = await fetched(made, aRemnant(['npm run build']))
    const first = await run(made)
    const { signed, there } = first.data as { signed: { digest: string; remnant: string; ref: string }[]; there: string[] }
    expect([signed.map(({ remnant }) => remnant).sort(), there]).toEqual([own, []])
    expect(signed.map(({ ref }) => ref)).toEqual(signed.map(({ digest, remnant }) => `refs/remnants/sig/${remnant}/${digest}`))
    expect(first.text?.split('\n').sort()).toEqual(own.map((digest) => `signed  ${digest.slice(0, 12)}`))
    expect(listSignatures(made.repository).map(({ remnant }) => remnant)).toEqual(own)
    const again = await run(made)
    expect([again.text, { ...(again.data as object), there: [...(again.data as { there: string[] }).there].sort() }]).toEqual(['2 signed by this key before', { signed: [], there: own }])
    expect(listSignatures(made.repository).some(({ remnant }) => remnant === strange)).toBe(false)
  })

  it('signs what is named by its first digits, and once where it is named twice', async () => {
    const { made } = keyed()
    const [{ digest }] = [await made.store.write(ONE), await made.store.write(TWO)]
    const { data } = await run(made, digest.slice(0, 8), digest)
    expect((data as { signed: { remnant: string }[] }).signed.map(({ remnant }) => remnant)).toEqual([digest])
    expect(listSignatures(made.repository)).toHaveLength(1)
  })

  it('signs again with another key', async () => {
    const { made } = keyed()
    await made.store.write(ONE)
    await run(made)
    made.git('config', 'user.signingKey', keyPair().publicPath)
    await run(made)
    expect(new Set(listSignatures(made.repository).map(({ digest }) => digest)).size).toBe(2)
  })

  it('signs what git holds, whatever lies in the work tree', async () => {
    const { made } = keyed()
    const { digest } = await made.store.write(ONE)
    writeFileSync(join(made.dir, pathOf(digest)), '{}')
    expect((await run(made, digest)).text).toBe(`signed  ${digest.slice(0, 12)}`)
  })

  it.each<[string, (pair: ReturnType<typeof keyPair>, made: Stage) => void, RegExp]>([
    ['the program is not there', (_, made) => made.git('config', 'gpg.ssh.program', '/nowhere/ssh-keygen'), /^no program "\/nowhere\/ssh-keygen" to be started$/],
    ['the private key is gone', ({ path }) => rmSync(path), /did not sign/],
    ['the key file is gone', ({ publicPath }) => rmSync(publicPath), /^"user.signingKey" names a file that is not there$/],
  ])('keeps no signature where %s', async (_, change, message) => {
    const { made, pair } = keyed()
    await made.store.write(ONE)
    change(pair, made)
    await expect(run(made)).rejects.toMatchObject({ fault: 'missing', message: expect.stringMatching(message) })
    expect(listSignatures(made.repository)).toEqual([])
  })
})
