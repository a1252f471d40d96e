import { describe, expect, it } from 'vitest'
import { commandOf } from '../../src/model/command.ts'
import ghRelease from '../../src/mutations/gh-release.ts'

const typed = (line: string) => commandOf(line.split(' '))

describe('gh release', () => {
  it.each([
    ['gh release create v1.2.0 --notes x', 'harmful', null, 'v1.2.0'],
    ['gh release create -R o/r v1.2.0 dist/a.tgz', 'harmful', 'o/r', 'v1.2.0'],
    ['gh release upload v1 a.tgz', 'harmful', null, 'v1'],
    ['gh release delete v1 --yes', 'harmful', null, 'v1'],
    ['gh release edit v1 --draft=false', 'convergent', null, 'v1'],
    ['gh release create', 'harmful', null, null],
  ])('is meant by %s', (line, repeat, id, identifier) => {
    expect(ghRelease.intends(typed(line))).toEqual({ repeat, target: id === null ? null : { kind: 'github', id }, identifier })
  })

  it.each(['gh release list', 'gh release view v1', 'gh release download v1', 'gh release create v1 --help', 'gh release create v1 --dry-run', 'gh pr create', 'git release create v1'])('is not meant by %s', (line) => {
    expect(ghRelease.intends(typed(line))).toBeNull()
  })

  it.each([
    ['gh release create v1.2.0', 'https://github.com/o/r/releases/tag/v1.2.0\n', 'o/r', 'v1.2.0'],
    ['gh release create v1.2.0 --draft', 'https://github.com/o/r/releases/tag/untagged-0a1b2c\n', 'o/r', 'v1.2.0'],
    ['gh release edit pkg@1', 'https://git.example/o/r/releases/tag/pkg%401\n', 'git.example/o/r', 'pkg@1'],
    ['gh release upload v1 a.tgz -R o/r', 'Successfully uploaded 1 asset to v1\n', 'o/r', 'v1'],
    ['gh release delete v1 --yes -R o/r', '✓ Deleted release v1\n', 'o/r', 'v1'],
  ])('is confirmed by what gh prints: %s', (line, output, id, identifier) => {
    expect(ghRelease.confirms(typed(line), output)).toEqual({ target: { kind: 'github', id }, targetValue: id.startsWith('git.example') ? id : `github.com/${id}`, identifier, state_hash: null })
  })

  it.each([
    ['gh release create v1', ''],
    ['gh release create v1', 'see https://github.com/o/r/releases/tag/v1 for more\n'],
    ['gh release delete v1', '✓ Deleted release v1\n'],
    ['gh release view v1', 'https://github.com/o/r/releases/tag/v1\n'],
  ])('is not confirmed otherwise: %s', (line, output) => {
    expect(ghRelease.confirms(typed(line), output)).toBeNull()
  })

  it.each([
    ['gh release create v1 -R o/r', 'HTTP 422: Validation Failed (https://api.github.com/repos/o/r/releases)\n'],
    ['gh release delete v1 -R o/r', 'release not found\n'],
  ])('is known not to be done by %s → %s', (line, output) => {
    expect(ghRelease.confirms(typed(line), output)).toBe('not-done')
  })
})
