import type { AndOr, PipelineNode } from 'unbash'
import { type Scope, blurred } from './scope.ts'
import { isTrue } from './simple-command.ts'
import { Chain, NOTHING, type Part, and, chained, checked, or } from './status.ts'

/** What a stretch of text does, and what is in force behind it. */
export interface Walked {
  readonly part: Part
  readonly scope: Scope
}

/** `unsure`: it may never be reached. */
type Reader = (operand: PipelineNode, scope: Scope, strict: boolean, unsure: boolean) => Walked

/** `a && b || c`, its operands read by `read` as they come: what one of them changed, the next one stands in. `strict` as in a list; `id`: of this list alone. */
export function joined({ commands, operators }: AndOr, start: Scope, strict: boolean, id: number, read: Reader): Walked {
  const [first, ...more] = commands as readonly [PipelineNode, ...PipelineNode[]]
  const left = read(first, start, false, false)
  const all = operators.every((operator) => operator === '&&')
  const linked = (part: Part, at: number): Part => (all ? chained(part, id, at) : part)
  const chain = new Chain(linked(left.part, 0))
  let scope = left.scope
  let unsure = false
  let tight = true
  for (const [i, operand] of more.entries()) {
    const isAnd = operators[i] === '&&'
    const from = !isAnd && scope !== start ? { ...scope, vague: true } : scope
    const { fails } = chain.ending
    const right = !isAnd && isTrue(operand) ? { part: NOTHING, scope: from } : read(operand, from, strict && i === more.length - 1, fails || !isAnd)
    chain.add(linked(right.part, i + 1), isAnd ? and : or)
    tight &&= isAnd && !fails
    if (right.scope === from) continue
    unsure ||= isAnd ? fails : right.part.ends === null
    scope = right.scope
  }
  const caught = start.errexit !== 'off' || scope.errexit !== 'off'
  const part = caught ? checked(chain.part(), tight && strict && start.errexit === 'on') : chain.part()
  return { part, scope: unsure ? blurred(start, scope) : scope }
}
