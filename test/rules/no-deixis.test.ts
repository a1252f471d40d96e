import { describe } from 'vitest'
import rule from '../../src/rules/no-deixis.ts'
import { judges } from './judges.ts'

describe('the rule no-deixis', () => judges(rule, 'no-deixis'))
