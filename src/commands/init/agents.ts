import { relative } from 'node:path'
import { agents } from '../../agents.ts'
import { RemnantError } from '../../base/errors.ts'
import type { Host } from '../../command.ts'
import { type AgentInstalled, foundAgents, installAgent } from '../../host/agent-config.ts'
import type { Agent } from '../../model/agent.ts'

/** Installs the hooks of the agents that were named, else of those that are found here; `none`: of none. Throws `misuse` for a name that is none. */
export async function installAgents(names: readonly string[], workTree: string, host: Host): Promise<readonly AgentInstalled[]> {
  const chosen = names.length === 0 ? foundAgents(agents, workTree, host.env) : named(names)
  const git = await host.git()
  const installed: AgentInstalled[] = []
  for (const agent of chosen) installed.push(await installAgent(agent, git, host.installation, host.files))
  return installed
}

function named(names: readonly string[]): readonly Agent[] {
  if (names.length === 1 && names[0] === NONE) return []
  const known = agents.flatMap((agent) => agent.names.slice(0, 1))
  return [...new Set(names)].map((name) => {
    const agent = agents.find((one) => one.names.includes(name))
    if (agent === undefined) throw new RemnantError('misuse', `there are no hooks for an agent "${name}"`, { hint: `there are ${known.join(', ')}; "${NONE}" installs none` })
    return agent
  })
}

const NONE = 'none'

export function shownAgent({ agent, path, state, reason, lines, then }: AgentInstalled, workTree: string): string[] {
  const where = relative(workTree, path)
  const more = then === null ? [] : [`  ${then}`]
  if (lines === null) return [`${agent}: hooks ${state === 'unchanged' ? 'installed already' : state} in ${where}`, ...more]
  return [`${agent}: hooks not installed in ${where}: ${reason}; these are the entries to add, each last in its list:`, ...lines.split('\n').map((line) => `  ${line}`), ...more]
}
