/** The git hooks that this package ships, under `hooks/`. */
export const HOOK_NAMES = ['post-commit', 'post-merge', 'pre-push'] as const
export type HookName = (typeof HOOK_NAMES)[number]

const START = '# >>> git-remnant'
const END = '# <<< git-remnant'
const MADE = '# git-remnant init made this file.'
const MADE_FOLDER = '# git-remnant init made this file and its folder.'

/** The program of a hook, in the package that lies at `installation`. */
export const programOf = (name: HookName, installation: string): string => `${installation}/hooks/${name}`

/**
 * What `init` puts into a hook, from marker to marker, without a last line break.
 * pre-push reads its input whole and gives it back to what follows; only its status 1 ends the hook.
 */
export function blockOf(name: HookName, installation: string): string {
  const program = quoted(programOf(name, installation))
  const there = `command -v git-remnant >/dev/null 2>&1 && [ -x ${program} ]`
  if (name !== 'pre-push') return [START, `if ${there}; then ${program} "$@" || REMNANT_RC=$?; fi`, END].join('\n')
  return [
    START,
    `if ${there}; then`,
    'REMNANT_RC=0; REMNANT_IN=$(cat)',
    `printf '%s\\n' "$REMNANT_IN" | ${program} "$@" || REMNANT_RC=$?`,
    'if [ "$REMNANT_RC" = 1 ]; then exit 1; fi',
    'if [ -z "$REMNANT_IN" ]; then exec </dev/null; else exec <<REMNANT_IN',
    '$REMNANT_IN',
    'REMNANT_IN',
    'fi; fi',
    END,
  ].join('\n')
}

/** The one line that a person adds where `init` changes nothing. */
export function handLineOf(name: HookName, installation: string): string {
  const program = quoted(programOf(name, installation))
  const call = name === 'pre-push' ? `${program} "$@" || [ $? != 1 ] || exit 1` : `${program} "$@" || :`
  return `if command -v git-remnant >/dev/null 2>&1 && [ -x ${program} ]; then ${call}; fi`
}

/** A hook of our own alone. `folder`: the folder was made for it. */
export const newHook = (block: string, folder: boolean): string => `#!/bin/sh\n${block}\n${folder ? MADE_FOLDER : MADE}\n`

/** The hook with our block right behind its first line, or in place of the block that it has. */
export function withBlock(hook: string, block: string): string {
  const at = placeOf(hook)
  if (at !== null) return hook.slice(0, at.start) + block + hook.slice(at.end)
  const first = hook.split('\n', 1)[0] as string
  return `${first}\n${block}${hook.slice(first.length)}`
}

/** The hook as it was before `withBlock`; null: nothing is left but what `init` made. `folder`: its folder was made too. */
export function withoutBlock(hook: string): { readonly text: string | null; readonly folder: boolean } {
  const at = placeOf(hook)
  const rest = at === null ? hook : hook.slice(0, at.start - 1) + hook.slice(at.end)
  const made = [MADE_FOLDER, MADE].find((line) => rest.includes(`\n${line}\n`))
  if (at === null || made === undefined) return { text: rest, folder: false }
  return { text: rest === `#!/bin/sh\n${made}\n` ? null : rest.replace(`\n${made}\n`, '\n'), folder: made === MADE_FOLDER }
}

/** Our block in a hook, and whether nothing can come before it; null: there is none. */
export function blockIn(hook: string): { readonly block: string; readonly first: boolean } | null {
  const at = placeOf(hook)
  if (at === null) return null
  return { block: hook.slice(at.start, at.end), first: !hook.slice(0, at.start - 1).includes('\n') }
}

/** The program and its one argument that run a hook, from its `#!` line; null: it has none. */
export function interpreterOf(hook: string): { readonly argv: readonly string[]; readonly shell: boolean } | null {
  const [, program, argument] = /^#![ \t]*([^\s]+)(?:[ \t]+([^\r\n]*\S))?/.exec(hook.split('\n', 1)[0] as string) ?? []
  if (program === undefined) return null
  const words = (argument ?? '').split(/\s+/).filter((word) => !/^-|=/.test(word))
  const name = base(program)
  const runs = name === 'env' || name === 'busybox' ? base(words[0] ?? '') : name
  return { argv: argument === undefined ? [program] : [program, argument], shell: SHELLS.includes(runs) }
}

const SHELLS = ['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'zsh']

function placeOf(hook: string): { start: number; end: number } | null {
  const before = hook.indexOf(`\n${START}\n`)
  if (before === -1) return null
  const last = hook.indexOf(`\n${END}`, before)
  return last === -1 ? null : { start: before + 1, end: last + 1 + END.length }
}

const base = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`
