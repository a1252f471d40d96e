import { joinPath } from '../../model/key.ts'
import { type Values, expanded, joined, valuesIn } from './variables.ts'

/** A make: where it works, from the top, and what says which makefiles it reads. */
export interface Make {
  readonly folder: string
  readonly files: readonly string[]
  readonly searched: readonly string[]
  /** Read before all others; null: the environment says. */
  readonly first: string | null
  /** Variables that the command line sets; null: to what only running tells. */
  readonly given: Values
}

export interface Started {
  readonly makes: readonly Make[]
  /** false: there may be others, which only running tells. */
  readonly isSure: boolean
}

/** What only running tells, in a line of which the rest is known; a make, in one; a dollar that make leaves to the shell; the name of a target. */
const [UNKNOWN, MAKE, DOLLAR, TARGET] = ['\u0000', '\u0001', '\u0002', '\u0003']
const MARK = /[\0-\x03]/
const PLAIN_MAKE = /(?<![\w.$/-])(?:[\w./]+\/)?g?make(?![\w./-])/g

/**
 * The makes that recipes of these makefiles start by `$(MAKE)` or by name, with `-C` or behind `cd` (which counts for all that follows in its
 * line, and for none of it). A make within a make has the variables that the words of the outer one set.
 */
export function startedBy(texts: readonly string[], outer: Make): Started {
  const lines = texts.flatMap(joined).filter((line) => /\$[({]MAKE[)}]|(?<![\w.$/-])(?:[\w./]+\/)?g?make(?![\w./-])/.test(line) && !/^\s*#/.test(line))
  if (lines.length === 0) return { makes: [], isSure: true }
  const values = valuesIn(texts, outer.given)
  let isSure = !texts.some((text) => /^\.ONESHELL\b/m.test(text))
  const makes: Make[] = []
  for (const line of new Set(lines)) {
    let folders = [outer.folder]
    for (const segment of plain(line, values).split(/[;&|()`\n<>]+/)) {
      const words = segment.replace(/['"]/g, '').split(/\s+/).filter((word) => word !== '')
      const [first = '', to] = words[0] === undefined || !OPENS.test(words[0]) ? words : words.slice(1)
      if (/^[@+-]*(?:cd|pushd)$/.test(first)) {
        const next = to === undefined || /[\0-\x03~]/.test(to) ? null : folders.map((folder) => entered(folder, to))
        isSure &&= next !== null
        folders = [...new Set([...folders, ...(next ?? [])])]
        continue
      }
      const at = words.findIndex((word) => word.includes(MAKE))
      if (at === -1) continue
      for (const folder of folders) {
        const make = makeOf(words.slice(at + 1), folder, outer)
        if (make === null || words.slice(0, at).some((word) => /^(?:MAKE\w*|GNUMAKEFLAGS)=/.test(word))) isSure = false
        else makes.push(make)
      }
    }
  }
  return { makes, isSure }
}

const OPENS = /^[@+-]*(?:then|do|else|\{|!|if|while|exec|time)$/

/** A line as a shell would get it, as far as that is known. */
function plain(line: string, values: Values): string {
  let text = line.replace(/\$[({]MAKE[)}]/g, MAKE).replaceAll('$$', DOLLAR).replace(/\$[({]CURDIR[)}]/g, '.').replace(/\$(?:[@*<]|[({](?:[@*<][DF]?|MAKECMDGOALS)[)}])/g, TARGET).replace(PLAIN_MAKE, MAKE)
  for (let i = 0; i < 20 && text.includes('$'); i++)
    text = text.replace(/\$(?:\(([^()$]*)\)|\{([^{}$]*)\}|([^({]))/g, (_, round?: string, curly?: string, one?: string) => {
      const value = values.get(round ?? curly ?? one ?? '') ?? null
      return value === null ? UNKNOWN : (expanded(value.replace(/\$[({]MAKE[)}]/g, MAKE), values) ?? UNKNOWN)
    })
  return text.replace(/\x02(?:\w+|\{[^}]*\}|\([^)]*\))?|\$/g, UNKNOWN)
}

/** The make of these words; null: only running tells what it reads. */
function makeOf(words: readonly string[], from: string, outer: Make): Make | null {
  let folder = from
  const files: string[] = []
  const searched = [...outer.searched]
  const given = new Map(outer.given)
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string
    const [, short, long, value = ''] = /^-(?:[BdikmnpqrRsStvw]*([CfI])|-(directory|file|makefile|include-dir)(?==|$))=?(.*)$/s.exec(word) ?? []
    const [, name, operator = '', text = ''] = /^([A-Za-z_][\w.-]*)([:?+!]{0,3}=)(.*)$/s.exec(word) ?? []
    if (short !== undefined || long !== undefined) {
      const what = value === '' ? (words[++i] ?? UNKNOWN) : value
      if (/[\0-\x03*?~]/.test(what)) return null
      if (short === 'C' || long === 'directory') folder = entered(folder, what)
      else if (short === 'I' || long === 'include-dir') searched.push(what)
      else files.push(what)
    } else if (name !== undefined) {
      if (/^MAKE\w*$/.test(name)) return null
      given.set(name, /^:{0,3}=$/.test(operator) && !MARK.test(text) ? text : null)
    } else if (/^-[a-zA-Z]*[eE]|^--e/.test(word) && !/^-[jloW]/.test(word)) return null
    // The name of a target is a goal; what else is unknown may be an option.
    else if (MARK.test(word) && !/^[^\0-\x02-][^\0-\x02]*$/.test(word)) return null
  }
  return { folder, files, searched, first: outer.first, given }
}

/** A folder from another; one that leads out stays as it is said. */
function entered(folder: string, to: string): string {
  if (to.startsWith('/')) return to
  return (folder.startsWith('/') || folder.startsWith('..') ? null : joinPath(folder, to)) ?? `${folder}/${to}`
}
