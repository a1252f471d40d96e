import { table } from '../../base/table.ts'
/** Values of one git configuration file by `section.name`, lower case (subsections as they are: `remote.origin.url`); in file order. */
export type GitConfig = ReadonlyMap<string, readonly string[]>

/**
 * Reads one configuration file as git does for a repository's format: no includes, no other files.
 * A name without `=` is true. null: the text is not a configuration.
 */
export function readGitConfig(text: string): GitConfig | null {
  const found = new Map<string, string[]>()
  let section = ''
  for (const line of joined(text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n').split('\n'))) {
    let rest = line.trim()
    const header = rest.startsWith('[') ? HEADER.exec(rest) : null
    if (header !== null) {
      section = (header[1] as string).toLowerCase() + (header[2] === undefined ? '' : `.${header[2].replace(/\\(.)/g, '$1')}`)
      rest = rest.slice(header[0].length).trim()
    }
    if (rest === '' || rest.startsWith('#') || rest.startsWith(';')) continue
    const setting = SETTING.exec(rest)
    if (setting === null) return null
    const name = `${section === '' ? '' : `${section}.`}${(setting[1] as string).toLowerCase()}`
    const after = rest.slice(setting[0].length).trimStart()
    const value = after.startsWith('=') ? valueOf(after.slice(1)) : after === '' || /^[#;]/.test(after) ? 'true' : null
    if (value === null) return null
    found.set(name, [...(found.get(name) ?? []), value])
  }
  return found
}

/** The last value of a name, which is the one that counts. */
export const lastOf = (config: GitConfig, name: string): string | undefined => config.get(name)?.at(-1)

/** A boolean as git spells it; undefined: not set, or not a boolean. */
export function booleanOf(config: GitConfig, name: string): boolean | undefined {
  const value = lastOf(config, name)?.toLowerCase()
  if (value === undefined) return undefined
  if (['true', 'yes', 'on'].includes(value)) return true
  if (['false', 'no', 'off', ''].includes(value)) return false
  return /^-?\d+$/.test(value) ? Number(value) !== 0 : undefined
}

const HEADER = /^\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\]|\\.)*)")?\]/
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)/

/** Lines, with those that end in a backslash joined to the next. */
function* joined(lines: readonly string[]): Generator<string> {
  let held = ''
  for (const line of lines) {
    const open = line.endsWith('\\') && /(?:^|[^\\])(?:\\\\)*\\$/.test(line)
    held += open ? line.slice(0, -1) : line
    if (open) continue
    yield held
    held = ''
  }
  if (held !== '') yield held
}

function valueOf(text: string): string | null {
  let value = ''
  let kept = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (c === '"') quoted = !quoted
    else if (!quoted && (c === '#' || c === ';')) break
    else if (c === '\\') {
      const escaped = ESCAPES[text[++i] ?? '']
      if (escaped === undefined) return null
      value += escaped
      kept = value.length
      continue
    } else if (quoted || c.trim() !== '') {
      value += c
      kept = value.length
      continue
    } else if (value !== '') value += c
  }
  return quoted ? null : value.slice(0, kept)
}

const ESCAPES: Readonly<Record<string, string>> = table({ n: '\n', t: '\t', b: '\b', '"': '"', '\\': '\\' })
