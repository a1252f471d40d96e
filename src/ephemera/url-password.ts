import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'url-password',
  why: 'A URL with user and password in it is a key with its address.',
  weight: 'secret',
  placeholder: '<secret>',
  find: (text) => [
    ...spansOf(text, USER_AND_PASSWORD).filter(({ start, end }) => isWrittenOut(text.slice(text.indexOf(':', start) + 1, end))),
    ...spansOf(text, WEB_USER),
    ...spansOf(text, LONG_USER).filter(({ start, end }) => /\d/.test(text.slice(start, end))),
  ],
} satisfies Ephemeron

// A path that was made tidy has one slash of the two.
const USER_AND_PASSWORD = /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{1,30}:\/\/?(?<it>[^\s/:@"'`<>]{0,200}:[^\s/@"'`<>]{1,400})@/dgi
const LONG_USER = /(?<![A-Za-z0-9])[a-z][a-z0-9+.-]{0,30}:\/\/(?<it>[A-Za-z0-9_-]{20,400})@/dgi

/** A web address has little use for a user alone: what is too long for a name is a token. */
const WEB_USER = /(?<![A-Za-z0-9])https?:\/\/(?<it>[^\s/:@"'`<>$]{10,200})@/dgi

const isWrittenOut = (password: string): boolean => !/^(?:[$<{%[].*|\*+|x+|\.+)$/i.test(password)
