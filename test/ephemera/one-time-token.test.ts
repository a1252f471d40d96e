import { describe } from 'vitest'
import oneTimeToken from '../../src/ephemera/one-time-token.ts'
import { finds } from './finds.ts'

describe('one-time-token', () => {
  finds(oneTimeToken, [
    ['npm publish --otp 123456', '123456'],
    ['npm publish --otp=123456', '123456'],
    ['OTP: 123456', '123456'],
    ['verification code 123456', '123456'],
    ['Your code is 123456', '123456'],
    ['one-time password: 123456', '123456'],
    ['enter the code ABCD-1234', 'ABCD-1234'],
    ['exit code 123456'],
    ['status code 404000'],
    ['code 404'],
    ['--otp is required'],
    ['the code path'],
  ])
})
