/**
 * Folders and paths in one spelling: `/` between steps, a drive as `C:/…` (`C:\x`, `C:/x` and `/c/x` are one folder),
 * inside the repository relative to its root, `.` for the root itself.
 */

/** The repository's root in one spelling; null where none is known. */
export function rootFrom(path: string | null): string | null {
  if (path === null) return null
  const spelled = drive(path)
  return isAbsolute(spelled) ? collapsed(spelled) : null
}

/** The folder that a `cd` to `target` leads to. */
export function changed(folder: string, target: string, root: string | null): string {
  const to = drive(target)
  if (isAbsolute(to)) return underRoot(collapsed(to), root)
  const from = drive(folder)
  if (isAbsolute(from)) return underRoot(collapsed(`${from}/${to}`), root)
  if (root !== null) return underRoot(collapsed(`${root}/${from}/${to}`), root)
  return collapsed(`${from}/${to}`)
}

/** A file's path relative to the repository's root; null outside it. */
export function written(folder: string, path: string, root: string | null): string | null {
  const to = changed(folder, path, root)
  return to === '.' || isAbsolute(to) || to === '..' || to.startsWith('../') ? null : to
}

/**
 * A word of a command with the absolute path under the root that it holds, if any, made relative to the command's folder.
 * Only where the whole word, or what follows `--opt=`, `NAME=`, `-I` or `@`, is that path: inside other text it may mean something else.
 */
export function relativised(word: string, folder: string, root: string | null, role: 'program' | 'word' | 'list'): string {
  if (root === null || isAbsolute(folder) || folder === '..' || folder.startsWith('../')) return word
  const lead = role === 'word' ? (LEAD.exec(word)?.[0] ?? '') : ''
  const rest = word.slice(lead.length)
  if (!isAbsolute(drive(rest))) return word
  if (rest.includes(':') && !/^[A-Za-z]:/.test(rest)) {
    const pieces = rest.split(':')
    const all = role === 'list' && pieces.every((piece) => piece.startsWith('/'))
    return lead + pieces.map((piece, i) => (i === 0 || all ? (relative(piece, folder, root) ?? piece) : piece)).join(':')
  }
  const path = relative(rest, folder, root)
  if (path === null) return word
  if (role === 'program') return path.startsWith('../') ? path : `./${path}`
  return lead === '' && path.startsWith('-') ? `./${path}` : lead + path
}

export const isAbsolute = (path: string): boolean => path.startsWith('/') || /^[A-Z]:\//.test(path)

const LEAD = /^(?:-{0,2}[A-Za-z_][\w.-]*=|-[A-Za-z](?=[/])|@(?=[/]))/

function drive(path: string): string {
  const typed = /^([A-Za-z]):(?:[\\/]|$)/.exec(path)
  if (typed !== null) return `${(typed[1] as string).toUpperCase()}:/${path.slice(3).replaceAll('\\', '/')}`
  const mounted = /^\/([A-Za-z])(?:\/|$)/.exec(path)
  return mounted === null ? path : `${(mounted[1] as string).toUpperCase()}:/${path.slice(3)}`
}

function collapsed(path: string): string {
  const top = path.startsWith('/') ? '/' : /^[A-Z]:\//.test(path) ? path.slice(0, 3) : ''
  const steps: string[] = []
  for (const step of path.slice(top.length).split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.length > 0 && steps.at(-1) !== '..') steps.pop()
    else if (top === '') steps.push('..')
  }
  return top === '' && steps.length === 0 ? '.' : top + steps.join('/')
}

function underRoot(absolute: string, root: string | null): string {
  const steps = root === null ? null : below(absolute, root)
  return steps === null ? absolute : steps === '' ? '.' : steps
}

function below(absolute: string, root: string): string | null {
  if (absolute === root) return ''
  const stem = root.endsWith('/') ? root : `${root}/`
  return absolute.startsWith(stem) ? absolute.slice(stem.length) : null
}

function relative(path: string, folder: string, root: string): string | null {
  const rest = below(drive(path), root)
  if (rest === null) return null
  const to = rest.split('/').filter((step) => step !== '' && step !== '.')
  if (to.includes('..')) return null
  const from = folder === '.' ? [] : folder.split('/')
  let same = 0
  while (same < from.length && same < to.length && from[same] === to[same]) same += 1
  const steps = [...from.slice(same).map(() => '..'), ...to.slice(same)]
  return steps.length === 0 ? '.' : steps.join('/') + (rest.endsWith('/') && to.length > 0 ? '/' : '')
}
