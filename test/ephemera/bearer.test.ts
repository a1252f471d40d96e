import { describe } from 'vitest'
import bearer from '../../src/ephemera/bearer.ts'
import { finds } from './finds.ts'

describe('bearer', () => {
  const token = 'a9Zk3Lq7Wm2X' + 'v8Bn5Rt1Yc6H'
  const basic = Buffer.from('anna:' + 'hunter2').toString('base64')
  finds(bearer, [
    [`Authorization: Bearer ${token}`, token],
    [`-H 'authorization: bearer ${token}'`, token],
    [`Basic ${basic}`, basic],
    [`X-Api-Key: ${token}`, token],
    ['requires a Bearer token'],
    ['Bearer authentication is required'],
    ['Authorization: Bearer $TOKEN'],
    ['Basic JavaScript'],
    ['basic authentication'],
    ['Authorization: required'],
  ])
})
