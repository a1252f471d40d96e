import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'temporary-path',
  why: 'What lies in a temporary folder is gone when a successor looks for it (001).',
  weight: 'session',
  placeholder: '<tmp>',
  find: (text) => spansOf(text, PATTERN).map(({ start, end }) => ({ start, end: end - (/[.:!?]+$/.exec(text.slice(start, end))?.[0].length ?? 0) })),
  replace: (found) => {
    const name = found.split(/[\\/]/).at(-1) ?? ''
    return isChosen(name) ? `<tmp>/${name}` : '<tmp>'
  },
} satisfies Ephemeron

/** An apostrophe within a name is one of its letters. */
const PART = '(?:[^\\s"\'`<>|;,()\\[\\]{}:*?\\\\/]|(?<=[A-Za-z])\'(?=[A-Za-z]))+'
const START = '(?:(?<![\\w.~/\\\\$%<>}-])|(?<=(?:^|\\s)-[A-Za-z])|(?<=file:\\/\\/))'
const FOLDERS = [
  '\\/(?:private\\/)?(?:var\\/)?tmp(?=\\/[^\\s"\'`])',
  '\\/(?:private\\/)?var\\/folders(?=\\/\\w)',
  '\\/dev\\/shm(?=\\/\\w)',
  '\\/run\\/user(?=\\/\\d)',
  '%(?:TEMP|TMP)%(?=[\\\\/])',
  '[A-Za-z]:[\\\\/]{1,2}Users[\\\\/]{1,2}[^\\s\\\\/:"\'`<>|]{1,100}[\\\\/]{1,2}AppData[\\\\/]{1,2}Local[\\\\/]{1,2}Temp',
  '[A-Za-z]:[\\\\/]{1,2}(?:Windows[\\\\/]{1,2})?Te?mp(?=[\\\\/])',
  '\\/[a-z]\\/Users\\/[^\\s/:"\'`<>|]{1,100}\\/AppData\\/Local\\/Temp',
]
const PATTERN = new RegExp(`${START}(?:${FOLDERS.join('|')})(?:[\\\\/]{1,2}${PART})*[\\\\/]?`, 'g')

/** A file name that a program chose, not one made up for a single run. */
const isChosen = (name: string): boolean => /^[A-Za-z]+(?:[._-][A-Za-z]+)*\.[A-Za-z]{1,8}$/.test(name)
