import { blobId } from '../../base/digest.ts'
import { objectOf, textOf, wordOf } from '../../base/json.ts'
import type { Edit } from '../observation.ts'

/** The edits of a `patch_apply_end` event: what was changed, by path. Blob ids are there where it holds the whole content. */
export function editsOfChanges(changes: unknown): readonly Edit[] {
  return Object.entries(objectOf(changes)).flatMap(([path, value]) => {
    const { type, change } = kindOf(value)
    const content = blobOf(textOf(change.content))
    const moved = wordOf(change.move_path)
    const edit: Edit = { path: path.toWellFormed(), before: type === 'delete' ? content : null, after: type === 'add' ? content : null }
    return moved === null ? [edit] : [edit, { path: moved, before: null, after: null }]
  })
}

/** The edits that an `apply_patch` text asks for, in its order; paths as it writes them. */
export function editsOfPatch(patch: string): readonly Edit[] {
  const edits: { path: string; added: string[] | null }[] = []
  for (const line of patch.split(/\r?\n/)) {
    const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/.exec(line)
    if (header !== null) edits.push({ path: (header[2] as string).trim(), added: header[1] === 'Add File' ? [] : null })
    else if (line.startsWith('+')) edits.at(-1)?.added?.push(line.slice(1))
  }
  return edits.map(({ path, added }) => ({ path, before: null, after: added === null ? null : blobOf(added.map((line) => `${line}\n`).join('')) }))
}

/** The patch in a shell call that is nothing but `apply_patch`; null: another command. */
export function patchIn(command: string | readonly string[]): string | null {
  const argv = typeof command === 'string' ? ['bash', '-lc', command] : command
  const [program, flag, script] = argv
  if (argv.length === 2 && (program === 'apply_patch' || program === 'applypatch')) return flag ?? null
  if (argv.length !== 3 || script === undefined || !/^-l?c$/.test(flag ?? '')) return null
  const start = /^\s*(?:apply_patch|applypatch)\s*<<\s*(["']?)(\w+)\1[ \t]*\n/.exec(script)
  if (start === null) return null
  const body = script.slice(start[0].length).trimEnd()
  const end = `\n${start[2]}`
  return body.endsWith(end) && !body.slice(0, -end.length).includes(`${end}\n`) ? body.slice(0, -end.length) : null
}

/** `{type:"add",…}`, or in early versions `{add:{…}}`. */
function kindOf(value: unknown): { type: string; change: ReturnType<typeof objectOf> } {
  const change = objectOf(value)
  const type = wordOf(change.type)
  if (type !== null) return { type, change }
  const early = ['add', 'delete', 'update'].find((name) => name in change)
  return early === undefined ? { type: '', change } : { type: early, change: objectOf(change[early]) }
}

/** Where something was taken out of a log, what stands there is no file's content. */
const blobOf = (content: string | null): string | null => (content === null || content.includes('REDACTED') ? null : blobId(content))
