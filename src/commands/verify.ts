import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { plainText } from '../model/plain.ts'
import type { Audited, StoreFault } from '../model/store.ts'
import { named } from '../store/named.ts'
import { auditSignatures } from '../store/verify/verifying.ts'
import { leftovers } from '../store/leftovers.ts'
import { localFaults } from './verify/local.ts'
import { namesAtRest } from './verify/refs.ts'
import { type Done, type Repairable, repair } from './verify/repair.ts'
import { MEND } from './verify/words.ts'

export default {
  name: 'verify',
  kind: 'porcelain',
  summary: 'Check remnants at rest: digest, form, seal, lineage, ref, commit, copy, and signatures',
  details: [
    'Without DIGEST, all of them, tombstones, and this clone\'s own files. A missing copy in the work tree is no fault. Nothing is',
    'changed by looking; which signatures count here is remembered. --repair does what loses nothing: copies are rewritten from their',
    'refs, refs made from valid copies, one that leads to something else which another ref leads to removed, what is derived made anew,',
    'and what a killed process left beside its work removed.',
  ].join('\n'),
  positionals: [{ name: 'DIGEST', describe: 'a remnant, by its first digits', many: true }],
  options: { repair: { type: 'boolean', describe: 'put right what can be without losing anything, and say what was done' } },
  statuses: { 1: 'there is no such remnant', 74: 'a fault was found, and with --repair is still there' },
  run: async (args, host) => {
    const names = args.list('DIGEST')
    const before = await look(names, host)
    const { done, failed } = args.flag('repair') ? await repair(before, host) : { done: [], failed: [] }
    const { faults, notes, digests, absent } = done.length === 0 ? before : await look(names, host)
    const text = [
      ...done.map((one) => said(one, 'repaired')),
      ...failed.map((one) => said(one, 'not repaired')),
      ...faults.flatMap(({ subject, fault, repair: way }) => [`${subject}: ${plainText(fault, 300)}`, `  repair: ${way}`]),
      ...notes.flatMap(({ subject, fault, repair: way }) => [`note: ${subject}: ${plainText(fault, 300)}`, `  repair: ${way}`]),
      ...absent.map((name) => `no remnant "${plainText(name, 80)}" here`),
      `${digests.length} checked, ${faults.length === 0 ? 'no fault' : `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`}`,
    ].join('\n')
    return {
      text,
      data: { checked: digests.length, faults, absent, ...(notes.length > 0 && { notes }), ...(args.flag('repair') && { repaired: done, not_repaired: failed }) },
      status: faults.length > 0 || failed.length > 0 ? 74 : absent.length > 0 ? 1 : 0,
    }
  },
} satisfies Command

interface Found extends Repairable {
  readonly notes: readonly StoreFault[]
  readonly absent: readonly string[]
}

/** `names`: these remnants alone; none: all that is here. */
async function look(names: readonly string[], host: Host): Promise<Found> {
  const store = await host.store()
  const found = await Promise.all(names.map(async (name) => ({ name, digest: await named(store, name) })))
  const absent = found.filter(({ digest }) => digest === null).map(({ name }) => name)
  const digests = names.length === 0 ? await store.digests() : [...new Set(found.flatMap(({ digest }) => digest ?? []))]
  if (names.length > 0) return { faults: await collected(store.audit(digests)), notes: [], absent, digests, leftovers: [], derived: [], unnamed: [] }

  const [repository, git] = [await host.repository(), await host.git()]
  const local = localFaults(repository, host.files)
  const left = leftovers(repository, host.files, host.now().getTime())
  const unnamed: string[] = []
  const looks: (() => Promise<readonly StoreFault[]>)[] = [
    () => collected(store.audit(digests)),
    async () => {
      const refs = await namesAtRest(git, host.files, host.now(), left)
      unnamed.push(...refs.unnamed)
      return refs.faults
    },
    async () => local.faults,
    () => auditSignatures(host),
  ]
  const faults: StoreFault[] = []
  for (const each of looks)
    try {
      faults.push(...(await each()))
    } catch (thrown) {
      // Where one look is not possible, what the others see is still said.
      if (!(thrown instanceof RemnantError) || thrown.fault === 'missing') throw thrown
      if (!faults.some(({ fault }) => fault === thrown.message)) faults.push({ subject: 'store', fault: thrown.message, repair: thrown.hint ?? 'move away what is named here' })
    }
  return {
    faults,
    notes: [...local.notes, ...left.map((path) => ({ subject: path.replace(`${repository.commonDir}/`, ''), fault: 'was left by a process that was killed', repair: MEND }))],
    absent,
    digests,
    leftovers: left,
    derived: local.derived,
    unnamed,
  }
}

async function collected(audits: AsyncIterable<Audited>): Promise<StoreFault[]> {
  const faults: StoreFault[] = []
  for await (const audited of audits) faults.push(...audited.faults)
  return faults
}

const said = ({ subject, did }: Done, word: string): string => `${word}: ${subject}: ${plainText(did, 300)}`
