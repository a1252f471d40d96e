import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'ansi',
  why: 'Colours, cursor movements and invisible characters depend on the terminal and hide what stands between them.',
  weight: 'noise',
  placeholder: '',
  find: (text) => spansOf(text, INVISIBLE),
} satisfies Ephemeron

const INVISIBLE =
  /(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c\n]{0,2000}(?:\x07|\x1b\\|\x9c)?|\x1b[PX^_][^\x1b\n]{0,2000}(?:\x1b\\)?|\x1b[ -/]{0,8}[0-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g
