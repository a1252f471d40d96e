import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RemnantError } from '../../src/base/errors.ts'
import { Key, joinPath, keyIn, publicText, splitKey } from '../../src/model/key.ts'

describe('a key', () => {
  it.each([
    ['platform', 'platform', ''],
    ['file:package.json', 'file', 'package.json'],
    ['lock:npm/@scope/x', 'lock', 'npm/@scope/x'],
    ['target:git-remote/https://h/x', 'target', 'git-remote/https://h/x'],
    ['absent-tool:jest', 'absent-tool', 'jest'],
  ])('%s has the probe %s and the argument %j', (key, probe, argument) => {
    expect(splitKey(key)).toEqual({ probe, argument })
    expect(Key.safeParse(key).success).toBe(true)
  })

  it.each(['', 'file:', ':x', 'File:x', '1x', 'file:a\nb', 'file:a\u0000', `file:${'x'.repeat(500)}`])('%j is none', (key) => {
    expect(Key.safeParse(key).success).toBe(false)
  })

  it.each([
    ['.', 'package.json', 'file:package.json'],
    ['packages/a', 'package.json', 'file:packages/a/package.json'],
    ['packages/a', '../b/x', 'file:packages/b/x'],
    ['a', '..', 'file:.'],
  ])('of %s and %s is %s', (folder, path, key) => {
    expect(keyIn('file', folder, path)).toBe(key)
  })

  it('is refused where it points outside the repository', () => {
    expect(() => keyIn('file', 'a', '../../x')).toThrow(RemnantError)
    expect(() => keyIn('file', '.', '/etc/hosts')).toThrow(/outside the repository/)
  })

  it.each([
    ['tool:npm', '11.19.1', 'npm 11.19.1'],
    ['tool:node_modules/.bin/jest', '30.0.0', 'jest 30.0.0'],
    ['platform', 'linux x64 glibc', 'linux x64 glibc'],
    ['absent-tool:jest', 'absent', 'absent'],
    ['file:a', 'f'.repeat(40), null],
    ['env:TOKEN', '=secret', null],
    ['target:git-remote/x', 'https://h/x', null],
  ])('%s with the value %j is shown as %j', (key, value, text) => {
    expect(publicText(key, value)).toBe(text)
  })
})

describe('a path in a folder', () => {
  it.each<[string, string, string | null]>([
    ['.', '.', '.'],
    ['.', 'a//b/./c/', 'a/b/c'],
    ['a/b', '../..', '.'],
    ['a', '../..', null],
    ['.', '..', null],
    ['a', '/b', null],
  ])('%s and %s make %s', (folder, path, joined) => {
    expect(joinPath(folder, path)).toBe(joined)
  })

  it('never has a step that leads up, and joining it again changes nothing', () => {
    const path = fc.array(fc.constantFrom('a', 'b', '..', '.', ''), { maxLength: 8 }).map((steps) => steps.join('/'))
    fc.assert(
      fc.property(path, path, (folder, more) => {
        const joined = joinPath(folder, more)
        if (joined === null) return
        expect(joined.split('/')).not.toContain('..')
        expect(joinPath('.', joined)).toBe(joined)
      }),
    )
  })
})
