import { describe } from 'vitest'
import highEntropy from '../../src/ephemera/high-entropy.ts'
import { finds } from './finds.ts'

describe('high-entropy', () => {
  finds(highEntropy, [
    ['src/components/UserProfileSettingsPanel.test.tsx'],
    ['sha512-aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3'],
    ['node_modules/.pnpm/@types+node@20.19.0/node_modules'],
    ['3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c'],
    ['getHTTPSUrlFromXMLHttpRequestHeaders2'],
    ['org.springframework.boot.autoconfigure.SpringBootApplication'],
    ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256'],
    ['dist/assets/index-BxY7zQ3k.js'],
    ['_ZNKSt10moneypunctIcLb0EE13do_neg_formatEv'],
  ])
  const random = 'kJ8sQm2Xv9' + 'Lp4TzR7wBn1YcE5'
  const small = 'k3j5h6g7f8' + 'd9s0a1q2w4e'
  finds(highEntropy, [
    [`set ${random} there`, random],
    [`x=${random}`, `x=${random}`],
    [small, small],
    [`sha256-${random}=`],
  ])
})
