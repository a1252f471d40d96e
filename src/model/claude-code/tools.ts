/** Claude Code's tools that run a command. */
export const SHELLS: ReadonlySet<string> = new Set(['Bash', 'PowerShell'])
/** Those that edit the file that they name. */
export const EDITORS: ReadonlySet<string> = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit'])
/** Tools that leave files as they are; sub-agents' own calls stand in their own lines. */
export const READERS =
  /^(?:Read|Grep|Glob|LS|NotebookRead|WebFetch|WebSearch|Task\w*|Agent|Todo\w+|AskUserQuestion|\w*PlanMode|Skill|SlashCommand|BashOutput|Kill\w+|ToolSearch|ListMcp\w+|ReadMcp\w+|Monitor|ScheduleWakeup|SendMessage|StructuredOutput|mcp__\w+__(?:get|list|search|read|find|fetch|query|describe|view|show|lookup|resolve)\w*)$/
