import type { ShellCommand, ShellReading } from '../model/shell.ts'
import { isShortened } from './shortened.ts'

/** What a text printed between two of its own headings, and the commands that ran there. */
export interface Section {
  readonly commands: readonly ShellCommand[]
  readonly text: string
}

/**
 * The sections that a text itself marks in its output, as `echo "=== tests ==="` between two statements does. Only headings that are
 * printed for certain count, and only if their lines stand in the output as often as the text prints them, in its order: then no
 * other command has printed one. null: there are none.
 */
export function sectionsOf(reading: ShellReading, output: string): readonly Section[] | null {
  if (isShortened(output) || reading.commands.some(({ behind, stage }) => behind === true || stage === undefined)) return null
  const headings = reading.commands.flatMap((command) => {
    const line = headingOf(command, reading)
    return line === null ? [] : [{ command, line, stage: command.stage as number }]
  })
  const lines = output.split('\n')
  const sections: Section[] = []
  let from = 0
  let stage = -1
  const close = (until: number, line: number): void => {
    const commands = reading.commands.filter((one) => one.stage !== undefined && one.stage > stage && one.stage < until)
    if (commands.length > 0) sections.push({ commands, text: lines.slice(from, line).join('\n') })
  }
  for (const heading of headings) {
    const same = headings.filter(({ line }) => line === heading.line)
    const places = lines.flatMap((line, i) => (headed(line) === heading.line ? [i] : []))
    // Some other command printed it too, or it stands where no line of its own does: it tells nothing.
    if (places.length !== same.length) continue
    const place = places[same.indexOf(heading)] as number
    if (place < from) return null
    close(heading.stage, place)
    from = place + 1
    stage = heading.stage
  }
  if (stage === -1) return null
  close(Infinity, lines.length)
  return sections
}

/** The line that stands for itself, printed by a statement of its own; null: it prints none, or nobody can say which. */
function headingOf(command: ShellCommand, { commands }: ShellReading): string | null {
  const { command: { argv, where, privilege }, stage, symbolic, shows, writes } = command
  if (argv[0] !== 'echo' || stage === undefined || symbolic || shows !== 'all' || writes !== undefined || where !== 'here' || privilege !== 'user') return null
  if (commands.some((other) => other !== command && other.stage === stage)) return null
  const words = argv[1] === '-e' ? argv.slice(2) : argv.slice(1)
  if (/^-[neE]+$/.test(words[0] ?? '')) return null
  const line = headed(words.join(' '))
  return line !== '' && !/[\\\n\r\t]/.test(line) ? line : null
}

/** Some shells break a line at `\n` without being asked to, and some print it. */
const headed = (line: string): string => line.trim().replace(/^(?:\\n|\n)+|(?:\\n|\n)+$/g, '').trim()
