import { blobId } from '../../base/digest.ts'
import { RemnantError } from '../../base/errors.ts'
import { patchOfRows } from '../../distill/residual.ts'
import type { Git } from '../git.ts'

/** A commit with one parent, and what it changes. */
export interface Fix {
  readonly commit: string
  readonly parent: string
  /** When the parent and the commit were made: seconds since 1970. */
  readonly from: number
  readonly until: number
  /** By path; null: no such file. */
  readonly changed: readonly { readonly path: string; readonly before: string | null; readonly after: string | null }[]
}

/** Throws `misuse` for what is no commit, a merge, or a commit without a parent. */
export async function fixIn(rev: string, git: Git): Promise<Fix> {
  const refuse = (message: string, hint: string): never => {
    throw new RemnantError('misuse', message, { hint })
  }
  const found = await git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', `${rev}^{commit}`])
  if (found.status !== 0) refuse(`there is no commit "${rev}"`, 'name a commit of this repository')
  const commit = text(found.stdout).trim()
  const parents = text(await git.run(['rev-list', '--parents', '--max-count=1', commit])).trim().split(' ').slice(1)
  const short = commit.slice(0, 12)
  if (parents.length > 1) refuse(`commit "${short}" is a merge: no single parent was red before it`, 'name the commit that made the fix')
  const [parent] = parents
  if (parent === undefined) return refuse(`commit "${short}" has no parent here on which the gate could be red`, 'name a later commit, or fetch the history of a shallow clone')
  const times = text(await git.run(['show', '--no-patch', '--format=%ct', parent, commit])).trim().split('\n').map(Number)
  return { commit, parent, from: times[0] ?? 0, until: times[1] ?? 0, changed: await changedIn(parent, commit, git) }
}

async function changedIn(parent: string, commit: string, git: Git): Promise<Fix['changed']> {
  const fields = text(await git.run(['diff-tree', '-r', '-z', '--no-renames', '--no-abbrev', parent, commit])).split('\0')
  const changed: { path: string; before: string | null; after: string | null }[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, , before = '', after = ''] = (fields[i] as string).split(' ')
    changed.push({ path: fields[i + 1] as string, before: blob(before), after: blob(after) })
  }
  return git.repository.objectFormat === 'sha1' ? changed : asInLogs(changed, git)
}

/** What a session's log shows of a file is named as an ordinary repository names it, so a fix in another one is too. */
async function asInLogs(changed: Fix['changed'], git: Git): Promise<Fix['changed']> {
  const ids = [...new Set(changed.flatMap(({ before, after }) => [before, after]).filter((id) => id !== null))]
  const answers = Buffer.from(await git.run(['--no-replace-objects', 'cat-file', '--batch'], { input: ids.map((id) => `${id}\n`).join('') }))
  const names = new Map<string | null, string>()
  let from = 0
  for (const id of ids) {
    const end = answers.indexOf(10, from)
    const [, type, size] = /^[0-9a-f]+ ([a-z]+) (\d+)$/.exec(answers.toString('latin1', from, end)) ?? []
    from = end + 1
    if (size === undefined) continue // a submodule's commit lies elsewhere, and keeps its own name
    if (type === 'blob') names.set(id, blobId(answers.subarray(from, from + Number(size))))
    from += Number(size) + 1
  }
  const nameOf = (id: string | null): string | null => names.get(id) ?? id
  return changed.map(({ path, before, after }) => ({ path, before: nameOf(before), after: nameOf(after) }))
}

/** Of the files that the commit changes, those that are tests by where they lie or how they are called. */
export const testFilesOf = ({ changed }: Fix): string[] => changed.map(({ path }) => path).filter(isTestFile)

/** With more test files than this, all of them or none are taken for part of a session's patch. */
const MOST_SUBSETS = 8

/**
 * Ids of the patches of which the commit is the fix: all that it changes, where a session may have written its tests, or
 * some of them, at another time. The tests are laid over the parent, so that what turns the gate is the rest.
 */
export function patchesOf({ changed }: Fix): ReadonlySet<string> {
  const [tests, code] = [changed.filter(({ path }) => isTestFile(path)), changed.filter(({ path }) => !isTestFile(path))]
  const subsets = tests.length <= MOST_SUBSETS ? Array.from({ length: 2 ** tests.length }, (_, bits) => tests.filter((_, i) => (bits >> i) & 1)) : [[], tests]
  return new Set(code.length === 0 ? [] : subsets.flatMap((some) => patchOfRows([...code, ...some])?.patch_id ?? []))
}

/** `test/`, `tests/`, `spec/`, `__tests__/` and their like; `x.test.js`, `x_spec.rb`, `x_test.go`, `test_x.py`, `XTest.java`, `conftest.py`. */
export function isTestFile(path: string): boolean {
  const folders = path.split('/')
  const name = folders.pop() ?? ''
  return (
    folders.some((folder) => FOLDERS.has(folder.toLowerCase())) ||
    /[._-](?:test|tests|spec|specs)\.[^./]+$/i.test(name) ||
    /^test[_-][^/]*\.[^./]+$/i.test(name) ||
    /[a-z0-9](?:Test|Tests|Spec|IT)\.(?:java|kt|kts|scala|cs|php|swift|groovy)$/.test(name) ||
    /^(?:conftest\.py|tests?\.[cm]?[jt]sx?|tests?\.py|tests?\.sh)$/i.test(name)
  )
}

const FOLDERS = new Set(['test', 'tests', 'spec', 'specs', '__tests__', '__test__', '__snapshots__', '__mocks__', 'testdata', 'e2e'])

/** A command is approved for the code of this clone's own branches, not for whatever was fetched (DESIGN 9). */
export async function isOwn(commit: string, git: Git): Promise<boolean> {
  const { status, stdout } = await git.try(['for-each-ref', '--count=1', '--format=%(refname)', `--contains=${commit}`, 'refs/heads/'])
  return status === 0 && stdout.byteLength > 0
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')

const blob = (id: string): string | null => (/^0+$/.test(id) ? null : id)
