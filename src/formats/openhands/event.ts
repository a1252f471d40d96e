import { blobId } from '../../base/digest.ts'
import { type JsonObject, listOf, objectOf, textOf, wordOf } from '../../base/json.ts'
import { utcOf } from '../../base/time.ts'
import { isNew } from './record.ts'

/** What an action asks for, whichever version wrote it down. `input`: words for a command that still runs. */
export interface Asked {
  readonly id: string
  readonly is: 'run' | 'edit' | 'other' | 'look'
  readonly at: string | null
  readonly command: string
  readonly input: boolean
  /** The shell is begun anew before it. */
  readonly anew: boolean
  readonly path: string | null
}

/** What an observation shows of the action `id`. `code` null: none was recorded; -1: it still runs. */
export interface Shown {
  readonly id: string
  readonly at: string | null
  readonly is: 'result' | 'error' | 'refused'
  readonly text: string
  readonly code: number | null
  readonly cwd: string | null
  readonly before: string | null
  readonly after: string | null
}

export const askedBy = (event: JsonObject): Asked | null => (isNew(event) ? askedByNew(event) : askedByOld(event))
export const shownBy = (event: JsonObject): Shown | null => (isNew(event) ? shownByNew(event) : shownByOld(event))

function askedByOld(event: JsonObject): Asked | null {
  const [name, args, id] = [wordOf(event.action), objectOf(event.args), numbered(event.id)]
  if (name === null || id === null) return null
  const of = { ...NOTHING, id, at: utcOf(event.timestamp) }
  if (name === 'run') return { ...of, is: 'run', command: textOf(args.command) ?? '', input: isTrue(args.is_input) }
  if (name === 'edit' || name === 'write') return args.command === 'view' ? { ...of, is: 'look' } : { ...of, is: 'edit', path: wordOf(args.path) }
  return LOOKS.test(name) ? { ...of, is: 'look' } : { ...of, is: 'other' }
}

function shownByOld(event: JsonObject): Shown | null {
  const [name, extras, id] = [wordOf(event.observation), objectOf(event.extras), numbered(event.cause)]
  if (name === null || id === null) return null
  const metadata = objectOf(extras.metadata)
  const code = [metadata.exit_code, extras.exit_code, event.exit_code].find((one) => Number.isInteger(one)) as number | undefined
  return {
    id,
    at: utcOf(event.timestamp),
    is: name === 'error' ? 'error' : name === 'user_rejected' ? 'refused' : 'result',
    text: textOf(event.content) ?? '',
    // Both say the same, or neither is believed.
    code: code === undefined || (typeof event.success === 'boolean' && code >= 0 && event.success !== (code === 0)) ? null : code,
    cwd: wordOf(metadata.working_dir),
    before: textOf(extras.old_content),
    after: textOf(extras.new_content),
  }
}

function askedByNew(event: JsonObject): Asked | null {
  if (event.kind !== 'ActionEvent') return null
  const [tool, action, id] = [textOf(event.tool_name) ?? '', objectOf(event.action), wordOf(event.id)]
  if (id === null) return null
  const of = { ...NOTHING, id, at: utcOf(event.timestamp) }
  if (/^(?:execute_bash|terminal|bash)$/.test(tool)) return { ...of, is: 'run', command: textOf(action.command) ?? '', input: isTrue(action.is_input), anew: isTrue(action.reset) }
  if (/^(?:file_editor|str_replace_editor)$/.test(tool)) return action.command === 'view' ? { ...of, is: 'look' } : { ...of, is: 'edit', path: wordOf(action.path) }
  return LOOKS.test(tool) ? { ...of, is: 'look' } : { ...of, is: 'other' }
}

function shownByNew(event: JsonObject): Shown | null {
  const id = wordOf(event.action_id)
  if (id === null) return null
  const shown = objectOf(event.observation)
  const metadata = objectOf(shown.metadata)
  const text = textOf(shown.output) ?? listOf(shown.content).map((part) => textOf(objectOf(part).text) ?? '').join('')
  const code = Number.isInteger(shown.exit_code) ? (shown.exit_code as number) : null
  return {
    id,
    at: utcOf(event.timestamp),
    is: event.kind === 'UserRejectObservation' ? 'refused' : event.kind === 'ObservationEvent' && !(shown.is_error === true && code === null) ? 'result' : 'error',
    text,
    code: shown.timeout === true ? -1 : code,
    cwd: wordOf(metadata.working_dir),
    before: textOf(shown.old_content),
    after: textOf(shown.new_content),
  }
}

const NOTHING = { command: '', input: false, anew: false, path: null }

/** What neither runs nor edits anything. */
const LOOKS = /^(?:read|think|recall|message|finish|reject|browse|browse_interactive|browser_?\w{0,40}|change_agent_state|condensation|condensation_request|null|system|start|pause|resume|stop|send_pr|push|add_task|modify_task|task_tracking|task_tracker|grep|glob|invoke_skill)$/

/** Some write a truth as a text. */
const isTrue = (value: unknown): boolean => value === true || value === 'true'

/** Ids are numbers, unique in their session. */
const numbered = (id: unknown): string | null => (Number.isInteger(id) ? String(id) : wordOf(id))

/** A file's blob id, where all of it stands there. */
export const blobOf = (text: string | null): string | null => (text === null || text.includes('REDACTED') ? null : blobId(text))
