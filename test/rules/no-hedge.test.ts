import { describe } from 'vitest'
import rule from '../../src/rules/no-hedge.ts'
import { judges } from './judges.ts'

describe('the rule no-hedge', () => judges(rule, 'no-hedge'))
