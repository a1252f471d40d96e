import type { Format } from './model/format.ts'
import aider from './formats/aider.ts'
import atif from './formats/atif.ts'
import claudeCode from './formats/claude-code.ts'
import cline from './formats/cline.ts'
import codex from './formats/codex.ts'
import copilotCli from './formats/copilot-cli.ts'
import geminiCli from './formats/gemini-cli.ts'
import miniSweAgent from './formats/mini-swe-agent.ts'
import observation from './formats/observation.ts'
import opencode from './formats/opencode.ts'
import openhands from './formats/openhands.ts'
import pi from './formats/pi.ts'
import sweAgent from './formats/swe-agent.ts'

/** The ways in which a session may be written down. Their order means nothing: exactly one may recognise a log. */
export const formats: readonly Format[] = [
  ...[claudeCode, codex, geminiCli, copilotCli, opencode, pi, observation],
  // Written by benchmarks, or for people; those of the second line record no status.
  ...[miniSweAgent, openhands],
  ...[sweAgent, atif, cline, aider],
]
