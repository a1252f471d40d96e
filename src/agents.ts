import type { Agent } from './model/agent.ts'
import claudeCode from './agents/claude-code.ts'
import codex from './agents/codex.ts'
import copilotCli from './agents/copilot-cli.ts'
import geminiCli from './agents/gemini-cli.ts'

/** The agents' hosts whose hooks are understood. Their order means nothing: at most one recognises a payload. */
export const agents: readonly Agent[] = [claudeCode, codex, geminiCli, copilotCli]
