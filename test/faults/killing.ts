import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Env, type Ground, ground, remnantsIn, stateOf } from './ground.ts'

/** A verb that is killed at each of its steps of writing. */
export interface Scene {
  readonly name: string
  /** What is here before. It may answer words for the verb's arguments. */
  set(at: Ground): readonly string[]
  readonly env?: Env
  /** The verb itself takes remnants away. */
  readonly takes?: boolean
  /** What it seals names this very run: it is told by its claims. */
  readonly anew?: boolean
  /** Statuses of the verb when it is run again besides 0. */
  readonly again?: readonly number[]
}

/** What was wrong after a step. */
export interface Wrong {
  readonly scene: string
  readonly step: number
  readonly what: string
}

export interface Killed {
  readonly steps: number
  readonly wrong: readonly Wrong[]
}

const sealed = (at: Ground, ...commands: readonly string[]): string[] =>
  commands.map((code) => {
    at.remnant(['run', '--', 'node', '-e', code])
    const { stdout, stderr } = at.remnant(['teardown', '--json'])
    const digest = (JSON.parse(stdout) as { digest?: string }).digest
    if (digest === undefined) throw new Error(`nothing was sealed: ${stdout} ${stderr}`)
    return digest
  })

/** As if somebody else had sealed and sent these: they are at the remote that this clone shares with, and not here. */
function elsewhere(at: Ground, ...commands: readonly string[]): void {
  at.remnant(['init', '--share', 'origin'])
  sealed(at, ...commands)
  at.remnant(['push'])
  for (const ref of at.git('for-each-ref', '--format=%(refname)', 'refs/remnants').split('\n')) at.git('update-ref', '-d', ref)
  rmSync(join(at.dir, '.git/remnant/own'))
  rmSync(join(at.dir, '.remnants'), { recursive: true, force: true })
  at.git('reflog', 'expire', '--expire=now', '--all')
  at.git('prune', '--expire=now')
  sealed(at, '3')
}

const first = (words: readonly string[]): string => (words[0] as string).slice(0, 16)

/** Every verb that writes. */
export const SCENES: readonly Scene[] = [
  {
    name: 'teardown',
    set: (at) => {
      sealed(at, '1')
      at.remnant(['run', '--', 'node', 'check.mjs'])
      at.remnant(['run', '--', 'node', '--no-such-option'])
      return ['teardown']
    },
    again: [66],
  },
  {
    name: 'teardown, the first of a repository',
    set: (at) => {
      at.remnant(['run', '--', 'node', 'check.mjs'])
      return ['teardown']
    },
    again: [66],
  },
  { name: 'run', set: (at) => (sealed(at, '1'), ['run', '--session', 's', '--', 'node', 'check.mjs']) },
  { name: 'intent', set: (at) => (sealed(at, '1'), ['intent', '--session', 's', '--', 'gh', 'release', 'create', 'v1.0.0']) },
  {
    name: 'reprobe',
    set: (at) => {
      sealed(at, '1')
      at.remnant(['run', '--', 'node', 'check.mjs'])
      at.remnant(['teardown'])
      at.write('check.mjs', 'process.exit(0) // changed\n')
      return ['reprobe']
    },
    anew: true,
  },
  {
    name: 'push',
    set: (at) => {
      at.remnant(['init', '--share', 'origin'])
      sealed(at, '1', '2')
      return ['push']
    },
  },
  {
    name: 'fetch',
    set: (at) => (elsewhere(at, '1', '2'), ['fetch']),
  },
  {
    name: 'fetch of many, whose refs are made in one step',
    set: (at) => (elsewhere(at, ...Array.from({ length: 18 }, (_, i) => `${i + 10}`)), ['fetch']),
  },
  { name: 'hook fetch, behind a merge', set: (at) => (elsewhere(at, '1', '2'), ['hook', 'fetch', '--', 'origin']) },
  {
    name: 'hook send, behind a push',
    set: (at) => {
      at.remnant(['init', '--share', 'origin'])
      sealed(at, '1', '2')
      return ['hook', 'send', '--', 'origin']
    },
  },
  {
    name: 'forget',
    set: (at) => {
      const words = sealed(at, '1', '2')
      return ['forget', first(words)]
    },
    takes: true,
  },
  {
    name: 'forget what something answers',
    set: (at) => {
      at.remnant(['run', '--', 'node', 'check.mjs'])
      const words = sealed(at, '1')
      at.write('check.mjs', 'process.exit(0) // changed\n')
      at.remnant(['reprobe'])
      return ['forget', first(words)]
    },
    takes: true,
    anew: true,
  },
  { name: 'init', set: (at) => (sealed(at, '1'), ['init', '--agent', 'claude', '--share', 'origin']) },
  { name: 'init --track', set: (at) => (sealed(at, '1'), ['init', '--track']) },
  {
    name: 'deinit',
    set: (at) => {
      at.remnant(['init', '--agent', 'claude', '--share', 'origin'])
      sealed(at, '1')
      return ['deinit']
    },
  },
  { name: 'checkout', set: (at) => (sealed(at, '1', '2'), rmSync(join(at.dir, '.remnants'), { recursive: true }), ['checkout']) },
  {
    name: 'allow',
    set: (at) => {
      const words = sealed(at, '1')
      at.remnant(['deny', '--yes', first(words)])
      return ['allow', '--yes', first(words)]
    },
  },
  { name: 'deny', set: (at) => ['deny', '--yes', first(sealed(at, '1'))], again: [1] },
  {
    name: 'hook post-commit',
    set: (at) => {
      sealed(at, '1')
      at.remnant(['run', '--', 'node', 'check.mjs'])
      return ['hook', 'post-commit']
    },
  },
  { name: 'doctor', set: (at) => (at.remnant(['init']), sealed(at, '1'), ['doctor']), again: [1] },
  {
    name: 'verify --repair',
    set: (at) => {
      const [one = ''] = sealed(at, '1', '2')
      at.git('update-ref', '-d', `refs/remnants/${one}`)
      at.write('../work/.git/remnant/known', 'garbage\n')
      at.write('../work/.git/remnant/guard-claims', 'garbage\n')
      return ['verify', '--repair']
    },
  },
]

