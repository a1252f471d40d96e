import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { madeUpSignature } from '../signing.ts'
import { type Clone, clone, remnantsOf, work } from '../clone.ts'

/** A clone with a remote, hooks, and one sealed remnant. */
function sealed(options?: Parameters<typeof clone>[0], prepare: (made: Clone) => void = () => {}): Clone & { readonly digest: string } {
  const made = clone(options)
  made.git('init', '-q', '--bare', join(made.base, 'remote.git'))
  made.git('remote', 'add', 'origin', join(made.base, 'remote.git'))
  prepare(made)
  work(made)
  made.git('commit', '-q', '--allow-empty', '-m', 'sealed')
  if (remnantsOf(made).length === 0) expect(made.remnant('teardown').status).toBe(0)
  return { ...made, digest: remnantsOf(made)[0] as string }
}

/** A ref of a remnant's name whose commit holds other bytes. */
function forge({ git, run }: Clone, digest: string, bytes: string): string {
  const blob = run(['git', 'hash-object', '-w', '--stdin'], { input: bytes }).stdout.trim()
  const tree = (mode: string, type: string, oid: string, name: string): string => run(['git', 'mktree'], { input: `${mode} ${type} ${oid}\t${name}\n` }).stdout.trim()
  const root = tree('040000', 'tree', tree('040000', 'tree', tree('100644', 'blob', blob, `${digest}.json`), digest.slice(0, 2)), '.remnants')
  return git('commit-tree', '-m', 'forged', root)
}

const push = (made: Clone, ...args: string[]) => made.run(['git', 'push', '-q', ...args])
const remote = ({ run, base }: Clone): string => run(['git', 'for-each-ref', '--format=%(refname)'], { cwd: join(base, 'remote.git') }).stdout

