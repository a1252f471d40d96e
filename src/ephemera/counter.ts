import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'counter',
  why: 'How many others passed, and how far a run had come, is no part of a fault.',
  weight: 'noise',
  placeholder: '<count>',
  find: (text) => PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
} satisfies Ephemeron

const PATTERNS = [
  /(?<![\w.,:$#-]|\b(?:expected|received|got|actual|exactly|least|most|than|equal|be) )(?<it>\d{1,7}) (?:passed|passing|failed|failing|failures?|skipped|pending|todo|total|ignored|measured|filtered out|deselected|x?failed|xpassed|errors?|warnings?|problems?|tests?|suites?|snapshots?|previous errors?|files?|packages?|modules?|vulnerabilities|commits?|ahead|behind)\b/dgi,
  /(?:^|[\s(])(?:#|ℹ)\s(?:tests|suites|pass|fail|cancelled|skipped|todo)\s(?<it>\d{1,7})(?!\S)/dgm,
  /\b(?:not )?ok (?<it>\d{1,7})(?= - )/dg,
  /(?<=^|\s)1\.\.(?<it>\d{1,7})$/dgm,
  /\[ {0,3}(?<it>\d{1,6} ?(?:\/|of) ?\d{1,6})\]/dg,
  /\((?<it>\d{1,6}(?:\/| of )\d{1,6})\)/dg,
  /(?<![\w.])(?<it>\d{1,3}(?:\.\d{1,3})?)%/dg,
  /\b(?:attempt|retry|shard) #?(?<it>\d{1,6}(?: ?(?:\/|of) ?\d{1,6})?)\b/dgi,
  /\b(?:Tests|Test Files|Test Suites|Snapshots)\b[^\n]{0,200}\((?<it>\d{1,7})\)$/dgm,
]
