import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/base/digest.ts'
import { encodeRemnant } from '../../../src/model/remnant.ts'
import { keepSignature, listSignatures, readSignatures, signatureObjects, signaturePathOf, signatureRefOf } from '../../../src/store/signing/signatures.ts'
import { aRemnant } from '../../remnants.ts'
import { madeUpKey, madeUpSignature } from '../../signing.ts'
import { type Layout, QUICK, type Stage, hasReftable, stage } from '../../stage.ts'

const REMNANT = encodeRemnant(aRemnant()).digest
const OTHER = sha256('another remnant')
const signature = madeUpSignature(REMNANT, 1)
const name = ({ digest, remnant }: { digest: string; remnant: string }) => ({ digest, remnant })

const keep = (made: Stage, one = signature): Promise<boolean> => keepSignature(name(one), one.bytes, { repository: made.repository, git: () => made.host.git(), files: made.files, disk: QUICK })
const read = (made: Stage, one = name(signature)) => readSignatures([one], made.repository, () => made.host.git())
const copyIn = (made: Stage, one = signature): string => join(made.dir, signaturePathOf(one))

describe('a signature in a repository', () => {
  const layouts: Layout[] = ['plain', 'worktree', 'bare', 'sha256', ...(hasReftable ? (['reftable'] as const) : [])]

  it.each(layouts)('is kept once, under its ref and beside the remnants, and is read again (%s)', async (layout) => {
    const made = stage({ layout })
    expect(listSignatures(made.repository)).toEqual([])
    expect([await keep(made), await keep(made)]).toEqual([true, false])
    expect(listSignatures(made.repository)).toEqual([name(signature)])
    expect(await read(made)).toEqual([{ ...name(signature), key: madeUpKey(1), signature: { schema: 'git-remnant/signature/1', remnant: REMNANT, signature: expect.stringContaining('BEGIN SSH SIGNATURE') } }])
    expect(made.git('rev-parse', signatureRefOf(signature)).trim()).toBe(signatureObjects(name(signature), signature.bytes, made.repository.objectFormat).at(-1)?.oid)
    expect(made.git('cat-file', 'blob', `${signatureRefOf(signature)}:${signaturePathOf(signature)}`)).toBe(Buffer.from(signature.bytes).toString())
    expect(made.git('fsck', '--strict', '--no-dangling')).toBe('')
    if (layout !== 'bare') expect(readFileSync(copyIn(made))).toEqual(Buffer.from(signature.bytes))
  })

  it('is one commit in every repository, whoever keeps it and when', async () => {
    const [one, other] = [stage(), stage({ files: { a: '1' } })]
    for (const made of [one, other]) await keep(made)
    expect(one.git('rev-parse', signatureRefOf(signature))).toBe(other.git('rev-parse', signatureRefOf(signature)))
    expect(one.git('log', '-1', '--format=%at %ct %P|%s', signatureRefOf(signature))).toBe(`0 0 |Signature ${signature.digest} of remnant ${REMNANT}\n`)
  })

  it('is refused where its ref says something else', async () => {
    const made = stage()
    made.git('update-ref', signatureRefOf(signature), 'HEAD')
    await expect(keep(made)).rejects.toMatchObject({ fault: 'corrupt' })
    expect(made.git('rev-parse', signatureRefOf(signature))).toBe(made.git('rev-parse', 'HEAD'))
  })

  it.each<[string, (made: Stage, outside: string) => void]>([
    ['.remnants', (made, outside) => symlinkSync(outside, join(made.dir, '.remnants'))],
    ['.remnants/sig', (made, outside) => (mkdirSync(join(made.dir, '.remnants')), symlinkSync(outside, join(made.dir, '.remnants/sig')))],
    ['.remnants/sig/REMNANT', (made, outside) => (mkdirSync(join(made.dir, '.remnants/sig'), { recursive: true }), symlinkSync(outside, join(made.dir, '.remnants/sig', REMNANT)))],
  ])('is written through no link at %s, and git has it all the same', async (_, link) => {
    const [made, elsewhere] = [stage(), stage()]
    link(made, elsewhere.dir)
    expect(await keep(made)).toBe(true)
    expect([elsewhere.git('status', '--porcelain'), await read(made)]).toEqual(['', [expect.objectContaining({ key: madeUpKey(1) })]])
  })
})

