import { describe } from 'vitest'
import rule from '../../src/rules/declarative.ts'
import { judges } from './judges.ts'

describe('the rule declarative', () => judges(rule, 'declarative'))
