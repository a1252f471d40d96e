import { closeSync, openSync, readSync } from 'node:fs'

/** The first bytes of a file, one character each; empty where it can't be read. */
export function headOf(path: string, size: number): string {
  const bytes = Buffer.alloc(size)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString('latin1')
  } catch {
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
