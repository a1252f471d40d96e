import { describe } from 'vitest'
import rule from '../../src/rules/no-plan.ts'
import { judges } from './judges.ts'

describe('the rule no-plan', () => judges(rule, 'no-plan'))
