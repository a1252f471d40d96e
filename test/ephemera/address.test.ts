import { describe } from 'vitest'
import address from '../../src/ephemera/address.ts'
import { finds } from './finds.ts'

describe('address', () => {
  finds(address, [
    ['at 0x7ffe12345678', '0x7ffe12345678'],
    ['<Foo object at 0x7f3a1b2c3d40>', '0x7f3a1b2c3d40'],
    ['main.go:12 +0x1d', '+0x1d'],
    ['0x1F'],
    ['error code 0x80070005'],
    ['0xC0000005'],
    ['status 0x7ffe12345678'],
    ['0xzz'],
  ])
})
