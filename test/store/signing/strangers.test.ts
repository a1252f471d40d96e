import { describe, expect, it } from 'vitest'
import show from '../../../src/commands/show.ts'
import { openSignerList } from '../../../src/host/trust/signers.ts'
import { fingerprintOfKey } from '../../../src/model/signer.ts'
import { openStore } from '../../../src/store.ts'
import { keepSignature } from '../../../src/store/signing/signatures.ts'
import { strangersHere } from '../../../src/store/signing/strangers.ts'
import { aRemnant } from '../../remnants.ts'
import { fetched, madeUpKey, madeUpSignature } from '../../signing.ts'
import { QUICK, given, stage } from '../../stage.ts'

const [ONE, TWO] = [fingerprintOfKey(madeUpKey(1)), fingerprintOfKey(madeUpKey(2))]

describe('keys that nobody accepted here', () => {
  it('are named with what they are said to have signed, and are not called unsigned', async () => {
    const made = stage()
    const { repository, files } = made
    // Opened anew each time: what it wrote itself it takes for its own.
    const host = { ...made.host, store: async () => openStore({ repository, git: made.host.git, files, disk: QUICK }) }
    const digests = [await fetched(made, aRemnant()), await fetched(made, aRemnant(['make other']))].sort()
    const sealed = async (digest = digests[0] as string): Promise<string> => (await show.run(given({ DIGEST: digest }), host)).text as string
    expect(await strangersHere(host)).toEqual([])
    files.append(`${repository.commonDir}/remnant/reported`, `${digests[0]}\n`)
    expect(await sealed()).toMatch(/^sealed +elsewhere; it came from the accepted remote, unsigned$/m)
    for (const [digest, n] of [[digests[0], 1], [digests[0], 2], [digests[1], 1]] as [string, number][]) {
      const { bytes, ...name } = madeUpSignature(digest, n)
      await keepSignature(name, bytes, { repository, git: host.git, files, disk: QUICK })
    }
    const all = [{ fingerprint: ONE, denied: false, remnants: digests }, { fingerprint: TWO, denied: false, remnants: [digests[0]] }].sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1))
    expect(await strangersHere(host)).toEqual(all)
    expect(await strangersHere(host, digests[1])).toEqual([{ fingerprint: ONE, denied: false, remnants: [digests[1]] }])
    const text = await sealed()
    expect(text).toMatch(/^sealed +elsewhere; it came from the accepted remote$/m)
    for (const name of [ONE, TWO]) expect(text).toContain(`signed by  ${name} (not accepted here, so not checked)`)

    openSignerList(repository, files).deny(madeUpKey(2))
    expect(await sealed()).toContain(`signed by  ${TWO} (denied here, so not checked)`)
    openSignerList(repository, files).allow({ principals: 'a@example.com', options: 'namespaces="git-remnant"', key: madeUpKey(1) })
    expect(await strangersHere(host)).toEqual([{ fingerprint: TWO, denied: true, remnants: [digests[0]] }])
  })
})
