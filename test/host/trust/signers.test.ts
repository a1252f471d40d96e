import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApprovals } from '../../../src/host/trust/approvals.ts'
import { configuredSigners, openSignerList, signersHere } from '../../../src/host/trust/signers.ts'
import { type PublicKey, type Signer, lineOfSigner } from '../../../src/model/signer.ts'
import { madeUpKey } from '../../signing.ts'
import { type Stage, stage } from '../../stage.ts'

const [A, B, C] = [madeUpKey(1), madeUpKey(2), madeUpKey(3)]
const signer = (key: PublicKey, options = ''): Signer => ({ principals: 'a@example.com', options, key })
const line = (key: PublicKey, options = ''): string => lineOfSigner(signer(key, options))
const bare = ({ type, blob }: PublicKey): string => `${type} ${blob}`

const listIn = ({ repository }: Stage): string => join(repository.commonDir, 'remnant', 'signers')
const named = (made: Stage, path: string): void => made.files.write(join(made.repository.commonDir, 'remnant', 'config.json'), JSON.stringify({ schema: 'git-remnant/config/1', signers: path }))
const accept = (made: Stage): void => openApprovals(made.repository, made.files, '').approveConfig(configuredSigners(made.repository, made.files)!.id)

describe("a clone's list of signers", () => {
  it.each<[string, string[], Signer[], PublicKey[]]>([
    ['is empty where nothing was decided', [], [], []],
    ['allows', [`allow ${line(A)}`, `allow ${line(B)}`], [signer(A), signer(B)], []],
    ['denies what was allowed', [`allow ${line(A)}`, `deny ${bare(A)}`], [], [A]],
    ['denies what nobody allowed', [`deny ${bare(A)}`], [], [A]],
    ['allows what was denied', [`deny ${bare(A)}`, `allow ${line(A)}`], [signer(A)], []],
    ['has the last bounds of a key', [`allow ${line(A)}`, `allow ${line(A, 'cert-authority')}`], [signer(A, 'cert-authority')], []],
    ['passes over what is no decision', ['', 'allow', `permit ${line(A)}`, `allow ${bare(A)}`, 'deny a@example.com', `allow ${line(B)}`, `deny ${bare(A).slice(0, -5)}`], [signer(B)], []],
  ])('%s', (_, lines, allowed, denied) => {
    const made = stage()
    made.files.write(listIn(made), lines.join('\n'))
    const list = openSignerList(made.repository, made.files)
    expect([list.allowed, list.denied]).toEqual([allowed, denied])
  })

  it('is appended to, so that two who decide at once lose nothing', () => {
    const made = stage()
    const [one, other] = [openSignerList(made.repository, made.files), openSignerList(made.repository, made.files)]
    one.allow(signer(A, 'namespaces="git-remnant"'))
    other.deny(B)
    one.allow(signer(C))
    one.deny(C)
    expect(Buffer.from(made.files.read(listIn(made)) as Uint8Array).toString()).toBe(`allow ${line(A, 'namespaces="git-remnant"')}\ndeny ${bare(B)}\nallow ${line(C)}\ndeny ${bare(C)}\n`)
    expect([one.allowed, one.denied]).toEqual([[signer(A, 'namespaces="git-remnant"')], [C]])
    const now = openSignerList(made.repository, made.files)
    expect([now.allowed, now.denied]).toEqual([[signer(A, 'namespaces="git-remnant"')], [B, C]])
  })
})

