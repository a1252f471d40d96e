import { type Options, names, readOptions } from './options.ts'
import type { Term } from './words.ts'

/** A command that only shows what another wrote, or part of it. */
export interface Filter {
  /** What of the other's output is still to be seen. */
  readonly holds: 'end' | 'tip' | 'part' | 'nothing'
  /** Its status is 0 whatever it reads, and it reads to the end. */
  readonly steady: boolean
  /** Where what comes out are not lines as they came in: how many there were, no more than parts of them, or what it is told to write. */
  readonly makes?: 'count' | 'shorter' | 'other'
  /** It shows so many lines of the other's output, its last ones, or all of it if there are no more. */
  readonly lines?: number
}

/** What a filter writes besides its output, and whether it is one at all: with a file to read or to change it is not. */
export function filterIn(argv: readonly Term[]): Filter | null {
  const [program, ...words] = argv
  const kind = program === undefined || program.symbolic ? undefined : KINDS.get(program.value)
  if (kind === undefined) return jsonTool(argv)
  const options = readOptions(words, kind.values, true)
  if (options.unclear || has(options, ...kind.refuses)) return null
  const files = options.rest.filter((term) => term.value !== '-').length
  const operands = has(options, ...kind.instead) ? 0 : kind.operands
  if (files > operands) return null
  const holds = kind.holds(options)
  const lines = (program as Term).value === 'tail' ? linesOf(options) : null
  if (holds === null) return null
  return { holds: (holds === 'end' || holds === 'tip') && words.some((term) => term.symbolic) ? 'part' : holds, steady: kind.steady, ...(lines !== null && { lines }), ...madeBy((program as Term).value, options) }
}

/** Files that a command writes by its own arguments. */
export function outputsOf(argv: readonly Term[]): readonly Term[] {
  const [program, ...words] = argv
  if (program?.value === 'tee') return readOptions(words, NONE, true).rest.filter((term) => term.value !== '-')
  if (program?.value !== 'sort') return []
  return readOptions(words, SORT, true).given.flatMap(([name, value]) => ((name === 'o' || name === 'output') && value !== null ? [value] : []))
}

interface Kind {
  /** Options with a value. */
  readonly values: ReadonlySet<string>
  /** How many operands are no files: a pattern, a program. */
  readonly operands: number
  /** Options that stand in the place of that operand. */
  readonly instead: readonly string[]
  /** Options with which it is more than a filter. */
  readonly refuses: readonly string[]
  readonly steady: boolean
  readonly holds: (options: Options) => Filter['holds'] | null
}

const has = (options: Options, ...wanted: readonly string[]): boolean => options.given.some(([name]) => wanted.includes(name))

const NONE: ReadonlySet<string> = new Set()
const SORT = names('k key t field-separator S buffer-size T temporary-directory o output parallel batch-size files0-from')
const GREP = names(
  [
    'e regexp f file A after-context B before-context C context m max-count d directories D devices include exclude exclude-dir exclude-from',
    'label g glob iglob t type T type-not j threads M max-columns r replace sort sortr E encoding color colors',
  ].join(' '),
)
const NUMBER_LINES = names(
  [
    'b body-numbering d section-delimiter f footer-numbering h header-numbering i line-increment l join-blank-lines',
    'n number-format s number-separator v starting-line-number w number-width',
  ].join(' '),
)
/** Fewer lines than these may cut a tool's closing summary. */
const MIN_LINES = 5
/** So many are enough where the last line decides. */
const MIN_TIP = 2
const MIN_BYTES = 1000

function kind(steady: boolean, holds: Filter['holds'] | Kind['holds'], values = '', more: Partial<Kind> = {}): Kind {
  const given = typeof holds === 'function' ? holds : (): Filter['holds'] => holds
  return { values: names(values), operands: 0, instead: [], refuses: [], steady, holds: given, ...more }
}

function tail({ given }: Options): Filter['holds'] {
  let holds: Filter['holds'] = 'end'
  for (const [name, value] of given) {
    const least = ['n', 'lines', '#'].includes(name) ? MIN_LINES : ['c', 'bytes'].includes(name) ? MIN_BYTES : null
    if (least === null) continue
    const count = /^-?(\d{1,12})$/.exec(value?.value ?? '')?.[1]
    holds = count === undefined ? 'part' : Number(count) >= least ? 'end' : least === MIN_LINES && Number(count) >= MIN_TIP ? 'tip' : 'part'
  }
  return holds
}

