import { type Values, expanded, joined, valuesIn, withoutComment } from './variables.ts'

/** Makefiles that texts include, as far as words and plain variables tell. */
export interface Includes {
  /** From where make works. */
  readonly paths: readonly string[]
  /** false: there are others, which only running tells. */
  readonly isSure: boolean
}

/** What these makefiles include, in whatever branch of a condition. `given`: variables that the command line sets. */
export function includesOf(texts: readonly string[], given: Values = new Map()): Includes {
  const wanted: string[] = []
  for (const text of texts)
    for (const line of joined(text)) {
      if (line.startsWith('\t')) continue
      const bare = withoutComment(line)
      const include = /^(?:-include|sinclude|include)\s+(\S.*)$/.exec(bare)
      if (include !== null) wanted.push(include[1] as string)
      else if (/\$[({](?:eval|call|foreach)\b.*\binclude\b/.test(bare)) wanted.push('$(eval)')
    }
  const values = valuesIn(texts, given)
  const names = wanted.map((words) => expanded(words, values))
  const paths = names.flatMap((words) => (words ?? '').split(/\s+/)).filter((path) => path !== '')
  return { paths: [...new Set(paths.filter((path) => !PATTERN.test(path)))], isSure: names.every((words) => words !== null) && !paths.some((path) => PATTERN.test(path)) }
}

const PATTERN = /[*?[\]~$]/
