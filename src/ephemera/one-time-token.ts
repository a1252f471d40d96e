import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'one-time-token',
  why: 'A one-time code has been used up; the next run needs another (001).',
  weight: 'session',
  placeholder: '<otp>',
  find: (text) => [...spansOf(text, OPTION), ...spansOf(text, NAMED)],
} satisfies Ephemeron

const OPTION = /(?<![\w-])--?(?:otp|totp|mfa|2fa|mfa-code|otp-code|token-code)(?:=|\s{1,3})["']?(?<it>\d{4,10}|[A-Za-z]*\d[\w-]{3,40})/dgi
const NAMED =
  /\b(?:otp|totp|one[- ]time (?:password|pass ?code|code|token|pin)|(?:verification|security|confirmation|authentication|authenticator|login|2fa|mfa|sms|device|user|pairing) (?:code|pin)|passcode|(?<!\b(?:exit|status|error|return|response|status|reason|http|op|char|key|country|zip|area|source) )code)["']?(?:\s{0,2}(?:is|was|[:=])\s{0,2}|\s{1,2})["'`]?(?<it>\d{6}(?:\d{2})?|[A-Z0-9]{4}-[A-Z0-9]{4})(?![\w-])/dgi
