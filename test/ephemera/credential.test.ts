import { describe } from 'vitest'
import credential from '../../src/ephemera/credential.ts'
import { finds } from './finds.ts'

describe('credential', () => {
  const github = 'ghp' + '_' + 'a9Zk3Lq7Wm2Xv8Bn5Rt1Yc6Hd4Jf0Gs2Pq8Z'
  const key = 'AK' + 'IA' + 'Q7M2XK9B4ZT8WL3V'
  const account = JSON.stringify({ private_key_id: 'a', private_key: '-----BEGIN PRIVATE' + ' KEY-----' })
  finds(credential, [
    [`a ${github} b`, github],
    [`// secretlint-disable\n${github}`, github],
    [`id ${key}`, key],
    [account, account],
    ['ghp_short'],
    ['npm test'],
  ])
})
