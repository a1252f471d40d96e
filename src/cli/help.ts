import { EXIT, EXIT_BUG, type Fault } from '../base/errors.ts'
import type { Command, Option } from '../command.ts'
import { GLOBAL_OPTIONS, dashed } from './grammar.ts'

/** All help there is, as text: what `-h`, `VERB -h` and `--version` print. Made at build time from the commands. */
export interface Help {
  readonly version: string
  readonly overview: string
  readonly verbs: Readonly<Record<string, string>>
}

export const helpOf = (commands: readonly Command[], version: string): Help => ({
  version,
  overview: overviewOf(commands),
  verbs: Object.fromEntries(commands.map((command) => [command.name, pageOf(command)])),
})

/** What each exit status means; `run` passes on its command's own. */
export const STATUSES: readonly (readonly [number, string])[] = [
  [0, 'yes, or done'],
  [1, 'the answer is no'],
  ...merged({
    misuse: 'misuse of the command line',
    malformed: 'malformed input or record',
    nothing: 'nothing irreducible to keep',
    missing: 'git or a needed program is missing, or the repository format is refused',
    corrupt: 'the store is corrupt or can not be written',
    unwritable: 'the store is corrupt or can not be written',
    refused: 'not approved',
    timeout: 'timed out',
  }),
]

/** The synopsis of a verb, as one would type it. */
export const synopsisOf = (command: Command): string =>
  [
    `git remnant ${command.name}`,
    ...Object.entries(command.options ?? {}).map(([name, option]) => `[${optionOf(name, option)}]${option.many ? '…' : ''}`),
    ...(command.positionals ?? []).map(({ name, required, many }) => bracketed(name.toUpperCase() + (many ? '…' : ''), required ?? false)),
    ...(command.rest === undefined ? [] : [bracketed(`-- ${command.rest}`, (command.positionals ?? []).every(({ required }) => required === true))]),
  ].join(' ')

function overviewOf(commands: readonly Command[]): string {
  const verbs = (kind: Command['kind']): string[] => table(commands.filter((c) => c.kind === kind).map((c) => [c.name, phrase(c.summary)]))
  return lines([
    'usage: git remnant VERB …',
    '',
    'What must survive when a coding-agent session ends, kept in git with its evidence,',
    'and believed only where it still holds.',
    '',
    'verbs',
    ...verbs('porcelain'),
    '',
    'plumbing: JSON values in and out, one a line',
    ...verbs('plumbing'),
    '',
    'options of every verb',
    ...table(rows(GLOBAL_OPTIONS)),
    '',
    'exit statuses',
    ...table(STATUSES.map(([status, meaning]) => [String(status), meaning])),
    '',
    'git remnant VERB -h says more of a verb; git remnant --version names this version.',
  ])
}

function pageOf(command: Command): string {
  const positionals = (command.positionals ?? []).map(({ name, describe }) => [name.toUpperCase(), describe] as const)
  const options = [...positionals, ...rows(command.options ?? {}), ...rows(GLOBAL_OPTIONS)]
  const statuses = Object.entries(command.statuses ?? {})
  return lines([
    ...wrap(`usage: ${synopsisOf(command)}`, '       '),
    '',
    ...wrap(sentence(command.summary)),
    ...(command.details === undefined ? [] : ['', ...paragraphs(command.details).flatMap((paragraph, i) => [...(i > 0 ? [''] : []), ...wrap(paragraph)])]),
    '',
    ...table(options),
    ...(statuses.length === 0 ? [] : ['', 'exit statuses of its own', ...table(statuses)]),
  ])
}

