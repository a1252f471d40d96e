import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'duration',
  why: 'How long something took is never the same twice.',
  weight: 'noise',
  placeholder: '<duration>',
  find: (text) => [...spansOf(text, AMOUNT), ...spansOf(text, NAMED)],
} satisfies Ephemeron

const NUMBER = '\\d{1,12}(?:[.,]\\d{1,12})?'
// A limit that was set ("timeout of 5000ms") is part of the message.
const AMOUNT = new RegExp(
  `(?<![\\w.,:-]|timeout (?:of )?)(?:${NUMBER}(?:h|m) ?(?:${NUMBER}m ?)?${NUMBER}m?s|${NUMBER}(?:ms|µs|μs|us|ns|s|m|h)|${NUMBER} (?:ms|µs|μs|ns|s|secs?|seconds?|mins?|minutes?|hrs?|hours?|milliseconds?|microseconds?))(?![\\w/-])`,
  'g',
)
const NAMED = new RegExp(`\\b(?:duration(?:_ms)?|elapsed|took|real|user|sys)["']?[ \\t:=]{1,6}(?<it>${NUMBER})(?![\\w.])`, 'dg')
