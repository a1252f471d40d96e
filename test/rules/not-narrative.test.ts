import { describe } from 'vitest'
import rule from '../../src/rules/not-narrative.ts'
import { judges } from './judges.ts'

describe('the rule not-narrative', () => judges(rule, 'not-narrative'))
