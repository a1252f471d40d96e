import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'uuid',
  why: 'A UUID names one thing of one run; a successor that reuses it finds nothing, or the wrong thing (001).',
  weight: 'session',
  placeholder: '<uuid>',
  find: (text) => spansOf(text, /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/gi),
} satisfies Ephemeron
