/** A stretch of a text, in UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a session knows of itself that a text could carry: none of it may outlive the session. */
export interface SessionWorld {
  readonly session: string
  /** Absolute folder of the session's repository, where the log names one. */
  readonly root: string | null
}

/**
 * One thing that does not last.
 * `secret`: never stored; replaced in signatures, elsewhere a reason to purge (stage 7) ·
 * `session`: stripped from signatures, in any other field a reason to purge (stage 4) ·
 * `noise`: stripped from signatures only (line numbers, durations, addresses); elsewhere it is content.
 */
export interface Ephemeron {
  readonly kind: string
  readonly why: string
  readonly weight: 'secret' | 'session' | 'noise'
  /** What takes its place in a signature (`<uuid>`). Empty: it only hides other things, and is removed before they are looked for. */
  readonly placeholder: string
  /** Where it stands in a text of at most some thousand characters; linear in the text's length. */
  find(text: string, session: SessionWorld): readonly Span[] | Promise<readonly Span[]>
  /** What takes the place of this very text, where the placeholder alone would make different things equal. */
  replace?(found: string): string
}

/** What stands for a secret in the lines that are kept of a session: a plain word of any shell, and a secret again for whoever reads it. */
export const REDACTED = '_redacted_secret_'

/** Where a global pattern stands in a text: its group `it` (which needs the flag `d`), else the whole match. */
export function spansOf(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [start, end] = match.indices?.groups?.['it'] ?? [match.index, match.index + match[0].length]
    return { start, end }
  })
}
