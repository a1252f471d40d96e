import type { Rule } from './model/rule.ts'
import declarative from './rules/declarative.ts'
import noDeixis from './rules/no-deixis.ts'
import noHedge from './rules/no-hedge.ts'
import noPlan from './rules/no-plan.ts'
import notNarrative from './rules/not-narrative.ts'

/** Reasons to refuse a statement (001, boundaries 1 and 2), in the order of their stages at teardown. */
export const rules: readonly Rule[] = [noDeixis, noHedge, noPlan, declarative, notNarrative]
