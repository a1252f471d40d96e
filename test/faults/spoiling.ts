import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Ground, ground, remnantsIn } from './ground.ts'

/** How a file is spoilt. */
export const HARMS: Readonly<Record<string, (path: string) => void>> = {
  emptied: (path) => writeFileSync(path, ''),
  'cut short': (path) => writeFileSync(path, bytesOf(path).subarray(0, bytesOf(path).byteLength * 0.6)),
  'with a flipped bit': (path) => {
    const bytes = bytesOf(path)
    const at = bytes.byteLength >> 1
    if (bytes.byteLength > 0) bytes[at] = (bytes[at] as number) ^ 4
    writeFileSync(path, bytes)
  },
  garbage: (path) => writeFileSync(path, Buffer.from(Array.from({ length: 400 }, (_, i) => (i * 151 + 7) % 256))),
  'a folder': (path) => {
    rmSync(path, { recursive: true, force: true })
    mkdirSync(path)
  },
}

const bytesOf = (path: string): Buffer => (existsSync(path) && statSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0))

/** Verbs of which each must end by itself, with an answer or a clear refusal, whatever lies there. */
export const ASKED: readonly (readonly string[])[] = [
  ['verify', '--json'], ['brief'], ['resolve'], ['list'], ['run', '--', 'node', '-e', '0'], ['teardown'], ['reprobe', '--dry-run'], ['guard', '--', 'npm', 'test'], ['gate'], ['push', '--dry-run'], ['fetch'], ['doctor'], ['verify', '--repair', '--json'],
]

/** A clone that has of every local file one. */
export function spoilGround(home: string): { readonly at: Ground; readonly paths: readonly string[] } {
  const at = ground(home)
  at.remnant(['init', '--agent', 'claude', '--share', 'origin'])
  at.remnant(['run', '--', 'node', 'check.mjs'])
  const { digest } = JSON.parse(at.remnant(['teardown', '--json']).stdout) as { digest: string }
  at.remnant(['run', '--', 'node', '-e', '1'])
  at.remnant(['teardown'])
  at.remnant(['push'])
  at.remnant(['forget', digest.slice(0, 16)])
  at.remnant(['run', '--session', 's', '--', 'node', '-e', '2'])
  at.remnant(['teardown'])
  at.remnant(['run', '--', 'node', '-e', '3'])
  for (const verb of [['doctor'], ['resolve'], ['verify']]) at.remnant(verb)
  at.keep()
  const local = join(at.dir, '.git/remnant')
  const paths = (readdirSync(local, { recursive: true }) as string[]).filter((path) => statSync(join(local, path)).isFile()).map((path) => join('.git/remnant', path))
  const remnants = (readdirSync(join(at.dir, '.git/refs/remnants')) as string[]).filter((name) => /^[0-9a-f]{64}$/.test(name)).map((name) => join('.git/refs/remnants', name))
  return { at, paths: [...paths, ...remnants.slice(0, 1)].sort() }
}

/** Spoils one file, then asks each verb. What is wrong, in words; none: all ended with an answer or a clear refusal, and no remnant was lost. */
export function spoilt(path: string, harm: string, { at }: ReturnType<typeof spoilGround>, asked = ASKED): string[] {
  at.back()
  const before = remnantsIn(at)
  mkdirSync(dirname(join(at.dir, path)), { recursive: true })
  HARMS[harm]?.(join(at.dir, path))
  const wrong: string[] = []
  for (const verb of asked) {
    const { status, signal, stdout, stderr } = at.remnant(verb)
    const clear = status === 0 || /git-remnant: \S|^(?:no|\S)/m.test(stderr + stdout)
    if (signal !== null || status === null || status === 70 || /^\s+at .*:\d+:\d+\)?$/m.test(stderr) || !clear) wrong.push(`${verb.join(' ')} ended with ${status ?? signal}: ${stderr}${stdout}`.slice(0, 600))
  }
  const now = remnantsIn(at)
  for (const [ref, text] of before) if (now.get(ref) !== text && !path.includes('refs/remnants')) wrong.push(`${ref} is ${now.get(ref) ?? 'lost'}`)
  for (const [ref, text] of now) if (text === 'damaged' && !path.includes('refs/remnants')) wrong.push(`${ref} is damaged`)
  return wrong
}
