import type { Json } from './canonical.ts'

/** A JSON object of unknown shape; a field that is not there reads as undefined. */
export type JsonObject = { readonly [name: string]: Json | undefined }

/** The value's fields to read from; anything but an object has none. */
export const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : NOTHING

export const listOf = (value: unknown): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** A text, well-formed (a lone surrogate becomes U+FFFD); null for anything else. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' ? value.toWellFormed() : null)

/** A text that says something: an empty one counts as none. */
export const wordOf = (value: unknown): string | null => textOf(value) || null

const NOTHING: JsonObject = Object.freeze({})
