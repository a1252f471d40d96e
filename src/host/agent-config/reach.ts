import { join } from 'node:path'
import type { Agent } from '../../model/agent.ts'
import { installedLines } from '../agent-config.ts'
import { type ReachWorld, onPath } from '../hooks.ts'
import { commandLine } from './edit.ts'
import { readKnown } from './known.ts'

/** Whether an agent would come to our hooks here, and what shows or prevents it. */
export interface AgentReach {
  readonly name: string
  readonly ok: boolean
  readonly note: string
  readonly hint: string | null
}

/**
 * Proves that a host's hooks come to this package: each installed line is run as the host runs it, with a mark that makes our
 * program answer and end. null: this work tree's configuration of that agent has none of ours, and `init` put none there.
 */
export async function reachOfAgent(agent: Agent, installation: string, world: ReachWorld): Promise<AgentReach | null> {
  const lines = installedLines(agent, world.workTree, world.files)
  const name = agent.id
  const again = `git remnant init --agent ${agent.names[0]}`
  const no = (note: string, hint = again): AgentReach => ({ name, ok: false, note: `not reachable: ${note}`, hint })
  const { file, points } = agent.hooks
  if (lines === null || lines.size === 0) return readKnown(world.commonDir, world.files).files[join(world.workTree, file)] === undefined ? null : no(`${file} ${world.files.stat(join(world.workTree, file)) === null ? 'is gone' : 'lost our entries'} since init`)
  if (!onPath('git-remnant', world.env)) return no('there is no git-remnant on PATH', 'put the folder of the program "git-remnant" on PATH')
  const missing = points.filter(({ event }) => !lines.has(event)).map(({ event }) => event)
  if (missing.length > 0) return no(`${file} lacks our entry for ${missing.join(', ')}`)
  for (const [event, typed] of lines)
    for (const line of typed) {
      // The file may be a stranger's: a line that is not ours to the last byte is not run.
      if (line !== commandLine(installation, agent.id, event)) {
        const [, program = ''] = /exec '([^']*)' \S+ \S+$/.exec(line) ?? []
        return no(`${file} names ${world.files.stat(program) === null ? 'a package that is gone' : 'another package than this one'}, for ${event}`)
      }
      if (!(await world.run(['/bin/sh', '-c', `exec </dev/null; ${line}`])).includes('git-remnant guard')) return no(`${file} does not come to our program for ${event}`)
    }
  return { name, ok: true, note: `reachable: ${file} comes to it for ${[...lines.keys()].join(', ')}`, hint: null }
}
