import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { home } from '../process.mjs'
import { share } from '../table.mjs'

/**
 * Precision and recall on real logs, where there are some: at ../shared/corpus, or where LOG_CORPUS says. Their labels lie beside
 * this file in `labels/*.json` (the format stands in README.md), and name a log by its path in the corpus. Labels that no second
 * reader has seen are left out, unless LABELS=all; LABELS=NAME takes those alone whose file name begins so.
 */
export async function corpus(distil) {
  const folder = resolve(home, process.env.LOG_CORPUS || '../shared/corpus')
  const all = labelsIn(join(home, 'bench', 'truth', 'labels'))
  const asked = process.env.LABELS ?? ''
  const labels = all.filter(({ name, reviewed }) => (asked === '' ? reviewed : asked === 'all' || name.startsWith(asked)))
  if (!existsSync(folder)) return { note: `corpus: no logs at ${relative(home, folder)}; LOG_CORPUS names another folder`, rows: [] }
  if (labels.length === 0) {
    const unread = all.length === 0 ? '' : ` that a second reader has seen (LABELS=all takes the others: ${all.length})`
    return { note: `corpus: logs at ${relative(home, folder)}, and no labels for them in bench/truth/labels${unread}`, rows: [] }
  }
  const counts = new Map()
  const count = (kind, field) => {
    const known = counts.get(kind) ?? { right: 0, wrong: 0, found: 0, due: 0 }
    counts.set(kind, { ...known, [field]: known[field] + 1 })
  }
  let missing = 0
  for (const { log, claims: due, never } of labels) {
    const path = join(folder, log)
    if (!existsSync(path)) {
      missing += 1
      continue
    }
    const { claims } = await distil(path).catch((thrown) => {
      console.log(`${log}: can't be distilled: ${thrown instanceof Error ? thrown.message : thrown}`)
      return { claims: [] }
    })
    const isDue = (told) => due.some((label) => matches(label, told))
    const isNever = (told) => never.some((label) => matches(label, told, false))
    for (const told of claims) {
      const right = isDue(told) && !isNever(told)
      count(told.kind, right ? 'right' : 'wrong')
      if (!right) console.log(`${log}: wrong: ${told.kind} of record ${told.record}`)
    }
    for (const label of due.filter(({ optional }) => optional !== true)) {
      count(label.kind, 'due')
      if (claims.some((told) => matches(label, told))) count(label.kind, 'found')
      else console.log(`${log}: missed: ${label.kind} of record ${label.record ?? label.records?.join(' or ')}`)
    }
  }
  return { note: `corpus: ${labels.length - missing} labelled logs at ${relative(home, folder)}${labels.some(({ reviewed }) => !reviewed) ? ', not all of them reviewed' : ''}${missing > 0 ? `; ${missing} that are labelled are not there` : ''}`, rows: [...counts].flatMap(([kind, one]) => rowsOf(kind, one)) }
}

/**
 * A label is of a record, or of any of several that could be the receipt, and of a kind; a command line where the record has several,
 * of what is due with its folder or without. Of the several commands of one call the second and later have its id and a number; a label has the host's id.
 */
const matches = ({ kind, record, records = [record], command }, told, isDue = true) => {
  const lines = isDue ? [told.line, told.line.replace(/ in \S+$/, '')] : [told.line]
  return told.kind === kind && records.includes(told.record.replace(/\/\d{1,3}$/, '')) && (command === undefined || lines.some((line) => line.endsWith(command)))
}

function rowsOf(kind, { right, wrong, found, due }) {
  const name = `corpus, ${kind.replaceAll('_', ' ')}`
  return [share(`${name}: precision`, right, right + wrong, 0.98), share(`${name}: recall`, found, due, 0.85)]
}

function labelsIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const label = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      if (typeof label.log !== 'string' || !Array.isArray(label.claims) || !Array.isArray(label.never) || typeof label.reviewed !== 'boolean') throw new Error(`bench/truth/labels/${name} is no label; README.md says what it holds`)
      return { ...label, name }
    })
}
