const MOST_DEPTH = 8

/** Values of variables: null: only running tells. */
export type Values = ReadonlyMap<string, string | null>

/**
 * The variables that makefiles set, in whatever branch of a condition. One is known where it is set once, or always alike; or where the
 * command line sets it (`given`), which counts for more than what a makefile sets.
 */
export function valuesIn(texts: readonly string[], given: Values = new Map()): Values {
  const values = new Map<string, string | null>(given)
  for (const text of texts)
    for (const line of joined(text)) {
      if (line.startsWith('\t')) continue
      const bare = withoutComment(line)
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
  return values
}

/** A text with plain variables worked out; null: only running tells. */
export function expanded(text: string, values: Values, depth = 0): string | null {
  let isKnown = depth < MOST_DEPTH
  const told = text.replace(/\$\$|\$(?:\(([^()]*)\)|\{([^{}]*)\}|(.))/g, (_, round?: string, curly?: string, one?: string) => {
    const value = values.get(round ?? curly ?? one ?? '') ?? null
    const worked = value === null || !isKnown ? null : expanded(value, values, depth + 1)
    isKnown &&= worked !== null
    return worked ?? ''
  })
  return isKnown ? told : null
}

/** Lines, those that end with a backslash put together. */
export const joined = (text: string): string[] => text.replaceAll('\r\n', '\n').replace(/\\\n\s*/g, ' ').split('\n')

export const withoutComment = (line: string): string => line.replace(/(^|[^\\])#.*$/, '$1').trim()
