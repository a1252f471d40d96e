import type { Command } from '../command.ts'
import { plainText } from '../model/plain.ts'
import { named } from '../store/named.ts'
import { signatureRefOf } from '../store/signing/signatures.ts'
import { signRemnants } from '../store/verify/verifying.ts'

export default {
  name: 'sign',
  kind: 'porcelain',
  summary: 'Sign this clone\'s own remnants with git\'s SSH signing key',
  details: [
    'Without DIGEST, all that this clone sealed. The key is git\'s own "user.signingKey" (a file, or "key::" and a key in the agent), else',
    'what "gpg.ssh.defaultKeyCommand" names. A signature is an object of its own beside the remnant, and is shared with it. "git remnant push"',
    'signs by itself where "commit.gpgSign" is on and "gpg.format" is "ssh", as git does with commits.',
  ].join('\n'),
  positionals: [{ name: 'DIGEST', describe: 'a remnant, by its first digits', many: true }],
  statuses: { 1: 'there is no such remnant, or this clone did not seal it', 69: 'there is no key or no ssh-keygen, or it would not sign', 74: 'a remnant is damaged, or the store can\'t be written' },
  run: async (args, host) => {
    const store = await host.store()
    const names = args.list('DIGEST')
    const wanted: string[] = []
    const not: string[] = []
    if (names.length === 0) {
      for await (const stored of store.readAll()) if ('remnant' in stored && stored.rank === 'own') wanted.push(stored.digest)
    }
    for (const name of names) {
      const digest = await named(store, name)
      const stored = digest === null ? null : await store.read(digest)
      if (stored !== null && 'remnant' in stored && stored.rank === 'own') wanted.push(stored.digest)
      else not.push(name)
    }
    if (not.length > 0)
      return {
        text: not.map((name) => `no remnant "${plainText(name, 80)}" that this clone sealed`).join('\n'),
        data: { signed: [], there: [] },
        status: 1,
      }
    const { signatures, there } = await signRemnants([...new Set(wanted)], host)
    const lines = [...signatures.map(({ remnant }) => `signed  ${remnant.slice(0, 12)}`), ...(there.length === 0 ? [] : [`${there.length} signed by this key before`])]
    return {
      text: lines.length === 0 ? 'this clone has sealed nothing to sign' : lines.join('\n'),
      data: { signed: signatures.map((name) => ({ digest: name.digest, remnant: name.remnant, ref: signatureRefOf(name) })), there },
    }
  },
} satisfies Command
