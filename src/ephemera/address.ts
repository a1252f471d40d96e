import { type Ephemeron, spansOf } from '../model/ephemeron.ts'

export default {
  kind: 'address',
  why: 'Addresses in memory differ from run to run.',
  weight: 'noise',
  placeholder: '<address>',
  find: (text) => [...spansOf(text, ADDRESS).filter(({ start, end }) => !isStatus(text.slice(start, end))), ...spansOf(text, OFFSET)],
} satisfies Ephemeron

const ADDRESS = /(?<!\b(?:code|error|status|errno|hresult|exit|exception)[ :=(]{1,3})(?<![\w])0x[0-9a-f]{6,16}(?!\w)/gi
const OFFSET = /(?<=\s)\+0x[0-9a-f]{1,8}(?!\w)/gi

/** Windows' statuses (`0x80070005`, `0xC0000005`) look like addresses, and are error codes. */
const isStatus = (text: string): boolean => /^0x(?:8|c0)[0-9a-f]{6,7}$/i.test(text) && text.length === 10
