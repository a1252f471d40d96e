import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'bearer',
  why: 'What stands in an authorization header is all that a stranger needs to act in its owner’s name.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => [
    ...spansOf(text, BEARER).filter(({ start, end }) => isCoded(text.slice(start, end))),
    ...spansOf(text, BASIC).filter(({ start, end }) => holdsPassword(text.slice(start, end))),
    ...spansOf(text, HEADER).filter(({ start, end }) => isCoded(text.slice(start, end))),
  ],
} satisfies Ephemeron

const BEARER = /\bbearer\s{1,3}(?<it>[A-Za-z0-9._~+/=-]{12,4000})/dgi
const BASIC = /\bbasic\s{1,3}(?<it>[A-Za-z0-9+/_-]{6,1000}={0,2})/dgi
const HEADER =
  /\b(?:authorization|x-api-key|x-auth-token|x-access-token|private-token|job-token|api-key)["']?\s{0,3}[:=]\s{0,3}["']?(?:[A-Za-z][A-Za-z0-9-]{0,20}\s{1,3})?(?<it>[A-Za-z0-9._~+/=:-]{8,4000})/dgi

// "Bearer token", "Bearer authentication" are words; a credential has a digit among its letters.
const isCoded = (value: string): boolean => /\d/.test(value) && /[A-Za-z]/.test(value)

const holdsPassword = (value: string): boolean => {
  const plain = Buffer.from(value, 'base64').toString('latin1')
  return /^[\x20-\x7e]+$/.test(plain) && plain.includes(':')
}