describe('the signatures that are listed', () => {
  const second = madeUpSignature(OTHER, 2)

  it('are those under loose and packed refs and those that have a copy, each once, sorted', async () => {
    const made = stage()
    for (const one of [signature, second]) await keep(made, one)
    const both = [name(signature), name(second)].sort((a, b) => (`${a.remnant}/${a.digest}` < `${b.remnant}/${b.digest}` ? -1 : 1))
    expect(listSignatures(made.repository)).toEqual(both)
    made.git('pack-refs', '--all')
    expect(listSignatures(made.repository)).toEqual(both)
    rmSync(join(made.dir, '.remnants'), { recursive: true })
    expect(listSignatures(made.repository)).toEqual(both)
    made.git('update-ref', '-d', signatureRefOf(second))
    expect(listSignatures(made.repository)).toEqual([name(signature)])
  })

  it('are a copy alone too', async () => {
    const made = stage()
    made.files.write(copyIn(made), signature.bytes)
    expect([listSignatures(made.repository), (await read(made)).map((one) => 'key' in one)]).toEqual([[name(signature)], [true]])
  })

  it.each<[string, (made: Stage) => void]>([
    ['a ref of another form', (made) => made.git('update-ref', `refs/remnants/sig/${REMNANT}/short`, 'HEAD')],
    ['a ref for what is no remnant', (made) => made.git('update-ref', `refs/remnants/sig/x/${signature.digest}`, 'HEAD')],
    ['a packed ref of another form', (made) => (made.git('update-ref', `refs/remnants/sig/${REMNANT}/${signature.digest}/more`, 'HEAD'), made.git('pack-refs', '--all'))],
    ['a file of another name', (made) => made.write(`.remnants/sig/${REMNANT}/README.md`, 'x')],
    ['a file without its ending', (made) => made.write(`.remnants/sig/${REMNANT}/${signature.digest}`, 'x')],
    ['a folder of another name', (made) => made.write(`.remnants/sig/x/${signature.digest}.json`, 'x')],
    ['a file in place of the folder', (made) => made.write('.remnants/sig', 'x')],
  ])('are not %s', (_, prepare) => {
    const made = stage()
    prepare(made)
    expect(listSignatures(made.repository)).toEqual([])
  })
})

describe('what is read of a signature', () => {
  const damages: [string, string | Uint8Array][] = [
    ['cut short', Buffer.from(signature.bytes).subarray(0, 40)],
    ['empty', ''],
    ['that of another', madeUpSignature(REMNANT, 2).bytes],
    ['over 32 KiB', Buffer.concat([signature.bytes, Buffer.alloc(40_000, 32)])],
  ]

  it.each(damages)('comes from its ref where the copy is %s', async (_, bytes) => {
    const made = stage()
    await keep(made)
    writeFileSync(copyIn(made), bytes)
    expect(await read(made)).toEqual([expect.objectContaining({ key: madeUpKey(1) })])
  })

  it.each(damages)('is a fault where the only copy is %s', async (_, bytes) => {
    const made = stage()
    made.files.write(copyIn(made), bytes)
    expect(await read(made)).toEqual([{ ...name(signature), fault: `signature "${signature.digest.slice(0, 12)}" has git objects that are missing or damaged, or are too large` }])
  })

  it('follows no link', async () => {
    const made = stage()
    made.write('outside', Buffer.from(signature.bytes).toString())
    mkdirSync(dirname(copyIn(made)), { recursive: true })
    symlinkSync(join(made.dir, 'outside'), copyIn(made))
    expect(await read(made)).toEqual([expect.objectContaining({ fault: expect.stringContaining('missing or damaged') })])
  })

  it.each<[string, string, RegExp]>([
    ['hashes to its name but is no signature', '{"schema":"git-remnant/signature/1"}', /^signature "[0-9a-f]{12}"/],
    ['lies under another remnant', Buffer.from(madeUpSignature(OTHER, 1).bytes).toString(), /lies under another remnant's name$/],
    ['is in another form', `${Buffer.from(signature.bytes).toString()}\n`, /is not in canonical form$/],
  ])('is a fault where it %s', async (_, text, fault) => {
    const made = stage()
    const one = { digest: sha256(text), remnant: REMNANT }
    made.write(signaturePathOf(one), text)
    expect(await read(made, one)).toEqual([{ ...one, fault: expect.stringMatching(fault) }])
  })

  it('keeps the order in which it was asked for, whatever of it is lost', async () => {
    const made = stage()
    const all = [1, 2, 3, 4].map((n) => madeUpSignature(REMNANT, n))
    for (const one of all) await keep(made, one)
    rmSync(join(made.dir, '.remnants'), { recursive: true })
    made.git('update-ref', '-d', signatureRefOf(all[1]!))
    const asked = [all[3]!, all[1]!, all[0]!, all[2]!].map(name)
    const found = await readSignatures(asked, made.repository, () => made.host.git())
    expect(found.map((one) => [one.digest, 'key' in one ? one.key : 'fault'])).toEqual([
      [all[3]!.digest, madeUpKey(4)],
      [all[1]!.digest, 'fault'],
      [all[0]!.digest, madeUpKey(1)],
      [all[2]!.digest, madeUpKey(3)],
    ])
  })
})