describe('the file of signers that the configuration names', () => {
  it('counts once it was accepted, and no more when a byte of it changes', () => {
    const made = stage()
    named(made, 'signers')
    made.write('signers', `# ours\n${line(A)}\nnonsense\n`)
    expect(configuredSigners(made.repository, made.files)).toMatchObject({ path: 'signers', signers: [signer(A)], unread: 1, accepted: false })
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
    accept(made)
    expect(configuredSigners(made.repository, made.files)?.accepted).toBe(true)
    expect(signersHere(made.repository, made.files).accepted).toEqual([{ ...signer(A), from: 'config' }])
    made.write('signers', `# ours\n${line(A)}\nnonsense\n\n`)
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
  })

  it('was not accepted under another name', () => {
    const made = stage()
    for (const name of ['signers', 'others']) made.write(name, `${line(A)}\n`)
    named(made, 'signers')
    accept(made)
    named(made, 'others')
    expect(configuredSigners(made.repository, made.files)?.accepted).toBe(false)
  })

  it.each<[string, string | undefined, (made: Stage) => void]>([
    ['nothing is named', undefined, () => {}],
    ['the name is empty', '', () => {}],
    ['there is no such file', 'signers', () => {}],
    ['it is a folder', 'signers', (made) => made.write('signers/a', `${line(A)}\n`)],
    ['it is over 1 MiB', 'signers', (made) => made.write('signers', `${line(A)}\n${'#'.repeat(1024 * 1024)}`)],
    ['the configuration can not be read', undefined, (made) => made.files.write(join(made.repository.commonDir, 'remnant', 'config.json'), '{')],
  ])('is none where %s', (_, path, prepare) => {
    const made = stage()
    if (path !== undefined) named(made, path)
    prepare(made)
    expect(configuredSigners(made.repository, made.files)).toBeNull()
    expect(signersHere(made.repository, made.files).accepted).toEqual([])
  })

  it('is looked for in a bare repository by its absolute path alone', () => {
    const [made, other] = [stage({ layout: 'bare' }), stage()]
    other.write('signers', `${line(A)}\n`)
    expect(configuredSigners(made.repository, made.files, 'signers')).toBeNull()
    expect(configuredSigners(made.repository, made.files, join(other.dir, 'signers'))?.signers).toEqual([signer(A)])
  })
})

describe('the signers that count here', () => {
  const three = (): Stage => {
    const made = stage()
    named(made, 'signers')
    made.write('signers', `${line(A)}\n${line(C, 'cert-authority')}\n`)
    accept(made)
    openSignerList(made.repository, made.files).allow(signer(B))
    return made
  }

  it('come from the command line, the clone and the configuration', () => {
    const made = three()
    expect(signersHere(made.repository, made.files, [signer(A, 'valid-before="29990101"')]).accepted.map(({ from, key }) => [from, key])).toEqual([['command line', A], ['clone', B], ['config', A], ['config', C]])
  })

  it('lack a key that was denied, wherever it stands, and no authority vouches for it', () => {
    const made = three()
    openSignerList(made.repository, made.files).deny(A)
    const signers = signersHere(made.repository, made.files, [signer(A)])
    expect(signers.accepted.map(({ key }) => key)).toEqual([B, C])
    expect([signers.linesFor(A), signers.groundsFor(A, null)]).toEqual([[], null])
  })

  it('vouch for their own key, and an authority for any', () => {
    const signers = signersHere(three().repository, stage().files)
    expect(signers.linesFor(B).map(({ key }) => key)).toEqual([B, C])
    expect(signers.linesFor(madeUpKey(9)).map(({ key }) => key)).toEqual([C])
  })

  it('give grounds that change with what decides about a key, and with nothing else', () => {
    const made = stage()
    const { repository, files } = made
    const list = openSignerList(repository, files)
    const grounds = (key: PublicKey, revoked: string | null = null, typed: Signer[] = []) => signersHere(repository, files, typed).groundsFor(key, revoked)
    expect(grounds(A)).toBeNull()
    list.allow(signer(A))
    const before = grounds(A)
    expect(before).toMatch(/^[0-9a-f]{64}$/)
    list.allow(signer(B))
    expect([grounds(A), grounds(A, null, [signer(A)]), grounds(A, null, [{ ...signer(A), principals: 'somebody else' }])]).toEqual([before, before, before])
    const others = [grounds(A, 'revoked'), grounds(A, null, [signer(A, 'valid-before="20300101"')]), grounds(A, null, [signer(C, 'cert-authority')])]
    expect(new Set([before, ...others]).size).toBe(4)
  })
})
