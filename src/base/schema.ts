import * as z from 'zod/mini'
import { HEX_64, HEX_OID } from './digest.ts'
import { RemnantError } from './errors.ts'

/**
 * The value as its schema types it, untouched. Throws `malformed` with the path of the first fault in `what`
 * (`claims[3].statement`); the value itself is never in the message.
 */
export function check<T>(schema: z.ZodMiniType<T>, value: unknown, what: string, hint?: string): T {
  const result = schema.safeParse(value)
  if (result.success) return value as T
  throw new RemnantError('malformed', `${what} ${faultIn(result.error.issues[0])}`, hint === undefined ? {} : { hint })
}

function faultIn(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'does not fit its schema'
  const at = issue.path.length === 0 ? '' : ` at "${pathOf(issue.path)}"`
  if (issue.code === 'unrecognized_keys') return `has an unknown field${at}${issue.keys.length > 1 ? ` (${issue.keys.length} of them)` : ''}`
  if (issue.code === 'invalid_type') return `lacks ${article(issue.expected)}${at}`
  if (issue.code === 'custom' && issue.message && issue.message !== 'Invalid input') return `${issue.message}${at}`
  return `has a value that is not allowed${at}`
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`)

/** Names of our own fields; a name that the input chose stays out of sight. */
const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step, i) => (typeof step === 'number' ? `[${step}]` : `${i === 0 ? '' : '.'}${FIELD.test(String(step)) ? String(step) : '…'}`)).join('')

const FIELD = /^[a-z][a-z0-9_]{0,29}$/

/** Well-formed Unicode: a lone surrogate has no UTF-8, so no digest. */
export const Text = z.string().check(z.refine((text) => text.isWellFormed(), 'has text that is not Unicode'))
export const Sha256 = z.string().check(z.regex(HEX_64))
export const ObjectId = z.string().check(z.regex(HEX_OID))
/** RFC 3339 in UTC, with whole seconds or milliseconds. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
export const isTime = (text: string): boolean => UTC.test(text) && !Number.isNaN(Date.parse(text))
export const Time = z.string().check(z.refine(isTime))
export const Integer = z.int()
