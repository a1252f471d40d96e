import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'home-directory',
  why: 'A home directory is one person’s on one machine; a successor has another.',
  weight: 'session',
  placeholder: '<home>',
  find: (text) => [...spansOf(text, FOLDER), ...spansOf(text, TILDE)],
} satisfies Ephemeron

/** `o'brien`: an apostrophe within a name is one of its letters. */
const NAME = '(?:[^\\s/\\\\:"\'`<>|;,()\\[\\]{}*?$]|(?<=[A-Za-z])\'(?=[A-Za-z])){1,100}'
const FOLDER = new RegExp(
  `(?:(?<![\\w.~/\\\\$%<>}-])|(?<=(?:^|\\s)-[A-Za-z])|(?<=file:\\/\\/))(?:\\/(?:home|Users)\\/${NAME}|(?:\\/var)?\\/root(?![\\w.-])|[A-Za-z]:[\\\\/]{1,2}(?:Users|Documents and Settings)[\\\\/]{1,2}${NAME}|\\/[a-z]\\/Users\\/${NAME})`,
  'g',
)
const TILDE = /(?<![\w~^@.\/\\$<>}-])~[\w-]{0,32}(?=\/)/g
