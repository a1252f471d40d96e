import { describe, expect, it } from 'vitest'
import phpstan from '../../src/signatures/phpstan.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe("PHPStan", () => {
  it.each(["phpstan analyse", "vendor/bin/phpstan analyze src", "php vendor/bin/phpstan", "php -d memory_limit=1G vendor/bin/phpstan analyse"])('knows its own commands, alone: %s', (line) => {
    expect(knowing(line)).toEqual(["phpstan"])
  })

  it.each<[string, boolean]>([
    ["vendor/bin/phpstan analyse -c a.neon", true],
    ["phpstan", true],
    ["phpstan --version", true],
    ["phpstan analyse --generate-baseline", false],
    ["phpstan clear-result-cache", false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(phpstan.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on what configures it, up to the root', () => {
    expect(phpstan.knows(typed("phpstan analyse -c ci.neon", 'p'))?.keys).toEqual(expect.arrayContaining(["tool:p/phpstan", "file:p/phpstan.neon", "file:phpstan.neon.dist", "file:p/ci.neon", "file:p/composer.lock"]))
  })

  it.each<[string, string, { passed: boolean } | null]>([
    ["passed", " 3/3 [▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓] 100%\n\n\n [OK] No errors                                                                 \n\n", { passed: true }],
    ["failed", " ------ ---------------------------- \n  Line   src/Shop/Cart.php           \n ------ ---------------------------- \n  12     Call to an undefined method \n ------ ---------------------------- \n\n\n [ERROR] Found 1 error                                                          \n\n", { passed: false }],
    ["went on", " [OK] No errors \n\n\n\nScript x handling the y event returned with error code 1\n", null],
    ["bare words", "No errors\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(phpstan.summary(output)).toEqual(summary)
  })

  it.each<[string, string, string[]]>([
    ["phpstan analyse", " ------ ---------------------------- \n  Line   src/Shop/Cart.php           \n ------ ---------------------------- \n  12     Call to an undefined method \n ------ ---------------------------- \n\n\n [ERROR] Found 1 error                                                          \n\n", ["src/Shop/Cart.php", "Call to an undefined method"]],
  ])('says what failed, without its place: %s', (line, output, lines) => {
    expect(failureOf(phpstan, line, output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it('finds nothing in other words', () => {
    expect(phpstan.failure(ended('npm test', 'HTTP 404 not found\nat 10:12: READY now\n'))).toBeNull()
    expect(phpstan.summary('HTTP 404 not found\nat 10:12: READY now\n')).toBeNull()
  })
})
