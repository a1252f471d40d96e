import { describe, expect, it } from 'vitest'
import composer from '../../src/signatures/composer.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

describe('Composer', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['composer test', 'composer run-script lint', 'composer install']) expect(knowing(line)).toEqual(['composer'])
    expect(composer.knows(typed('php composer'))).toBeNull()
  })

  it.each([
    ['composer test', true], ['composer run lint', true], ['composer run-script test:unit -- --ci', true], ['composer test:pbt', true], ['composer --version', true],
    ['composer install', false], ['composer validate', false], ['composer run', false], ['composer lint --fix', false], ['composer format', false], ['composer deploy', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(composer.knows(typed(line))?.verifies).toBe(verifies)
  })

  it('rests on the definition of the script', () => {
    expect(composer.knows(typed('composer test', 'p'))).toMatchObject({ delegates: true, keys: ['tool:p/composer', 'file:p/composer.json', 'file:composer.json'] })
    expect(composer.knows(typed('composer install'))).toMatchObject({ delegates: false, keys: ['tool:composer', 'file:composer.json', 'file:composer.lock'] })
  })

  it('has no closing lines of its own', () => {
    expect(composer.summary()).toBeNull()
  })

  it('says which script there is not, else what the tool behind it says', () => {
    expect(failureOf(composer, 'composer tets', '\n  Command "tets" is not defined.\n')).toEqual({ class: 'usage', lines: ['Command "tets" is not defined.'], keys: ['tool:composer', 'file:composer.json'] })
    expect(failureOf(composer, 'composer run x', 'Script "x" is not defined in this package\n')?.class).toBe('usage')
    expect(failureOf(composer, 'composer lint', '> tool src\nError: a.php is wrong\nScript tool src handling the lint event returned with error code 1\n')?.class).toBe('red')
    expect(composer.failure(ended('composer install', 'Your requirements could not be resolved to an installable set of packages.\n', 2))).toBeNull()
  })
})
