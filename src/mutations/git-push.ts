import type { Target } from '../model/claim.ts'
import { type ConfirmedMutation, type Mutation, withoutUserInfo } from '../model/mutation.ts'

export default {
  id: 'git-push',
  why: 'A push moves refs of a remote that others read; a second one of the same commit changes nothing.',
  names: ['git push'],
  intends({ argv }) {
    const push = readPush(argv)
    if (push === null) return null
    return { repeat: 'convergent', target: push.remote === null ? null : targetOf(push.remote), identifier: named(push.refspecs) }
  },
  lastDecides: true,
  confirms({ argv }, output, succeeded) {
    const push = readPush(argv)
    const lines = output.split('\n')
    const to = lines.flatMap((line) => /^To (\S.{0,1000})$/.exec(line)?.[1] ?? [])
    if (push === null || lines.some((line) => /^(?: ! |!\t|error: |fatal: )/.test(line))) return null
    if (succeeded && push.quiet && push.remote !== null && push.refspecs.length > 0 && to.length === 0) return quietly(push.remote, push.refspecs)
    if (to.length === 0) return endOf(push, lines)
    if (to.length !== 1) return null
    const moved = reportIn(lines).flatMap((line) => movedRef(line, push.refspecs) ?? [])
    if (moved.length === 0) return null
    const url = withoutUserInfo((to[0] as string).trim())
    const refs = moved.map(({ ref }) => ref)
    return {
      target: targetOf(push.remote ?? url),
      targetValue: url,
      identifier: refs.includes(null) ? null : [...new Set(refs)].sort().join(' '),
      state_hash: moved.length === 1 ? (moved[0]?.commit ?? null) : null,
    }
  },
} satisfies Mutation

/** Told to be quiet, a push says by its status alone that the refs which it names are there now, whether it moved them or not. */
const quietly = (remote: string, refspecs: readonly string[]): ConfirmedMutation => ({
  target: targetOf(remote),
  targetValue: /[:/]/.test(remote) ? withoutUserInfo(remote) : null,
  identifier: named(refspecs),
  state_hash: null,
})

/** The end of a report whose first line was cut off: the remote is the one that was named, and the one ref the one that was asked for. */
function endOf({ remote, refspecs }: Push, lines: readonly string[]): ConfirmedMutation | null {
  if (remote === null || refspecs.length !== 1 || lines.some((line) => /^From \S/.test(line))) return null
  const moved = lines.flatMap((line) => movedRef(line, refspecs) ?? [])
  const [only] = moved
  const asked = (refspecs[0] as string).replace(/^\+/, '').replace(/^[^:]*:(?=.)/, '').replace(/^refs\/heads\//, '')
  if (moved.length !== 1 || only === undefined || only.ref !== `refs/heads/${asked}`) return null
  return { ...quietly(remote, refspecs), identifier: only.ref, state_hash: only.commit }
}

/** The lines of the push: what stands before them, or below `From URL`, a fetch may have printed, in the same form. */
function reportIn(lines: readonly string[]): readonly string[] {
  const report = lines.slice(lines.findIndex((line) => /^To \S/.test(line)) + 1)
  const next = report.findIndex((line) => /^From \S/.test(line))
  return next === -1 ? report : report.slice(0, next)
}

interface Push {
  readonly remote: string | null
  readonly refspecs: readonly string[]
  readonly quiet: boolean
}

/** null: no push, or one that changes nothing outside. */
function readPush(argv: readonly string[]): Push | null {
  if (!/^(?:\/(?:usr\/)?(?:local\/)?bin\/)?git(?:\.exe)?$/.test(argv[0] ?? '')) return null
  const at = argv.findIndex((arg, i) => i > 0 && !arg.startsWith('-') && !GIT_VALUES.has(argv[i - 1] as string))
  if (argv[at] !== 'push') return null
  const args = argv.slice(at + 1)
  const end = args.indexOf('--') === -1 ? args.length : args.indexOf('--')
  const options = args.slice(0, end)
  if (options.some((arg) => arg === '--dry-run' || arg === '--help' || /^-[a-zA-Z46]*[nh]/.test(arg))) return null
  const words = args.filter((arg, i) => arg !== '--' && (i > end || (!arg.startsWith('-') && !PUSH_VALUES.has(args[i - 1] ?? ''))))
  const repo = options.flatMap((arg, i) => (arg === '--repo' ? [options[i + 1] ?? ''] : arg.startsWith('--repo=') ? [arg.slice(7)] : []))[0]
  return { remote: words[0] ?? repo ?? null, refspecs: words.slice(1), quiet: options.some((arg) => arg === '--quiet' || /^-[a-zA-Z46]*q/.test(arg)) }
}

const GIT_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--exec-path', '--super-prefix'])
const PUSH_VALUES = new Set(['-o', '--push-option', '--repo', '--receive-pack', '--exec', '--recurse-submodules', '--signed'])

const targetOf = (remote: string): Target => ({ kind: 'git-remote', id: withoutUserInfo(remote) })

/** The refs that the command line gives in full; what git would have to look up stays open. */
function named(refspecs: readonly string[]): string | null {
  const refs = refspecs.map((spec, i) => (refspecs[i - 1] === 'tag' ? `refs/tags/${spec}` : spec === 'tag' ? '' : spec.replace(/^\+/, '').replace(/^[^:]*:(?=.)/, '')))
  const full = refs.filter((ref) => ref !== '')
  return full.length > 0 && full.every((ref) => /^refs\/[^*]+$/.test(ref)) ? [...new Set(full)].sort().join(' ') : null
}

/** One line of git's report. `ref` is null where git's short name could be a branch's or a tag's; `=` lines moved nothing. */
function movedRef(line: string, refspecs: readonly string[]): { ref: string | null; commit: string | null } | null {
  const porcelain = /^[ +*-]\t[^\t:]*:(refs\/\S+)\t(?:[0-9a-f]{4,64}\.{2,3}([0-9a-f]{4,64})|\[)/.exec(line)
  if (porcelain !== null) return { ref: porcelain[1] as string, commit: porcelain[2] ?? null }
  const made = /^ [*-] \[(new branch|new tag|new reference|deleted)\]\s+(?:\S+ -> )?(\S+)$/.exec(line)
  if (made !== null) return { ref: fullName(made[2] as string, made[1] as string, refspecs), commit: null }
  const updated = /^ ([ +]) [0-9a-f]{4,64}\.{2,3}([0-9a-f]{4,64})\s+\S+ -> (\S+)(?: \(forced update\))?$/.exec(line)
  return updated === null ? null : { ref: fullName(updated[3] as string, updated[1] === '+' ? 'forced' : 'updated', refspecs), commit: updated[2] as string }
}

function fullName(name: string, how: string, refspecs: readonly string[]): string | null {
  if (name.startsWith('refs/')) return name
  const [branch, tag] = [`refs/heads/${name}`, `refs/tags/${name}`]
  const asked = (ref: string): boolean => refspecs.some((spec, i) => spec === ref || spec.endsWith(`:${ref}`) || (ref === tag && refspecs[i - 1] === 'tag' && spec === name))
  if (how === 'new tag' || asked(tag)) return tag
  if (how === 'new branch' || how === 'updated' || asked(branch)) return branch
  if (how === 'new reference') return null
  return refspecs.some((spec) => spec === 'HEAD' || spec.replace(/^\+/, '') === `HEAD:${name}`) ? branch : null
}
