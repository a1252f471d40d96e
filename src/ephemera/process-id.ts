import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'process-id',
  why: 'A process ends with its session, and its number goes to another.',
  weight: 'session',
  placeholder: '<pid>',
  find: (text) => PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
} satisfies Ephemeron

const PATTERNS = [
  /\b(?:p?pid|tgid|process[ _-]?id)s?["']?\s{0,2}[:=#(]?\s{0,2}["']?(?<it>\d{1,7})\b(?!\.\d)/dgi,
  /\bprocess\s{0,2}[:=#(]\s{0,2}(?<it>\d{2,7})\b/dgi,
  /\bprocess (?<it>\d{2,7}) (?:exited|killed|terminated|died|crashed|finished|started|stopped|was|is|has|does|did|not)\b/dgi,
  /\((?:node|bun|deno|python\d?):(?<it>\d{1,7})\)/dg,
  /==(?<it>\d{2,7})==/dg,
  /\[(?<it>\d{2,7}):0x[0-9a-f]{4,}\]/dg,
  /(?<=[A-Za-z)])\[(?<it>\d{2,7})\](?=:\s)/dg,
  /^\s{0,8}\[(?<it>\d{3,7})\](?=\s)/dgm,
  /^\[\d{1,3}\][+-]?\s{1,4}(?<it>\d{3,7})(?=\s|$)/dgm,
  /\bkill(?:\s{1,3}-[\w-]{1,12}(?:\s{1,3}[A-Z]{3,8})?)?\s{1,3}(?<it>\d{2,7})\b/dg,
  /\/proc\/(?<it>\d{1,7})(?![\w.])/dg,
]
