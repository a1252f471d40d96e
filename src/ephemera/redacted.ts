import { type Ephemeron, REDACTED, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'redacted',
  why: 'What stands for a secret in a kept line tells of one: a claim that held it would be about something else.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => spansOf(text, new RegExp(REDACTED, 'g')),
} satisfies Ephemeron
