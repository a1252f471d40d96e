import type { Ephemeron, Span } from '../model/ephemeron.ts'

export default {
  kind: 'session-id',
  why: 'A session’s own name means nothing once the session has ended.',
  weight: 'session',
  placeholder: '<session>',
  find: (text, { session }) => {
    const spans: Span[] = []
    if (session.length < LEAST_LENGTH) return spans
    for (let at = text.indexOf(session); at !== -1; at = text.indexOf(session, at + session.length)) {
      const end = at + session.length
      if (!/\w/.test(text.charAt(at - 1)) && !/\w/.test(text.charAt(end))) spans.push({ start: at, end })
    }
    return spans
  },
} satisfies Ephemeron

/** Shorter names would be found in ordinary words. */
const LEAST_LENGTH = 6
