import { describe, expect, it } from 'vitest'
import cucumber from '../../src/signatures/cucumber.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const GREEN = '    Then the status is "42002"\n\n188 scenarios (188 passed)\n592 steps (592 passed)\n0m0.97s (22.81Mb)\n'
const RED = '--- Failed scenarios:\n\n    features/cart.feature:12\n\n2 scenarios (1 passed, 1 failed)\n6 steps (4 passed, 1 failed, 1 skipped)\n0m0.05s (10.00Mb)\n'

describe('Behat and Cucumber', () => {
  it('know their own commands, alone', () => {
    for (const line of ['vendor/bin/behat', 'behat features/cart.feature', 'npx cucumber-js', 'bin/cucumber']) expect(knowing(line)).toEqual(['cucumber'])
    for (const line of ['composer spec', 'npm test']) expect(cucumber.knows(typed(line))).toBeNull()
  })

  it.each([['vendor/bin/behat', true], ['behat --version', true], ['behat --dry-run', false], ['cucumber --dry-run', false]])('verify with %s: %s', (line, verifies) => {
    expect(cucumber.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rest on their configuration up to the root', () => {
    expect(cucumber.knows(typed('vendor/bin/behat -c b.yml'))?.keys).toEqual(expect.arrayContaining(['file:vendor/bin/behat', 'file:behat.yml', 'file:b.yml']))
  })

  it.each([
    ['passed', GREEN, { passed: true }], ['failed', RED, { passed: false }], ['undefined', '1 scenario (1 undefined)\n2 steps (2 undefined)\n', { passed: false }], ['some skipped', '2 scenarios (1 skipped, 1 passed)\n2 steps (2 passed)\n', null],
    ['two runs', GREEN + GREEN, null], ['none', '0 scenarios\n0 steps\n', null], ['the steps are cut', '188 scenarios (188 passed)\n', null],
  ])('close: %s', (_, output, summary) => {
    expect(cucumber.summary(output)).toEqual(summary)
  })

  it('say which scenarios failed, without their lines', () => {
    expect(failureOf(cucumber, 'vendor/bin/behat', RED)).toEqual({ class: 'red', lines: ['features/cart.feature', '2 scenarios (1 passed, 1 failed)'], keys: [] })
    expect(cucumber.failure(ended('behat', 'x\n', 1))).toBeNull()
  })
})
