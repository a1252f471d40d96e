import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'

/** A clone with our hooks, a branch `side` to merge for each call of `merge`, and `node` as the hooks find it noted down. */
function merging(...init: string[]): Clone & { merge(env?: Record<string, string>): { status: number | null; stdout: string; stderr: string }; at(name: string): string } {
  const made = clone()
  made.git('remote', 'add', 'origin', join(made.base, 'remote.git'))
  expect(made.remnant('init', ...init).status).toBe(0)
  const at = (name: string): string => join(made.base, name)
  made.write('../bin/node', `#!/bin/sh\n: >'${at('node').replaceAll("'", `'\\''`)}'\nexec '${process.execPath}' "$@"\n`, 0o755)
  let merges = 0
  const merge = (env?: Record<string, string>) => {
    merges += 1
    made.git('checkout', '-q', '-b', `side-${merges}`)
    made.git('commit', '-q', '--allow-empty', '-m', 'side')
    made.git('checkout', '-q', 'main')
    return made.run(['git', 'merge', '-q', `side-${merges}`], { ...(env !== undefined && { env }) })
  }
  return { ...made, merge, at }
}

const until = async (holds: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 400 && !holds(); tries++) await wait(25)
  return holds()
}
const SILENT = { status: 0, stdout: '', stderr: '' }

describe('git merge, after init,', () => {
  it('leaves in shell where nothing is shared, and where REMNANT is 0', async () => {
    const alone = merging()
    expect(alone.merge()).toEqual(SILENT)
    const shared = merging('--share', 'origin')
    expect(shared.merge({ REMNANT: '0' })).toEqual(SILENT)
    await wait(300)
    for (const { at } of [alone, shared]) expect(existsSync(at('node'))).toBe(false)
    expect(shared.merge()).toEqual(SILENT)
    expect(await until(() => existsSync(shared.at('node')))).toBe(true)
    expect(await until(() => shared.read('.git/remnant/sharing/unread') !== null)).toBe(true)
  })

  it('brings behind a pull what others have shared, without a word', async () => {
    const [first, second] = [clone(), clone()]
    const remote = join(first.base, 'remote.git')
    first.git('init', '-q', '--bare', remote)
    for (const each of [first, second]) {
      each.git('remote', 'add', 'origin', remote)
      expect(each.remnant('init', '--share', 'origin').status).toBe(0)
    }
    first.git('push', '-q', '--no-verify', 'origin', 'main')
    second.git('fetch', '-q', 'origin')
    second.git('reset', '-q', '--hard', 'origin/main')
    work(first)
    expect(first.remnant('teardown').status).toBe(0)
    expect(first.remnant('push').status).toBe(0)
    first.git('commit', '-q', '--allow-empty', '-m', 'more')
    first.git('push', '-q', '--no-verify', 'origin', 'main')
    expect(second.run(['git', 'pull', '-q', '--no-rebase', 'origin', 'main'])).toEqual(SILENT)
    expect(await until(() => remnantsOf(second).length === 1)).toBe(true)
    expect(remnantsOf(second)).toEqual(remnantsOf(first))
  })

  it('waits for no remote, asks nobody, and a burst of merges asks the remote once', async () => {
    const made = merging('--share', 'origin')
    made.git('remote', 'set-url', 'origin', 'ssh://somebody@host.invalid/x')
    // It answers when it is told to, and not before.
    const [asked, go] = [made.at('asked'), made.at('go')].map((path) => path.replaceAll("'", `'\\''`))
    made.write('../bin/ssh', `#!/bin/sh\necho "$GIT_TERMINAL_PROMPT $SSH_ASKPASS_REQUIRE $*" >>'${asked}'\nn=0\nwhile [ ! -e '${go}' ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n + 1)); done\nexit 255\n`, 0o755)
    for (let merge = 0; merge < 4; merge++) expect(made.merge()).toEqual(SILENT)
    expect(await until(() => existsSync(made.at('asked')))).toBe(true)
    expect(made.read('.git/remnant/sharing/unread')).toBeNull()
    for (let again = 0; again < 2; again++) expect(JSON.parse(made.remnant('hook', 'post-merge', '--json').stdout)).toMatchObject({ started: false })
    writeFileSync(made.at('go'), '')
    expect(await until(() => made.read('.git/remnant/sharing/unread') !== null)).toBe(true)
    expect(readFileSync(made.at('asked'), 'utf8')).toMatch(/^0 never .*-o BatchMode=yes .*host\.invalid .*\n$/)
    expect(made.read('.git/remnant/sharing/unread')).toMatch(/^nothing was fetched: remote "origin" did not answer/)
  })

  it('is not disturbed where the package or Node has gone', () => {
    const made = merging('--share', 'origin')
    made.write('../bin/node', '#!/bin/sh\nexit 127\n', 0o755)
    expect(made.merge()).toEqual(SILENT)
    made.run(['rm', join(made.base, 'bin/git-remnant')])
    expect(made.merge()).toEqual(SILENT)
  })
})
