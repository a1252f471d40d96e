/** What a command was given, without its program: words in their order, and options by name as typed (`--dry-run`, `-n`). */
export interface Arguments {
  /** What is neither an option nor an option's value. */
  readonly words: readonly string[]
  /** All values of these options, in the order in which they were typed; of a flag an empty text. */
  all(...names: readonly string[]): readonly string[]
  /** The last value of these options; null: none was given. */
  value(...names: readonly string[]): string | null
  /** One of these options is given, and none of them switched off (`--x=false`). */
  has(...names: readonly string[]): boolean
}

/**
 * Reads arguments as most programs do: `--name VALUE`, `--name=VALUE`, `-nVALUE`, `-abc`, and only words behind `--`.
 * `values`: the options that take a value. `style` `whole`: a single dash begins a whole name too (`-auto-approve`).
 */
export function readArguments(args: readonly string[], values: ReadonlySet<string>, style: 'letters' | 'whole' = 'letters'): Arguments {
  const words: string[] = []
  const given: (readonly [string, string])[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string
    if (arg === '--') {
      words.push(...args.slice(i + 1))
      break
    }
    if (!/^-./.test(arg)) words.push(arg)
    else if (arg.startsWith('--') || style === 'whole') {
      const [name, value] = arg.includes('=') ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg, null]
      given.push([name, value ?? (values.has(name) ? (args[++i] ?? '') : '')])
    } else
      for (let at = 1; at < arg.length; at++) {
        const name = `-${arg[at]}`
        if (!values.has(name)) {
          given.push([name, ''])
          continue
        }
        given.push([name, at + 1 < arg.length ? arg.slice(at + 1).replace(/^=/, '') : (args[++i] ?? '')])
        break
      }
  }
  const all = (...names: readonly string[]): readonly string[] => given.flatMap(([name, value]) => (names.includes(name) ? [value] : []))
  return {
    words,
    all,
    value: (...names) => all(...names).at(-1) ?? null,
    has: (...names) => all(...names).length > 0 && !all(...names).some((value) => /^(?:false|no|none|0)$/i.test(value)),
  }
}

/** Names of options from a text, parted by white space. */
export const optionNames = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))
