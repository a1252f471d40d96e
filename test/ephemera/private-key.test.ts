import { describe } from 'vitest'
import privateKey from '../../src/ephemera/private-key.ts'
import { finds } from './finds.ts'

describe('private-key', () => {
  const begin = '-----BEGIN RSA PRIVATE' + ' KEY-----'
  const end = '-----END RSA PRIVATE' + ' KEY-----'
  const body = 'MIIa9Zk3Lq7Wm2Xv8Bn5Rt1Yc6Hd4Jf0Gs2Pq8Z'
  const whole = [begin, body, end].join('\n')
  const prefixed = [begin, `2 | ${body}`, `3 | ${end}`].join('\n')
  finds(privateKey, [
    [`a ${whole} b`, whole],
    [prefixed, prefixed],
    [`a ${begin}\n${body}`, `${begin}\n${body}`],
    [`${whole}\n\n${whole}`, whole],
    ['the file begins with ' + begin],
    ['-----BEGIN CERTIFICATE-----\nMIIa9Zk3Lq7Wm2Xv8Bn5Rt1Yc6Hd\n-----END CERTIFICATE-----'],
  ])
})
