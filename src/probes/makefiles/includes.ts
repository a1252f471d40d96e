/** Makefiles that texts include, as far as words and plain variables tell. */
export interface Includes {
  /** From where make works. */
  readonly paths: readonly string[]
  /** false: there are others, which only running tells. */
  readonly isSure: boolean
}

const MOST_DEPTH = 8

/**
 * What these makefiles include, in whatever branch of a condition. A variable is known where it is set once, or always alike; or where
 * the command line sets it (`given`), which counts for more than what a makefile sets.
 */
export function includesOf(texts: readonly string[], given: ReadonlyMap<string, string | null> = new Map()): Includes {
  const values = new Map<string, string | null>(given)
  const wanted: string[] = []
  for (const text of texts)
    for (const line of joined(text)) {
      if (line.startsWith('\t')) continue
      const bare = line.replace(/(^|[^\\])#.*$/, '$1').trim()
      const include = /^(?:-include|sinclude|include)\s+(\S.*)$/.exec(bare)
      if (include !== null) wanted.push(include[1] as string)
      else if (/\$[({](?:eval|call|foreach)\b.*\binclude\b/.test(bare)) wanted.push('$(eval)')
      const set = /^(?:override\s+|export\s+)?([A-Za-z_][\w.-]*)\s*(\+=|\?=|:{0,3}=|!=)\s*(.*)$/.exec(bare)
      if (set === null) continue
      const [, name = '', operator = '', value = ''] = set
      if (given.has(name)) {
        if (/^(?:export\s+)?override\b/.test(bare)) values.set(name, null)
        continue
      }
      const before = values.get(name)
      values.set(name, /^(?:\+=|!=|\?=)$/.test(operator) || (before !== undefined && before !== value) ? null : value)
    }
  const expand = (text: string, depth = 0): string | null => {
    let isKnown = depth < MOST_DEPTH
    const told = text.replace(/\$\$|\$(?:\(([^()]*)\)|\{([^{}]*)\}|(.))/g, (_, round?: string, curly?: string, one?: string) => {
      const value = values.get(round ?? curly ?? one ?? '') ?? null
      const worked = value === null || !isKnown ? null : expand(value, depth + 1)
      isKnown &&= worked !== null
      return worked ?? ''
    })
    return isKnown ? told : null
  }
  const names = wanted.map((words) => expand(words))
  const paths = names.flatMap((words) => (words ?? '').split(/\s+/)).filter((path) => path !== '')
  return { paths: [...new Set(paths.filter((path) => !PATTERN.test(path)))], isSure: names.every((words) => words !== null) && !paths.some((path) => PATTERN.test(path)) }
}

const PATTERN = /[*?[\]~$]/

/** Lines, those that end with a backslash put together. */
function joined(text: string): string[] {
  return text.replaceAll('\r\n', '\n').replace(/\\\n\s*/g, ' ').split('\n')
}
