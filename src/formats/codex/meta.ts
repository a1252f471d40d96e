import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'

/** The first line of a bare log. */
export const isBareHeader = (line: JsonObject): boolean =>
  !('type' in line) && !('payload' in line) && wordOf(line.id) !== null && wordOf(line.timestamp) !== null && ('instructions' in line || 'git' in line)

/** The payload of a `session_meta` line that names its session. */
export function metaOf(line: JsonObject): JsonObject | null {
  if (line.type !== 'session_meta') return null
  const meta = objectOf(line.payload)
  return wordOf(meta.id) === null ? null : meta
}

/** Bare logs say where they ran only in the text that the host puts before the user's first words. */
export function cwdInContext(item: JsonObject): string | null {
  if (item.type !== 'message' || item.role !== 'user') return null
  for (const part of listOf(item.content)) {
    const text = textOf(objectOf(part).text) ?? ''
    if (!text.trimStart().startsWith('<environment_context>')) continue
    const found = /<cwd>([^<\n]+)<\/cwd>|Current working directory: ([^\n]+)/.exec(text)
    return (found?.[1] ?? found?.[2])?.trim() || null
  }
  return null
}
