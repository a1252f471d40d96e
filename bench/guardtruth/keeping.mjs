import { chmodSync, lstatSync, mkdirSync, readFileSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What lies in some folders now; `back` brings that back, and touches nothing that is as it was. */
export function keeping(tops) {
  const kept = new Map()
  for (const top of tops) for (const [path, stat] of entriesIn(top)) kept.set(path, { stat, held: heldBy(path, stat) })
  return {
    back() {
      for (const top of tops)
        for (const [path, stat] of [...entriesIn(top)].reverse()) {
          const known = kept.get(path)
          if (known === undefined || kindOf(known.stat) !== kindOf(stat)) rmSync(path, { recursive: true, force: true })
        }
      for (const [path, one] of kept) {
        const now = lstatOf(path)
        if (now !== null && isSame(now, one.stat)) continue
        put(path, one)
        one.stat = lstatSync(path)
      }
    },
  }
}

/** Each thing in a folder, the folder itself and what is above first. */
function* entriesIn(path) {
  const stat = lstatOf(path)
  if (stat === null) return
  yield [path, stat]
  if (stat.isDirectory()) for (const name of readdirSync(path)) yield* entriesIn(join(path, name))
}

function put(path, { stat, held }) {
  mkdirSync(dirname(path), { recursive: true })
  if (stat.isDirectory()) return mkdirSync(path, { recursive: true })
  rmSync(path, { force: true })
  if (stat.isSymbolicLink()) return symlinkSync(held, path)
  writeFileSync(path, held)
  chmodSync(path, stat.mode & 0o7777)
  // Tools that go by times find the one that it had.
  utimesSync(path, stat.atimeMs / 1000, stat.mtimeMs / 1000)
}

const heldBy = (path, stat) => (stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path) : null)
const kindOf = (stat) => stat.mode & 0o170000
const isSame = (a, b) => a.isDirectory() || ['mtimeMs', 'ctimeMs', 'size', 'ino', 'mode'].every((name) => a[name] === b[name])

function lstatOf(path) {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}
