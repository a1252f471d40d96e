const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?[+-]\d\d:\d\d$/

/** A recorded time in UTC (RFC 3339, `…Z`). null: none, or one without a zone, which would depend on where it is read. */
export function utcOf(value: unknown): string | null {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return null
  if (UTC.test(value)) return value
  return ZONED.test(value) ? new Date(value).toISOString() : null
}

/** A time that was recorded as milliseconds since 1970. null: none, or one that no log can be of. */
export const utcOfMilliseconds = (value: unknown): string | null =>
  typeof value === 'number' && value >= 0 && value < 253_402_300_800_000 ? new Date(Math.trunc(value)).toISOString() : null
