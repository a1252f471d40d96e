import type { Files } from '../files.ts'

/** A derived JSON value under `remnant/cache/`; anything odd counts as not there. */
export function readCache(path: string, files: Files): unknown {
  try {
    const bytes = files.read(path)
    return bytes === null ? null : JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return null
  }
}

/** What can't be written is worked out anew the next time. */
export function writeCache(path: string, value: unknown, files: Files): void {
  try {
    files.write(path, `${JSON.stringify(value)}\n`, 0o600)
  } catch {
    // A cache is no promise.
  }
}
