import { objectOf, wordOf } from '../../base/json.ts'

/** Tools that start a sub-agent, which works on the same files. */
export const AGENTS: ReadonlySet<string> = new Set(['Task', 'Agent'])

/** Keeps in mind which sub-agents have lines of their own in what is read: what one without lines did, nobody knows. */
export function openAgents() {
  const named = new Set<string>()
  const before = new Map<string, number>()
  const later = new Map<string, string>()
  let nameless = 0
  return {
    /** A sub-agent is asked for by this call. */
    called(id: string): void {
      before.set(id, nameless)
    },
    /** A line of a sub-agent; null: it does not say of which. */
    spoke(agent: string | null): void {
      if (agent === null) nameless += 1
      else named.add(agent)
    },
    /** Whether a sub-agent that has ended, or was broken off, has no lines here. One that goes on behind may have them later. */
    isUntold(id: string, toolUseResult: unknown): boolean {
      const result = objectOf(toolUseResult)
      const agent = wordOf(result.agentId)
      if (result.totalToolUseCount === 0 || nameless > (before.get(id) ?? 0) || (agent !== null && named.has(agent))) return false
      if (agent === null || (result.isAsync !== true && result.status !== 'async_launched')) return true
      later.set(id, agent)
      return false
    },
    /** Calls of sub-agents that went on behind and have no lines here. */
    leftUntold: (): readonly string[] => [...later].flatMap(([id, agent]) => (named.has(agent) ? [] : [id])),
  }
}