describe('git push, after init,', () => {
  const init = (made: Clone): void => void expect(made.remnant('init').status).toBe(0)

  it('lets branches and whole remnants pass without a word', () => {
    const made = sealed({}, init)
    expect(push(made, 'origin', 'main:side', 'refs/remnants/*:refs/remnants/*')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(remote(made)).toBe(`refs/heads/side\nrefs/remnants/${made.digest}\n`)
    expect(push(made, 'origin', ':side', `:refs/remnants/${made.digest}`).status).toBe(0)
    expect(remote(made)).toBe('')
  })

  it('lets whole signatures pass, and stops for one that is none', () => {
    const made = sealed({}, init)
    const { digest, bytes } = madeUpSignature(made.digest, 1)
    const ref = (name: string): string => `refs/remnants/sig/${made.digest}/${name}`
    const sign = (name: string, text: string): void => {
      const blob = made.run(['git', 'hash-object', '-w', '--stdin'], { input: text }).stdout.trim()
      const tree = (mode: string, type: string, oid: string, entry: string): string => made.run(['git', 'mktree'], { input: `${mode} ${type} ${oid}\t${entry}\n` }).stdout.trim()
      const root = [made.digest, 'sig', '.remnants'].reduce((below, folder) => tree('040000', 'tree', below, folder), tree('100644', 'blob', blob, `${name}.json`))
      made.git('update-ref', ref(name), made.git('commit-tree', '-m', 'signature', root).trim())
    }
    sign(digest, Buffer.from(bytes).toString('utf8'))
    expect(push(made, 'origin', 'refs/remnants/sig/*')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(push(made, '--mirror', 'origin')).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(remote(made)).toContain(ref(digest))
    sign('b'.repeat(64), '{}')
    expect(push(made, 'origin', ref('b'.repeat(64)))).toMatchObject({ status: 1, stderr: expect.stringContaining(`"${ref('b'.repeat(64))}" is broken: `) })
    expect(push(made, 'origin', 'main:refs/remnants/sig/x')).toMatchObject({ status: 1, stderr: expect.stringContaining('is no digest of a remnant') })
  })

  it('stops for a broken remnant, and names it', () => {
    const made = sealed({}, init)
    const stopped = (subject: string, fault: string) => ({ status: 1, stdout: '', stderr: expect.stringMatching(new RegExp(`^git-remnant: push stopped: "${subject}" ${fault}\n`)) })
    const other = 'a'.repeat(64)
    made.git('update-ref', `refs/remnants/${other}`, forge(made, other, '{}'))
    expect(push(made, 'origin', 'main', 'refs/remnants/*:refs/remnants/*')).toEqual(stopped(`refs/remnants/${other}`, 'is broken: remnant "aaaaaaaaaaaa" does not hash to its name'))
    expect(push(made, 'origin', 'main:refs/remnants/notes')).toEqual(stopped('refs/remnants/notes', 'is no digest of a remnant'))
    expect(push(made, 'origin', `main:refs/remnants/${other}`)).toEqual(stopped(`refs/remnants/${other}`, `holds no .remnants/aa/${other}.json`))
    expect(push(made, 'origin', `refs/remnants/${made.digest}:refs/remnants/${other}`)).toEqual(stopped(`refs/remnants/${other}`, `holds no .remnants/aa/${other}.json`))
    expect(remote(made)).toBe('')
    expect(push(made, 'origin', 'main').status).toBe(0)
  })

  it('lets a whole remnant of a schema to come pass', async () => {
    const made = sealed({}, init)
    const bytes = '{"schema":"git-remnant/2"}'
    const { sha256 } = await import('../../src/base/digest.ts')
    const digest = sha256(bytes)
    made.git('update-ref', `refs/remnants/${digest}`, forge(made, digest, bytes))
    expect(push(made, 'origin', `refs/remnants/${digest}`)).toEqual({ status: 0, stdout: '', stderr: '' })
    const unknown = sha256('{"schema":"other/1"}')
    made.git('update-ref', `refs/remnants/${unknown}`, forge(made, unknown, '{"schema":"other/1"}'))
    expect(push(made, 'origin', `refs/remnants/${unknown}`).status).toBe(1)
  })

  it('stops for a broken copy inside the pushed commits, where they are tracked', () => {
    const made = sealed({}, (clone) => void expect(clone.remnant('init', '--track').status).toBe(0))
    const { git, write, read, digest } = made
    git('add', '.remnants')
    git('commit', '-qm', 'keep remnants')
    expect(push(made, 'origin', 'main')).toEqual({ status: 0, stdout: '', stderr: '' })
    const path = `.remnants/${digest.slice(0, 2)}/${digest}.json`
    const whole = read(path) as string
    write(path, `${whole}\n`)
    git('commit', '-qam', 'reformat')
    const blob = git('rev-parse', `HEAD:${path}`).slice(0, 12)
    const stopped = { status: 1, stdout: '', stderr: expect.stringContaining(`git-remnant: push stopped: "${path}" does not hash to its name (blob ${blob})\n`) }
    expect(push(made, 'origin', 'main')).toEqual(stopped)
    expect(push(made, 'origin', 'HEAD:refs/heads/fresh')).toEqual(stopped)
    write(path, whole)
    git('commit', '-qa', '--amend', '-m', 'as it was', '--allow-empty')
    expect(push(made, 'origin', 'main')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('passes a file that only looks like a copy, and a copy that is deleted', () => {
    const made = sealed({}, (clone) => void clone.remnant('init', '--track'))
    const { git, write, digest } = made
    write('.remnants/notes.json', 'mine')
    git('add', '.remnants')
    git('commit', '-qm', 'keep remnants')
    git('rm', '-q', `.remnants/${digest.slice(0, 2)}/${digest}.json`)
    git('commit', '-qm', 'fewer')
    expect(push(made, 'origin', 'main')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it("gives the user's own hook what git wrote, and keeps its word", () => {
    const made = sealed({}, (clone) => {
      clone.write('.git/hooks/pre-push', '#!/bin/sh\necho "$1" >&2\nwhile read -r local id remote there; do echo "$remote" >&2; [ "$remote" != refs/heads/no ] || exit 7; done\n', 0o755)
      init(clone)
    })
    expect(push(made, 'origin', 'main')).toEqual({ status: 0, stdout: '', stderr: 'origin\nrefs/heads/main\n' })
    expect(push(made, 'origin', 'main:no')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^origin\nrefs\/heads\/no\nerror: /) })
    expect(push(made, 'origin', 'main:refs/remnants/x').stderr).toMatch(/^git-remnant: push stopped: /)
  })

  it('is not stopped where the package has gone', () => {
    const made = sealed({ movable: true }, init)
    renameSync(made.installation, `${made.installation}-elsewhere`)
    expect(push(made, 'origin', 'main:refs/remnants/x')).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  it('is not stopped by --no-verify or where REMNANT is 0', () => {
    const made = sealed({}, init)
    expect(push(made, '--no-verify', 'origin', 'main:refs/remnants/x').status).toBe(0)
    expect(made.run(['git', 'push', '-q', 'origin', 'main:refs/remnants/y'], { env: { REMNANT: '0' } }).status).toBe(0)
  })
})
