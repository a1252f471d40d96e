import { describe } from 'vitest'
import digest from '../../src/ephemera/digest.ts'
import { finds } from './finds.ts'

describe('digest', () => {
  finds(digest, [
    ['at 3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c', '3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c'],
    ['sha256:ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12', 'ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12ab12'],
    ['3f2a1b4'],
    ['deadbeef'],
    ['not a digest'],
  ])
})
