import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { remnantsIn, ground, stateOf } from './ground.ts'
import { SCENES } from './killing.ts'

/** Whether a program can be killed at one of its system calls here: it needs strace, and leave to trace. */
export const CAN_STRIKE = spawnSync('strace', ['-qq', '-o', '/dev/null', '-e', 'trace=none', 'true']).status === 0

/** What git changes files by. */
const CALLS = 'write,rename,link,unlink,mkdir,ftruncate'

export interface Struck {
  readonly scene: string
  /** Which of the runs of git that write, from 1. */
  readonly run: number
  readonly points: number
  readonly wrong: readonly string[]
}

const TOUCHING = ['push', 'fetch', 'forget', 'init']

/**
 * Kills git, and not ourselves, at the nth of its system calls that write, in each of the runs of git that a verb makes and that
 * change anything. We then say what failed, nothing is lost, and the verb run again does its work.
 */
export function* struck(home: string, every: number, most = 40): Generator<Struck> {
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  for (const scene of SCENES.filter(({ name }) => TOUCHING.includes(name))) {
    const at = ground(home)
    try {
      const args = scene.set(at)
      const wrapper = join(at.base, 'bin/git')
      const script = `#!/bin/sh
writes=
for word; do case $word in update-ref|fetch|push|pack-refs|unpack-objects|fast-import) writes=1 ;; esac; done
[ -n "$STRIKE_LOG" ] && [ -n "$writes" ] || exec '${real}' "$@"
log=$STRIKE_LOG
unset STRIKE_LOG
echo run >>"$log"
[ "$(wc -l <"$log")" -eq "$STRIKE_RUN" ] || exec '${real}' "$@"
strace -f -qq -o /dev/null -e trace=${CALLS} -e inject=${CALLS}:signal=KILL:when="$STRIKE_AT" '${real}' "$@"
status=$?
[ "$status" -lt 128 ] || echo killed >"$log.killed"
exit "$status"
`
      writeFileSync(wrapper, script)
      chmodSync(wrapper, 0o755)
      at.keep()
      const before = remnantsIn(at)
      const log = join(at.base, 'runs')
      at.remnant(args, { STRIKE_LOG: log, STRIKE_RUN: '0', STRIKE_AT: '1' })
      const runs = existsSync(log) ? readFileSync(log, 'utf8').split('\n').length - 1 : 0
      rmSync(log, { force: true })
      const whole = stateOf(at)
      for (let run = 1; run <= runs; run++) {
        const wrong: string[] = []
        let points = 0
        for (let point = 1; point <= most; point += every) {
          at.back()
          const { status, signal, stderr } = at.remnant(args, { STRIKE_LOG: log, STRIKE_RUN: String(run), STRIKE_AT: String(point) })
          if (!existsSync(`${log}.killed`)) break
          points += 1
          rmSync(log)
          rmSync(`${log}.killed`)
          const say = (what: string): void => void wrong.push(`at ${point}: ${what}`)
          if (signal !== null || status === null || status === 70 || /^\s+at .*:\d+:\d+/m.test(stderr)) say(`the verb ended with ${status ?? signal}: ${stderr}`)
          // Git's own locks of files that it shares with others stay, as git says itself, until somebody removes them.
          at.run(['sh', '-c', 'find "$1/work/.git" "$1/remote.git" -name "*.lock" -delete', 'sh', at.base])
          const now = remnantsIn(at)
          for (const [ref, text] of before) if (now.get(ref) !== text && !(scene.takes === true && now.get(ref) === undefined)) say(`${ref} is ${now.get(ref) ?? 'lost'}`)
          const again = at.remnant(args)
          if (again.status !== 0) say(`run again it ended with ${again.status}: ${again.stderr}`)
          const verified = at.remnant(['verify'])
          if (verified.status !== 0) say(`verify ended with ${verified.status}: ${verified.stdout}`)
          const state = stateOf(at)
          for (const name of new Set([...Object.keys(whole), ...Object.keys(state)])) if (whole[name] !== state[name]) say(`${name} is another than without the fault`)
        }
        yield { scene: scene.name, run, points, wrong }
      }
    } finally {
      at.dispose()
    }
  }
}
