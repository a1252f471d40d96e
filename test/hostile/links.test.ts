import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../src/base/digest.ts'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'

/** All that lies in a folder, with what is in it. */
function contentOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(files.map(({ parentPath, name }) => [join(parentPath, name).slice(folder.length), readFileSync(join(parentPath, name), 'latin1')]))
}

/** A sealed remnant, and a folder of the user's that holds all that somebody could take for ours. */
function ground(): { made: Clone; digest: string; outside: string } {
  const made = clone()
  work(made)
  made.remnant('teardown')
  const [digest = ''] = remnantsOf(made)
  const outside = join(made.base, 'precious')
  const signature = `${sha256('x')}.json`
  const copy = readFileSync(join(made.dir, '.remnants', digest.slice(0, 2), `${digest}.json`))
  const put = (path: string, content: string | Uint8Array): void => (mkdirSync(dirname(join(outside, path)), { recursive: true }), writeFileSync(join(outside, path), content))
  for (const path of ['diary.txt', 'notes.json', signature, join(digest, signature), join(digest, 'letter.txt'), join('sig', digest, signature)]) put(path, 'mine')
  for (const path of [`${digest}.json`, join(digest.slice(0, 2), `${digest}.json`)]) put(path, copy)
  put('.diary.999999999.0.new', 'mine')
  utimesSync(join(outside, '.diary.999999999.0.new'), 1e9, 1e9)
  return { made, digest, outside }
}

const PLACES: [string, (digest: string) => string][] = [
  ['.remnants', () => '.remnants'],
  ['the folder of copies', (digest) => `.remnants/${digest.slice(0, 2)}`],
  ['the folder of signatures', () => '.remnants/sig'],
  ["the folder of a remnant's signatures", (digest) => `.remnants/sig/${digest}`],
]
const VERBS: [string, (digest: string) => string[]][] = [
  ['forget', (digest) => ['forget', digest]],
  ['verify --repair', () => ['verify', '--repair']],
  ['checkout', () => ['checkout']],
  ['init --track', () => ['init', '--agent', 'none', '--track']],
  ['teardown', () => ['teardown']],
  ['deinit --purge', () => ['deinit', '--purge']],
]

describe('a link in the work tree that leads out of it', () => {
  it.each(PLACES)('in the place of %s is followed by no verb that removes or writes', (_, place) => {
    const { made, digest, outside } = ground()
    const before = contentOf(outside)
    const git = join(made.base, 'git')
    cpSync(join(made.dir, '.git'), git, { recursive: true })
    for (const [verb, args] of VERBS) {
      const path = join(made.dir, place(digest))
      rmSync(join(made.dir, '.remnants'), { recursive: true, force: true })
      mkdirSync(dirname(path), { recursive: true })
      symlinkSync(outside, path)
      work(made, verb.length.toString())
      made.remnant(...args(digest))
      expect([verb, contentOf(outside)]).toEqual([verb, before])
      rmSync(join(made.dir, '.git'), { recursive: true })
      cpSync(git, join(made.dir, '.git'), { recursive: true })
    }
  })
})
