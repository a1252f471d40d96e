import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'time',
  why: 'A time says when something was seen, not what holds (001, boundary 1).',
  weight: 'session',
  placeholder: '<time>',
  find: (text) => PATTERNS.flatMap((pattern) => spansOf(text, pattern)),
} satisfies Ephemeron

const DATE = '(?:19|20)\\d\\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])'
const CLOCK = '(?:[01]?\\d|2[0-3])[:_-][0-5]\\d(?:[:_-][0-5]\\d(?:[.,_]\\d{1,9})?)?'
const ZONE = '(?:\\s?(?:Z|UTC|GMT)\\b|\\s?[+-]\\d\\d:?\\d\\d\\b)?'
const MONTH = '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const WEEKDAY = '(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\\s{1,2})?'
// A dated tool chain or interface (`nightly-2026-06-01`, `version: 2026-06-01`, `(82e1608df 2026-06-01)`) is a version, which lasts.
const NO_VERSION = '(?<!\\d|(?:nightly|beta|stable|weekly|version)["\']?\\s?[-:=]?\\s?["\']?|\\([0-9a-f]{7,12} )'

const PATTERNS = [
  new RegExp(`${NO_VERSION}${DATE}(?:[T _]${CLOCK}${ZONE})?(?![\\w-])`, 'g'),
  new RegExp(`${NO_VERSION}${DATE}[T _]${CLOCK}`, 'g'),
  new RegExp(`${NO_VERSION}${DATE}(?=[_-][a-z]|[T_]\\D)`, 'gi'),
  /(?<![\w.])(?:19|20)\d{6}[-_T]\d{6}Z?(?!\w)/g,
  new RegExp(`\\b${WEEKDAY}${MONTH}\\.?\\s{1,2}\\d{1,2}(?:,?\\s{1,2}(?:19|20)\\d\\d)?,?\\s{1,2}(?:at\\s)?\\d{1,2}:\\d\\d(?::\\d\\d)?(?:\\s[A-Z]{3,4})?(?:\\s(?:19|20)\\d\\d)?${ZONE}`, 'g'),
  new RegExp(`\\b${WEEKDAY}${MONTH}\\.?\\s\\d{1,2}(?:st|nd|rd|th)?,?\\s(?:19|20)\\d\\d\\b`, 'g'),
  new RegExp(`\\b${WEEKDAY}\\d{1,2}(?:st|nd|rd|th)?[\\s-]${MONTH},?[\\s-](?:19|20)\\d\\d(?:\\s\\d{1,2}:\\d\\d(?::\\d\\d)?)?${ZONE}`, 'g'),
  new RegExp(`\\b\\d{1,2}/${MONTH}/(?:19|20)\\d\\d(?::\\d\\d:\\d\\d:\\d\\d)?${ZONE}`, 'g'),
  /(?<![\w.\/-])(?:\d{1,2}\/\d{1,2}\/(?:19|20)\d\d|(?:19|20)\d\d\/\d{2}\/\d{2}|\d{1,2}\.\d{1,2}\.(?:19|20)\d\d)(?![\w\/.-]\w)(?:,?\s\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?[AP]M)?)?/g,
  /(?<![\w:.]|--time[= ])(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?:[.,]\d{1,9})?(?![\w:])(?:\s?[AP]M\b|Z\b)?/g,
  /(?<![\w:.])(?:[01]?\d|2[0-3]):[0-5]\d\s?(?:[ap]m|UTC|GMT|CES?T|[EP][SD]T)\b/gi,
  /(?<![\w.=-])1[5-9]\d{8}(?:\d{3}|\.\d{1,9})?(?![\w.-])/g,
]
