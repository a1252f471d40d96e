import type { Ephemeron, Span } from '../model/ephemeron.ts'

export default {
  kind: 'private-key',
  why: 'A private key is one also where a log put a prefix before each of its lines, or cut off its end.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => {
    const spans: Span[] = []
    let from = 0
    for (const begin of text.matchAll(/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g)) {
      if (begin.index < from) continue
      const body = begin.index + begin[0].length
      END.lastIndex = body
      const end = END.exec(text)
      from = end === null ? text.length : END.lastIndex
      if (/[A-Za-z0-9+/]{16}/.test(text.slice(body, end?.index))) spans.push({ start: begin.index, end: from })
      if (end === null) break
    }
    return spans
  },
} satisfies Ephemeron

const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
