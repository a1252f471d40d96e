import { describe, expect, it } from 'vitest'
import phpunit from '../../src/signatures/phpunit.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const HEAD = 'PHPUnit 10.5.64 by Sebastian Bergmann and contributors.\n\nRuntime:       PHP 8.3.6\n\n'
const GREEN = `${HEAD}...............                                                   15 / 15 (100%)\n\nTime: 00:00.036, Memory: 10.00 MB\n\nOK (15 tests, 34 assertions)\n`
const RED = `${HEAD}..F                                                                 3 / 3 (100%)\n\nThere was 1 failure:\n\n1) App\\Tests\\CartTest::testTotal\nFailed asserting that 3 matches expected 4.\n\n/srv/app/tests/CartTest.php:12\n\nFAILURES!\nTests: 3, Assertions: 3, Failures: 1.\n`
const ERRORS = 'ERRORS!\nTests: 38, Assertions: 71, Errors: 2.\n'
const PEST = '   PASS  Tests\\Unit\\ExampleTest\n  ✓ it adds\n\n  Tests:    1 skipped, 2 passed (2 assertions)\n  Duration: 0.05s\n'

describe('PHPUnit and Pest', () => {
  it('know their own commands, alone', () => {
    for (const line of ['phpunit', 'vendor/bin/phpunit tests', 'php vendor/bin/phpunit', './vendor/bin/pest', 'php -d memory_limit=1G vendor/bin/phpunit']) expect(knowing(line)).toEqual(['phpunit'])
    for (const line of ['php artisan test', 'php a.php phpunit', 'composer test']) expect(phpunit.knows(typed(line))).toBeNull()
  })

  it.each([
    ['vendor/bin/phpunit', true], ['vendor/bin/phpunit --filter Cart', true], ['phpunit --version', true], ['pest --parallel', true], ['phpunit --list-tests', false], ['phpunit --generate-baseline b.xml', false],
  ])('verify with %s: %s', (line, verifies) => {
    expect(phpunit.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rest on their configuration up to the root', () => {
    expect(phpunit.knows(typed('vendor/bin/phpunit -c ci.xml', '.'))?.keys).toEqual(['file:vendor/bin/phpunit', 'file:phpunit.xml', 'file:phpunit.xml.dist', 'file:composer.lock', 'file:ci.xml'])
  })

  it.each([
    ['passed', GREEN, { passed: true }], ['failed', RED, { passed: false }], ['errors', ERRORS, { passed: false }], ['Pest', PEST, { passed: true }],
    ['Pest, failed', '  Tests:    1 failed, 2 passed (3 assertions)\n  Duration: 0.05s\n', { passed: false }], ['two runs', GREEN + GREEN, null], ['nothing ran', 'No tests executed!\n', { passed: false }],
    ['another printer', `${HEAD}No test failures\n`, null], ['issues', 'OK, but there were issues!\nTests: 5, Assertions: 7, Warnings: 1.\n', null],
  ])('close: %s', (_, output, summary) => {
    expect(phpunit.summary(output)).toEqual(summary)
  })

  it('say each failed test with its message, without its place', () => {
    expect(failureOf(phpunit, 'vendor/bin/phpunit', RED)).toEqual({ class: 'red', lines: ['App\\Tests\\CartTest::testTotal: Failed asserting that 3 matches expected 4.'], keys: [] })
    expect(phpunit.failure(ended('vendor/bin/phpunit', 'Could not read "x.xml".\n', 1))).toBeNull()
  })
})
