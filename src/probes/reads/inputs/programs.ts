import { sha256 } from '../../../base/digest.ts'
import type { World } from '../../../model/probe.ts'

/** What the program that a name starts says of itself, as a digest, and when it changed; null: there is none. */
export async function startedBy(name: string, folder: string, world: World): Promise<{ readonly says: string; readonly changed: number } | null> {
  const found = await world.program(name, folder).catch(() => null)
  if (found === null) return null
  const says = found.own || HARMLESS.has(name) ? await world.version(found) : 'present'
  return { says: sha256(says ?? 'untold'), changed: found.changed }
}

/** Programs of every system, or that only tell their version when they are asked for it: the others count as there or not. */
const HARMLESS = new Set(
  (
    'awk base64 basename bash bc cargo cat cc chmod clang cmp comm cp cut dash date diff dirname du egrep env expr fgrep file find fmt fold g++ gawk gcc git go grep head ' +
    'hexdump join jq ld ln ls make md5sum mkdir mktemp mv nl node npm od paste perl pip pip3 printf pytest python python3 readlink realpath rev rm rmdir rustc sed seq sh sha1sum sha256sum ' +
    'shuf sort split stat strings tac tail tee test touch tr truncate tsort uname uniq wc xargs xxd zsh'
  ).split(' '),
)
