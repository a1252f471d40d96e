import { blobId } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import type { Edit } from '../observation.ts'

/**
 * The edits that a result shows to have been made; none if it failed or was no edit.
 * Blob ids are there only where the log holds the whole content. `input` is null where the call was lost.
 */
export function editsOf(block: JsonObject, toolUseResult: unknown, input: JsonObject | null): readonly Edit[] {
  if (block.is_error === true) return []
  const result = objectOf(toolUseResult)
  if (input === null && !Array.isArray(result.structuredPatch)) return []
  const path = wordOf(result.filePath) ?? wordOf(result.notebook_path) ?? wordOf(input?.file_path) ?? wordOf(input?.notebook_path)
  if (path === null) return []
  const original = textOf(result.originalFile) ?? textOf(result.originalFileContents) ?? textOf(result.original_file)
  return [{ path, before: blobOf(original), after: blobOf(contentAfter(original, result)) }]
}

/** Where something was taken out of a log, what stands there is no file's content. */
const blobOf = (content: string | null): string | null => (content === null || content.includes('REDACTED') ? null : blobId(content))

function contentAfter(original: string | null, result: JsonObject): string | null {
  const whole = textOf(result.content) ?? textOf(result.updated_file)
  if (whole !== null) return whole
  const patched = original === null ? null : byPatch(original, listOf(result.structuredPatch).map(objectOf))
  const replaced = byReplacing(original, result)
  if (patched !== null && replaced !== null) return patched === replaced ? patched : null
  if (patched !== null) return patched
  // The host may take a deleted text's line end with it, and the user may have changed the text: only the patch shows these.
  return result.userModified === true || textOf(result.newString) === '' ? null : replaced
}

function byReplacing(original: string | null, result: JsonObject): string | null {
  const [from, to] = [textOf(result.oldString), textOf(result.newString)]
  if (from === null || to === null) return null
  if (from === '') return original === null || original === '' ? to : null
  const at = original?.indexOf(from) ?? -1
  if (original === null || at === -1) return null
  return result.replaceAll === true ? original.split(from).join(to) : original.slice(0, at) + to + original.slice(at + from.length)
}

/** null: the hunks do not fit the text, or there are none. */
function byPatch(original: string, hunks: readonly JsonObject[]): string | null {
  if (hunks.length === 0) return null
  const ended = original === '' || original.endsWith('\n')
  const lines = original === '' ? [] : (ended ? original.slice(0, -1) : original).split('\n')
  const out: string[] = []
  let next = 0
  let endsNow = ended
  for (const { oldStart, oldLines, lines: changes } of hunks) {
    if (typeof oldStart !== 'number' || typeof oldLines !== 'number') return null
    const start = oldLines === 0 ? oldStart : oldStart - 1
    if (!Number.isInteger(start) || start < next || start > lines.length) return null
    while (next < start) out.push(lines[next++] as string)
    let last = ''
    for (const change of listOf(changes)) {
      const text = textOf(change)
      if (text === null) return null
      const [sign, rest] = [text[0], text.slice(1)]
      if (sign === '\\') endsNow = last === '-'
      else if (sign === '+') out.push(rest)
      else if ((sign !== ' ' && sign !== '-') || lines[next] !== rest) return null
      else {
        if (sign === ' ') out.push(rest)
        next += 1
      }
      last = sign ?? ''
    }
  }
  while (next < lines.length) out.push(lines[next++] as string)
  return out.length === 0 ? '' : out.join('\n') + (endsNow ? '\n' : '')
}
