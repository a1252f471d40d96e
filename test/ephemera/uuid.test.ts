import { describe } from 'vitest'
import uuid from '../../src/ephemera/uuid.ts'
import { finds } from './finds.ts'

describe('uuid', () => {
  finds(uuid, [
    ['a 1b2c3d4e-0000-4000-8000-00000000abcd b', '1b2c3d4e-0000-4000-8000-00000000abcd'],
    ['1B2C3D4E-0000-4000-8000-00000000ABCD', '1B2C3D4E-0000-4000-8000-00000000ABCD'],
    ['run_1b2c3d4e-0000-4000-8000-00000000abcd.log', '1b2c3d4e-0000-4000-8000-00000000abcd'],
    ['1b2c3d4e-0000-4000-8000'],
    ['3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c'],
  ])
})
