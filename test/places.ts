import { join } from 'node:path'
import { expect } from 'vitest'
import { type Clone, type CloneOptions, type Ran, clone } from './clone.ts'

/** One of the odd places where a user may stand, and how a verb is run in it. */
export interface Place {
  readonly made: Clone
  readonly dir: string
  remnant(...args: readonly string[]): Ran
  json(...args: readonly string[]): Record<string, never> & { readonly remnants: readonly { readonly verdict: string }[]; readonly digest: string | null }
}

export function placeAt(made: Clone, dir: string, env?: Readonly<Record<string, string>>): Place {
  const remnant: Place['remnant'] = (...args) => (env === undefined ? made.remnantIn(dir, ...args) : made.run(['git', 'remnant', ...args], { cwd: dir, env }))
  return { made, dir, remnant, json: (...args) => JSON.parse(remnant(...args, '--json').stdout) }
}

/** A project with one gate and two commits. */
export function project(options: CloneOptions = {}): Clone {
  const made = clone(options)
  made.write('package.json', '{"name":"w","version":"1.0.0","scripts":{"test":"sh check.sh"}}\n')
  made.write('check.sh', 'exit 0\n')
  made.git('add', '-A')
  made.git('commit', '-qm', 'second')
  return made
}

export const at = ({ base }: Clone, name: string): string => join(base, name)

/** Git somewhere under the clone's base; it must succeed. */
export const git = (made: Clone, cwd: string, ...args: string[]): string => {
  const ran = made.run(['git', '-c', 'protocol.file.allow=always', ...args], { cwd })
  expect(ran).toMatchObject({ status: 0 })
  return ran.stdout.trim()
}
