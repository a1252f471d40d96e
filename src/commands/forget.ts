import { RemnantError } from '../base/errors.ts'
import type { Command, Host } from '../command.ts'
import { plainText } from '../model/plain.ts'
import { listRefs } from '../store/git/refs.ts'
import { openTombstones } from '../store/sync/tombstones.ts'
import { remove } from './forget/removal.ts'
import { remoteHas } from './forget/remote.ts'
import { NOT_SHARED, answerOf } from './forget/telling.ts'

export default {
  name: 'forget',
  kind: 'porcelain',
  summary: 'Remove a remnant from this clone, and keep it away',
  details: [
    'Its ref, its copies and its objects go, as far as nothing else leads to them, and what is left is said. Remnants of this clone',
    'that supersede it are written anew without it. A tombstone, local to this clone, keeps it away on the next fetch; --undo lifts',
    'that. No remote is changed: what it still has is said, and whoever may write there can delete the ref. Where no remote is shared',
    'with, this may be the only copy, which nothing brings back: "git remnant show DIGEST --json" lets you see it first.',
  ].join('\n'),
  positionals: [{ name: 'DIGEST', describe: 'the remnant: its first digits, four or more', required: true }],
  options: { undo: { type: 'boolean', describe: 'lift the tombstone: the next fetch, or sealing, may bring it back; by itself it makes nothing again' } },
  statuses: { 1: 'there is no such remnant, or no such tombstone' },
  async run(args, host) {
    const repository = await host.repository()
    const { commonDir } = repository
    const tombstones = openTombstones(commonDir, host.files)
    const name = args.text('DIGEST') ?? ''
    const digest = oneOf(name, [...listRefs(repository).digests, ...(await (await host.store()).digests()), ...tombstones.all()])
    if (digest === null) return { text: `no remnant "${plainText(name, 80)}" here`, data: { digest: null }, status: 1 }
    if (args.flag('undo')) {
      const lifted = tombstones.lift(digest)
      return { text: lifted ? `${digest.slice(0, 12)} ${await wayBack(digest, host)}` : `${digest.slice(0, 12)} was not forgotten here`, data: { digest, lifted }, status: lifted ? 0 : 1 }
    }
    const removed = await remove(digest, tombstones, host)
    return answerOf(removed, await remoteHas(removed.gone, await host.git(), host))
  },
} satisfies Command

/** Throws `misuse` where it can't be a digest, or where several begin so. */
function oneOf(name: string, digests: readonly string[]): string | null {
  const digits = name.replace(/^refs\/remnants\//, '').toLowerCase()
  if (!/^[0-9a-f]{4,64}$/.test(digits))
    throw new RemnantError('misuse', `"${plainText(name, 80)}" is not a digest or its first digits`, { hint: 'type four hex digits or more; git remnant list shows them' })
  const found = [...new Set(digests)].filter((digest) => digest.startsWith(digits))
  if (found.length > 1) throw new RemnantError('misuse', `"${plainText(name, 80)}" could be ${found.length} remnants`, { hint: 'type more digits; git remnant list shows them' })
  return found[0] ?? null
}

/** What may bring back what is no longer kept away, in words; nothing that can't. */
async function wayBack(digest: string, host: Host): Promise<string> {
  const found = await (await host.store()).read(digest)
  if (found !== null && 'remnant' in found) return 'is here, and is no longer kept away'
  if ((await host.config()).share !== undefined) return 'may come back: git remnant fetch, if the remote still has it'
  return `is no longer kept away, and is not here: ${NOT_SHARED}, so only a clone that has it, or sealing the same session again, could bring it back`
}