/** Of these the lines come out as they went in; a search may show what it found alone. */
const PASSES = names('tail head cat tee sort uniq less more tac grep egrep fgrep rg')

function madeBy(program: string, options: Options): Pick<Filter, 'makes'> {
  if (program === 'wc' || (program.endsWith('grep') && has(options, 'c', 'count'))) return { makes: 'count' }
  if (program === 'cut' || (program === 'tr' && has(options, 'd', 'delete'))) return { makes: 'shorter' }
  return PASSES.has(program) && !has(options, 'o', 'only-matching', 'r', 'replace', 'p', 'passthru') ? {} : { makes: 'other' }
}

/** The number of lines that a `tail` is told to show, by itself; null: it is told something else. */
function linesOf({ given, rest }: Options): number | null {
  if (given.length === 0 && rest.length === 0) return 10
  const [name, value] = given[0] ?? []
  const count = given.length === 1 && rest.length === 0 && ['n', 'lines', '#'].includes(name ?? '') ? /^-?(\d{1,6})$/.exec(value?.value ?? '')?.[1] : undefined
  return count === undefined ? null : Number(count)
}

const grep = (options: Options): Filter['holds'] => (has(options, 'q', 'quiet', 'silent') ? 'nothing' : 'part')
const grepKind = kind(false, grep, '', {
  values: GREP,
  operands: 1,
  instead: ['e', 'f', 'regexp', 'file'],
  refuses: ['r', 'R', 'recursive', 'dereference-recursive'],
})
const ripgrep = { ...grepKind, refuses: ['files', 'pre'] }
const awk = kind(
  false,
  ({ rest }) => (rest.some((term) => /system\s?\(|\|\s?"|getline|>\s?"/.test(term.value)) ? null : 'part'),
  'F field-separator v assign f file',
  { operands: 1, instead: ['f', 'file'], refuses: ['i', 'inplace'] },
)

const jq = kind(
  false,
  (options) => (has(options, 'arg', 'argjson', 'slurpfile', 'rawfile', 'args', 'jsonargs') ? null : 'part'),
  'indent f from-file L',
  { operands: 1, instead: ['f', 'from-file'] },
)

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['tail', kind(true, tail, 'n lines c bytes s sleep-interval pid max-unchanged-stats')],
  ['head', kind(false, 'part', 'n lines c bytes')],
  ['cat', kind(true, 'end')],
  ['tee', kind(true, 'end', '', { operands: Infinity })],
  ['ts', kind(true, 'end', '', { operands: 1 })],
  ['nl', kind(true, 'end', '', { values: NUMBER_LINES })],
  ['grep', grepKind],
  ['egrep', grepKind],
  ['fgrep', grepKind],
  ['rg', ripgrep],
  ['sed', kind(false, 'part', 'e expression f file l line-length', { operands: 1, instead: ['e', 'f', 'expression', 'file'], refuses: ['i', 'in-place'] })],
  ['awk', awk],
  ['gawk', awk],
  ['mawk', awk],
  ['sort', kind(true, (options) => (has(options, 'o', 'output') ? 'nothing' : 'part'), '', { values: SORT })],
  ['uniq', kind(true, 'part', 'f skip-fields s skip-chars w check-chars')],
  ['wc', kind(true, 'part')],
  ['cut', kind(true, 'part', 'b bytes c characters d delimiter f fields output-delimiter')],
  ['tr', kind(true, 'part', '', { operands: 2 })],
  ['less', kind(false, 'part')],
  ['more', kind(false, 'part')],
  ['column', kind(true, 'part', 's separator o output-separator c output-width N table-columns')],
  ['fold', kind(true, 'part', 'w width')],
  ['jq', jq],
  ['xxd', kind(true, 'part', 'c cols g groupsize l len s seek o')],
  ['strings', kind(true, 'part', 'n bytes t radix e encoding')],
  ['rev', kind(true, 'part')],
  ['tac', kind(true, 'part')],
])

/** `python3 -m json.tool` without a file. */
function jsonTool(argv: readonly Term[]): Filter | null {
  const [program, flag, module, ...rest] = argv.map((term) => term.value)
  if ((program !== 'python3' && program !== 'python') || flag !== '-m' || module !== 'json.tool') return null
  return rest.every((word) => word.startsWith('--')) ? { holds: 'part', steady: false, makes: 'other' } : null
}
