import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'digest',
  why: 'A whole commit id or digest names one state of the content; the fault is the same in the next.',
  weight: 'noise',
  placeholder: '<digest>',
  find: (text) => spansOf(text, /(?<![0-9A-Za-z])(?:[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9A-Za-z])/g),
} satisfies Ephemeron
