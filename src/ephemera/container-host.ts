import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'container-host',
  why: 'A container’s or pod’s name is made up at its start and never comes back.',
  weight: 'session',
  placeholder: '<container>',
  find: (text) => [
    ...PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
    ...spansOf(text, DASHED).filter(({ start, end }) => isPod(text.slice(start, end))),
  ],
} satisfies Ephemeron

// Twelve hex digits alone may be an abbreviated commit: only where a host or container is named.
const ID = '(?<it>[0-9a-f]{64}|[0-9a-f]{12})(?![0-9a-z])'
const PATTERNS = [
  new RegExp(`[\\w-]{1,40}@${ID}`, 'dg'),
  new RegExp(`\\b(?:hostname|host|container(?:[ _-]id)?)["']?(?:\\s{0,2}[:=]\\s{0,2}|\\s{1,2})["'\`]?${ID}`, 'dgi'),
  new RegExp(`\\b(?:docker|podman|nerdctl)\\s[^\\n|;&]{0,120}?\\b(?:exec|logs|start|stop|restart|rm|kill|cp|inspect|attach|wait|top|port|stats|commit|pause)\\s[^\\n|;&]{0,200}?(?<![\\w:@/.])${ID}`, 'dg'),
  /(?<![\w.-])(?<it>ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3})(?![\w-])/dg,
]

const DASHED = /(?<![\w./-])[a-z][a-z0-9]{0,62}(?:-[a-z0-9]{1,63}){2,12}(?![\w-])/g

/** `NAME-HASH-HASH`: a replica set's hash, then a pod's five characters. */
function isPod(name: string): boolean {
  const [set = '', pod = ''] = name.split('-').slice(-2)
  return /^[a-z0-9]{8,10}$/.test(set) && pod.length === 5 && /\d/.test(set) && (set.match(/\d[a-z]|[a-z]\d/g) ?? []).length >= 2
}
