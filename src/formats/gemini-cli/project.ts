import { sha256 } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'

/** The header of a session, which in a document holds its messages too. */
export function headerOf(value: unknown): JsonObject | null {
  const header = objectOf(value)
  return wordOf(header.sessionId) !== null && wordOf(header.projectHash) !== null && wordOf(header.startTime) !== null && !('type' in header) ? header : null
}

/** The folder of a session, of which the host keeps only the SHA-256: a folder of that hash above a path that a call names is it. */
export interface Project {
  /** Looks at the paths of a message, or of a document's messages. */
  learn(value: unknown): void
  /** null: no path has shown it so far. */
  folder(): string | null
}

export function projectOf(hash: string): Project {
  let found: string | null = null
  let tries = 0
  const known = new Set<string>()

  function tryOn(path: string | null): void {
    if (path === null || found !== null || path.length > 4096) return
    for (let end = path.length; end > 0 && tries < MOST_TRIES; end = Math.max(path.lastIndexOf('/', end - 1), path.lastIndexOf('\\', end - 1))) {
      const folder = path.slice(0, end)
      if (known.has(folder)) return
      known.add(folder)
      tries += 1
      if (sha256(folder) === hash) found = folder
      if (found !== null) return
    }
  }

  function learn(value: unknown): void {
    if (found !== null || !/^[0-9a-f]{64}$/.test(hash)) return
    const { messages, toolCalls } = objectOf(value)
    for (const message of listOf(messages)) learn(message)
    for (const call of listOf(toolCalls).map(objectOf)) {
      const args = objectOf(call.args)
      for (const name of PATHS) tryOn(textOf(args[name]))
      tryOn(textOf(objectOf(call.resultDisplay).filePath))
    }
  }

  return { learn, folder: () => found }
}

const PATHS = ['file_path', 'absolute_path', 'dir_path', 'directory', 'path']
const MOST_TRIES = 5000
