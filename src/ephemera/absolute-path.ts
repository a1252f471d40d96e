import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'absolute-path',
  why: 'Where a program is installed differs from machine to machine; which file of it failed does not.',
  weight: 'noise',
  placeholder: '<path>',
  find: (text) => spansOf(text, PATTERN).map(({ start, end }) => ({ start, end: end - (/[.!?]+$/.exec(text.slice(start, end))?.[0].length ?? 0) })),
  replace: (found) => {
    const parts = found.split(/[\\/]+/).filter((part) => part !== '')
    const from = Math.max(parts.lastIndexOf('node_modules'), parts.lastIndexOf('site-packages'), parts.lastIndexOf('dist-packages'))
    return `<path>/${(from === -1 ? parts.slice(-1) : parts.slice(from)).join('/')}`
  },
} satisfies Ephemeron

const PART = '[^\\s"\'`<>|;,()\\[\\]{}:*?\\\\/]+'
const PATTERN = new RegExp(
  `(?:(?<![\\w.~/\\\\$%<>)}\\]@*+-])|(?<=(?:^|\\s)-[A-Za-z])|(?<=file:\\/\\/))(?:\\/${PART}(?:\\/${PART})+|[A-Za-z]:[\\\\/]{1,2}${PART}(?:[\\\\/]{1,2}${PART})*)[\\\\/]?`,
  'g',
)
