import { describe } from 'vitest'
import redacted from '../../src/ephemera/redacted.ts'
import { REDACTED } from '../../src/model/ephemeron.ts'
import { finds } from './finds.ts'

describe('redacted', () =>
  finds(redacted, [
    [`npm publish --otp ${REDACTED}`, REDACTED],
    [`https://deploy:${REDACTED}@git.example.com/a`, REDACTED],
    ['the text was redacted'],
    ['<secret>'],
  ]))
