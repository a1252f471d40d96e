const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
const ZONED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?[+-]\d\d:\d\d$/

/** A recorded time in UTC (RFC 3339, `…Z`). null: none, or one without a zone, which would depend on where it is read. */
export function utcOf(value: unknown): string | null {
  if (typeof value !== 'string' || Number.isNaN(Date.parse(value))) return null
  if (UTC.test(value)) return value
  return ZONED.test(value) ? new Date(value).toISOString() : null
}
