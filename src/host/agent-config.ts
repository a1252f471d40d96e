import { lstatSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Agent } from '../model/agent.ts'
import { commandLine, isEmptied, oursIn, withHooks, withoutHooks } from './agent-config/edit.ts'
import { type Known, hideFile, readKnown, writeKnown } from './agent-config/known.ts'
import type { Files } from './files.ts'
import type { Git } from './git.ts'
import { onPath } from './hooks.ts'

/** What became of one agent's configuration. */
export interface AgentInstalled {
  readonly agent: string
  /** Absolute. */
  readonly path: string
  readonly state: 'installed' | 'updated' | 'unchanged' | 'by hand'
  /** Why nothing was changed; null: it was, or there was no need. */
  readonly reason: string | null
  /** What to add by hand, as JSON; null: nothing. */
  readonly lines: string | null
  /** What a person has to do besides. */
  readonly then: string | null
}

/** The agents that are used here: their program is on PATH, or the work tree holds their folder. */
export const foundAgents = (agents: readonly Agent[], workTree: string, env: Readonly<Record<string, string | undefined>>): readonly Agent[] =>
  agents.filter(({ hooks: { program, folder } }) => onPath(program, env) || kindOf(join(workTree, folder)) === 'folder')

/**
 * Puts our entries into an agent's configuration of this work tree, last in their lists. A second time changes nothing; entries of
 * another package are replaced. What git tracks, what is a link, and what can't be read with certainty is left alone, with the reason.
 */
export async function installAgent(agent: Agent, git: Git, installation: string, files: Files): Promise<AgentInstalled> {
  const { workTree, commonDir } = git.repository
  const top = workTree ?? commonDir
  const path = join(top, agent.hooks.file)
  const lineOf = (event: string): string => commandLine(installation, agent.id, event)
  const told = (state: AgentInstalled['state'], reason: string | null = null): AgentInstalled => {
    const lists = Object.fromEntries(agent.hooks.points.map(({ event, entry }) => [event, [entry(lineOf(event))]]))
    return { agent: agent.id, path, state, reason, lines: reason === null ? null : JSON.stringify({ ...agent.hooks.fields, hooks: lists }, null, 2), then: state === 'unchanged' ? null : agent.hooks.then }
  }
  const obstacle = await whyNot(agent.hooks.file, top, git)
  if (obstacle !== null) return told('by hand', obstacle)
  const bytes = files.read(path)
  const text = bytes === null ? '' : textOf(bytes)
  if (text === null) return told('by hand', 'it is not plain text in UTF-8')
  if (isComplete(text, agent, lineOf)) return told('unchanged')
  const known = readKnown(commonDir, files)
  const clean = withoutHooks(text, known.files[path]?.steps ?? [], agent.hooks.fields) ?? text
  const edited = withHooks(clean, agent.hooks, lineOf)
  if (edited === null) return told('by hand', 'it is not JSON whose hooks could be added to with certainty')
  const before = known.files[path]
  // Whoever was killed after he had noted this may have made the folders already.
  const made = bytes === null ? { file: true, folders: [...new Set([...missingFolders(dirname(path)), ...(before?.file === true ? before.folders : [])])] } : (before ?? { file: false, folders: [] })
  const entry = { file: made.file, folders: made.folders, steps: edited.steps }
  writeKnown({ ...known, files: { ...known.files, [path]: entry } }, commonDir, files)
  // Hidden before it is there: else a crash in between would leave it in the open.
  if (bytes === null) await hideFile(agent.hooks.file, git, files)
  files.write(path, edited.text, bytes === null ? 0o644 : modeOf(path))
  return told(clean === text ? 'installed' : 'updated')
}

/** Takes our entries out of every work tree's configuration again; what we made goes. The files that were changed. */
export function uninstallAgents(agents: readonly Agent[], workTrees: readonly string[], commonDir: string, files: Files): string[] {
  const known = readKnown(commonDir, files)
  const places = new Map<string, Agent['hooks']['fields']>()
  for (const { hooks } of agents) for (const workTree of workTrees) places.set(join(workTree, hooks.file), hooks.fields)
  const undone = [...places].filter(([path, fields]) => kindOf(path) === 'file' && uninstall(path, fields, known.files[path], files)).map(([path]) => path)
  return undone
}

function uninstall(path: string, fields: Agent['hooks']['fields'], known: Known['files'][string] | undefined, files: Files): boolean {
  const bytes = files.read(path)
  const text = bytes === null ? null : textOf(bytes)
  const without = text === null ? null : withoutHooks(text, known?.steps ?? [], fields)
  if (without === null) return false
  if (known?.file === true && isEmptied(without, fields)) {
    files.remove(path)
    for (const folder of known.folders) removeEmpty(folder)
  } else files.write(path, without, modeOf(path))
  return true
}

/** Whether each of our entries is there, once, with this package's line. */
function isComplete(text: string, { hooks }: Agent, lineOf: (event: string) => string): boolean {
  const ours = oursIn(text)
  return ours.size === hooks.points.length && hooks.points.every(({ event }) => ours.get(event)?.length === 1 && ours.get(event)?.[0] === lineOf(event))
}

/** Our command lines in an agent's configuration of a work tree, by event; null: there is no such file, or it is no text. */
export function installedLines(agent: Agent, workTree: string, files: Files): ReadonlyMap<string, readonly string[]> | null {
  const bytes = files.read(join(workTree, agent.hooks.file))
  const text = bytes === null ? null : textOf(bytes)
  return text === null ? null : oursIn(text)
}

/** Why a file is left alone; null: it may be changed. */
async function whyNot(file: string, top: string, git: Git): Promise<string | null> {
  const steps = file.split('/')
  for (const [i] of steps.entries()) {
    const kind = kindOf(join(top, ...steps.slice(0, i + 1)))
    if (kind === null) break
    if (kind !== (i === steps.length - 1 ? 'file' : 'folder')) return `${steps.slice(0, i + 1).join('/')} is a link, or of another kind`
  }
  const tracked = await git.try(['ls-files', '--', file], { cwd: top })
  return tracked.status === 0 && tracked.stdout.byteLength === 0 ? null : 'git tracks it, and a path of this machine does not belong there'
}

function missingFolders(folder: string): string[] {
  const missing: string[] = []
  for (let at = folder; kindOf(at) === null; at = dirname(at)) missing.push(at)
  return missing
}

/** null: it is not UTF-8, or begins with a byte order mark. */
function textOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith('\uFEFF') ? null : text
  } catch {
    return null
  }
}

function kindOf(path: string): 'file' | 'folder' | 'other' | null {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other'
}

const modeOf = (path: string): number => lstatSync(path).mode & 0o7777

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Somebody put something into it.
  }
}

