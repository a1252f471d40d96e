import type { Command } from '../command.ts'
import { plainText } from '../model/plain.ts'
import type { StoreFault } from '../model/store.ts'
import { named } from '../store/named.ts'

export default {
  name: 'verify',
  kind: 'porcelain',
  summary: 'Check remnants at rest: digest, form, seal, lineage, ref, commit, and copy',
  details: 'Without DIGEST, all of them. A missing copy in the work tree is no fault. Nothing is changed by looking.',
  positionals: [{ name: 'DIGEST', describe: 'a remnant, by its first digits', many: true }],
  statuses: { 1: 'there is no such remnant', 74: 'a fault was found' },
  run: async (args, host) => {
    const store = await host.store()
    const names = args.list('DIGEST')
    const found = await Promise.all(names.map(async (name) => ({ name, digest: await named(store, name) })))
    const absent = found.filter(({ digest }) => digest === null).map(({ name }) => name)
    const wanted = names.length === 0 ? await store.digests() : [...new Set(found.flatMap(({ digest }) => digest ?? []))]
    const faults: StoreFault[] = []
    for await (const audited of store.audit(wanted)) faults.push(...audited.faults)
    const text = [
      ...faults.flatMap(({ subject, fault, repair }) => [`${subject}: ${plainText(fault, 300)}`, `  repair: ${repair}`]),
      ...absent.map((name) => `no remnant "${plainText(name, 80)}" here`),
      `${wanted.length} checked, ${faults.length === 0 ? 'no fault' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`}`,
    ].join('\n')
    return { text, data: { checked: wanted.length, faults, absent }, status: faults.length > 0 ? 74 : absent.length > 0 ? 1 : 0 }
  },
} satisfies Command