/**
 * Kills a verb at its steps of writing: at each of `pick(all)` (of how many there are). Behind each: what was there is whole, `verify`
 * is clean or names it, `verify --repair` and the verb run again bring the state that an undisturbed run has.
 */
export function killed(scene: Scene, home: string, pick: (steps: number) => readonly number[], told: (line: string) => void = () => {}): Killed {
  const at = ground(home)
  try {
    const args = scene.set(at)
    at.keep()
    const dying = join(home, 'test/faults/dying.cjs')
    const preload = (more: Env): Env => ({ ...scene.env, NODE_OPTIONS: `--require ${JSON.stringify(dying)}`, ...more })
    const later = { NODE_OPTIONS: `--require ${JSON.stringify(dying)}`, LATER_MS: '60000' }
    const before = remnantsIn(at)
    const count = join(at.base, 'count')
    const undisturbed = at.remnant(args, preload({ DIE_COUNT: count }))
    if (!existsSync(count)) throw new Error(`"${args.join(' ')}" did not end by itself: ${undisturbed.stderr}`)
    const steps = Number(readFileSync(count, 'utf8'))
    const expected = [0, ...(scene.again ?? [])]
    if (!expected.includes(undisturbed.status ?? -1)) throw new Error(`"${args.join(' ')}" ended with ${undisturbed.status}: ${undisturbed.stderr}${undisturbed.stdout}`)
    rmSync(count)
    const stateNow = (): Record<string, string> => (scene.anew === true ? byClaims(stateOf(at), before) : stateOf(at))
    const whole = stateNow()
    const wrong: Wrong[] = []
    for (const step of pick(steps)) {
      const say = (what: string): void => {
        wrong.push({ scene: scene.name, step, what })
        told(`${scene.name}, step ${step}: ${what}`)
      }
      at.back()
      const { signal, status, stderr } = at.remnant(args, preload({ DIE_AT: String(step) }))
      if (signal !== 'SIGKILL') {
        say(`was not killed: ${status} ${stderr}`)
        continue
      }
      quiet()
      const now = remnantsIn(at)
      for (const [ref, text] of before) if (now.get(ref) !== text && !(scene.takes === true && now.get(ref) === undefined)) say(`${ref} is ${now.get(ref) ?? 'lost'}`)
      const verified = at.remnant(['verify', '--json'])
      if (verified.status !== 0 && verified.status !== 74) say(`verify ended with ${verified.status}: ${verified.stderr}${verified.stdout}`)
      const again = at.remnant(args, { ...scene.env, ...later })
      if (!expected.includes(again.status ?? -1)) say(`run again it ended with ${again.status}: ${again.stderr}${again.stdout}`)
      at.remnant(['verify', '--repair'], later)
      const clean = at.remnant(['verify', '--json'], later)
      if (clean.status !== 0 || clean.stdout.includes('was left by')) say(`afterwards verify ended with ${clean.status}: ${clean.stdout}${clean.stderr}`)
      const fsck = at.run(['git', 'fsck', '--strict', '--no-dangling'])
      if (fsck.status !== 0) say(`git fsck: ${fsck.stdout}${fsck.stderr}`)
      const state = stateNow()
      for (const name of new Set([...Object.keys(whole), ...Object.keys(state)]))
        if (whole[name] !== state[name]) say(`${name} is ${brief(state[name])} and not ${brief(whole[name])}`)
    }
    return { steps, wrong }
  } finally {
    at.dispose()
  }

  /** What git was still doing when whoever had started it died. */
  function quiet(): void {
    for (let i = 0; i < 100; i++) {
      const { stdout } = at.run(['sh', '-c', 'ls -l /proc/[0-9]*/cwd 2>/dev/null | grep -c -F "$1" || :', 'sh', at.base], {}, '/')
      if (Number(stdout) === 0) return
      at.run(['sleep', '0.05'], {}, '/')
    }
  }
}

/** Remnants that were not there before, told by what they claim and answer. */
function byClaims(state: Record<string, string>, before: ReadonlyMap<string, string>): Record<string, string> {
  const told: Record<string, string> = {}
  for (const [name, text] of Object.entries(state)) {
    if (name.endsWith('/own') || (name.includes('/.remnants/') && !before.has(`refs/remnants/${name.slice(-69, -5)}`))) continue
    if (!/^refs\/remnants\/[0-9a-f]{64}$/.test(name) || before.has(name)) told[name] = text
    else {
      const { claim_dependency_map: map, supersedes } = JSON.parse(text) as { claim_dependency_map: unknown; supersedes: unknown }
      const is = JSON.stringify([map, supersedes])
      // One whose writer died before it noted that it is its own stays as another's, and is made once more.
      told[`new ${is}`] = 'here'
    }
  }
  return told
}

const brief = (text: string | undefined): string => (text === undefined ? 'absent' : JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text))