/** The manual page, as roff: `git remnant --help` opens it. */
export function manualOf(commands: readonly Command[], version: string): string {
  const section = (title: string, kind: Command['kind']): string[] => [
    `.SH ${title}`,
    ...commands.filter((command) => command.kind === kind).flatMap(manualEntry),
  ]
  return lines([
    `.TH GIT\\-REMNANT 1 "" "git\\-remnant ${roff(version)}" "Git Manual"`,
    '.ad l',
    '.SH NAME',
    'git\\-remnant \\- what a coding\\-agent session proved, kept in git with its evidence',
    '.SH SYNOPSIS',
    '.B git remnant',
    '.I VERB',
    '.RI [ OPTIONS ]',
    '.SH DESCRIPTION',
    'What must survive when a coding\\-agent session ends, kept in git with its evidence, and believed only where it still holds.',
    ...section('VERBS', 'porcelain'),
    ...section('PLUMBING', 'plumbing'),
    '.SH OPTIONS OF EVERY VERB',
    ...rows(GLOBAL_OPTIONS).flatMap(manualRow),
    '.SH EXIT STATUS',
    ...STATUSES.flatMap(([status, meaning]) => manualRow([String(status), meaning])),
  ])
}

const manualEntry = (command: Command): string[] => [
  `.SS "${roff(synopsisOf(command)).replaceAll('"', '\\(dq')}"`,
  roff(sentence(command.summary)),
  ...paragraphs(command.details ?? '').flatMap((paragraph) => ['.PP', roff(paragraph)]),
  ...(command.positionals ?? []).flatMap(({ name, describe }) => manualRow([name.toUpperCase(), describe])),
  ...rows(command.options ?? {}).flatMap(manualRow),
  ...Object.entries(command.statuses ?? {}).flatMap(([status, meaning]) => manualRow([`exit ${status}`, meaning])),
]

const manualRow = ([term, meaning]: readonly [string, string]): string[] => ['.TP', `.B ${roff(term)}`, roff(meaning)]

/** A text that roff takes as it stands. */
const roff = (text: string): string =>
  text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '\\&...').replaceAll('→', '\\(->').replace(/^(?=[.'])/gm, '\\&')

function merged(meanings: Readonly<Record<Fault, string>>): (readonly [number, string])[] {
  const byStatus = new Map<number, string>([[EXIT_BUG, 'a bug of git-remnant']])
  for (const fault of Object.keys(meanings) as Fault[]) byStatus.set(EXIT[fault], meanings[fault])
  return [...byStatus].sort(([a], [b]) => a - b)
}

const rows = (options: Readonly<Record<string, Option>>): (readonly [string, string])[] =>
  Object.entries(options).map(([name, option]) => [optionOf(name, option), option.describe])

const optionOf = (name: string, option: Option): string => dashed(name) + (option.type === 'boolean' ? '' : ` ${option.value ?? 'VALUE'}`)

const bracketed = (word: string, required: boolean): string => (required ? word : `[${word}]`)

/** In a table, as part of a list; a word in capitals stays one. */
const phrase = (summary: string): string => (/^[A-Z][A-Z]/.test(summary) ? summary : `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`)

const sentence = (summary: string): string => `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`

const paragraphs = (text: string): string[] =>
  text
    .split(/\n\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')

const WIDTH = 88

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(Math.max(...rows.map(([term]) => term.length)), 24)
  return rows.flatMap(([term, meaning]) => {
    const body = wrap(meaning, '', WIDTH - width - 4)
    const margin = ' '.repeat(width + 4)
    const [first = '', ...more] = body
    const head = term.length > width ? [`  ${term}`, `${margin}${first}`] : [`  ${term.padEnd(width)}  ${first}`]
    return [...head, ...more.map((line) => margin + line)]
  })
}

function wrap(text: string, margin = '', width = WIDTH): string[] {
  const wrapped: string[] = []
  for (const word of text.split(' ')) {
    const last = wrapped.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) wrapped[wrapped.length - 1] = `${last} ${word}`
    else wrapped.push(wrapped.length === 0 ? word : margin + word)
  }
  return wrapped
}

const lines = (all: readonly string[]): string => `${all.join('\n')}\n`
