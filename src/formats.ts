import type { Format } from './model/format.ts'
import claudeCode from './formats/claude-code.ts'
import codex from './formats/codex.ts'
import observation from './formats/observation.ts'

/** The ways in which a session may be written down. Their order means nothing: exactly one may recognise a log. */
export const formats: readonly Format[] = [claudeCode, codex, observation]
