import { join } from 'node:path'
import { objectOf } from '../../base/json.ts'
import type { Files } from '../files.ts'
import type { Git } from '../git.ts'
import type { Step } from './edit.ts'

/** What `init` did to agents' configurations, so that it can be taken back. By absolute path. */
export interface Known {
  readonly files: Readonly<Record<string, { readonly file: boolean; readonly folders: readonly string[]; readonly steps: readonly Step[] }>>
  /** What was added to `info/exclude`, in order. `made`: the file itself. */
  readonly hidden: { readonly made: boolean; readonly lines: readonly string[] }
}

const NOTHING: Known = { files: {}, hidden: { made: false, lines: [] } }

/** What can't be read counts as nothing: then our entries are found by their form. */
export function readKnown(commonDir: string, files: Files): Known {
  try {
    const value = JSON.parse(Buffer.from(files.read(pathOf(commonDir)) ?? []).toString('utf8')) as Known
    const whole = Object.values(objectOf(value.files)).every((one) => Array.isArray(objectOf(one).steps) && Array.isArray(objectOf(one).folders)) && Array.isArray(value.hidden.lines)
    return whole ? value : NOTHING
  } catch {
    return NOTHING
  }
}

export const writeKnown = (known: Known, commonDir: string, files: Files): void => files.write(pathOf(commonDir), JSON.stringify(known), 0o600)

/** Keeps a file that `init` made out of git, where nothing does so already: it names a path of this machine. */
export async function hideFile(file: string, git: Git, files: Files): Promise<void> {
  const { commonDir, workTree } = git.repository
  const ignored = await git.try(['check-ignore', '--quiet', '--', file], { cwd: workTree ?? commonDir })
  if (ignored.status !== 1) return
  const path = join(commonDir, 'info', 'exclude')
  const bytes = files.read(path)
  const text = Buffer.from(bytes ?? []).toString('latin1')
  const line = `${text === '' || text.endsWith('\n') ? '' : '\n'}/${file}\n`
  const known = readKnown(commonDir, files)
  writeKnown({ ...known, hidden: { made: known.hidden.made || bytes === null, lines: [...known.hidden.lines.filter((one) => one !== line), line] } }, commonDir, files)
  files.write(path, Buffer.from(text + line, 'latin1'), bytes === null ? 0o644 : (files.stat(path)?.mode ?? 0o644) & 0o777)
}

/** Whether what was added to `info/exclude` stands behind another line of ours: who came first must go last. */
export const isHiddenBehind = (line: string, commonDir: string, files: Files): boolean => {
  const text = Buffer.from(files.read(join(commonDir, 'info', 'exclude')) ?? []).toString('latin1')
  const [first] = readKnown(commonDir, files).hidden.lines
  return first !== undefined && text.includes(`${line}\n`) && text.indexOf(`${line}\n`) < text.indexOf(first)
}

/** Takes those lines out of `info/exclude` again, the last one first. */
export function showFiles(commonDir: string, files: Files): void {
  const { hidden } = readKnown(commonDir, files)
  if (hidden.lines.length === 0) return
  const path = join(commonDir, 'info', 'exclude')
  const bytes = files.read(path)
  if (bytes === null) return
  let text = Buffer.from(bytes).toString('latin1')
  for (const line of [...hidden.lines].reverse()) {
    const at = text.lastIndexOf(line)
    if (at !== -1) text = text.slice(0, at) + text.slice(at + line.length)
  }
  if (hidden.made && text === '') files.remove(path)
  else files.write(path, Buffer.from(text, 'latin1'), (files.stat(path)?.mode ?? 0o644) & 0o777)
}

const pathOf = (commonDir: string): string => join(commonDir, 'remnant', 'agents.json')
