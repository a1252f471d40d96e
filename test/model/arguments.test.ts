import { describe, expect, it } from 'vitest'
import { optionNames, readArguments } from '../../src/model/arguments.ts'

const VALUES = optionNames('-o --out -X --request')
const read = (line: string) => readArguments(line === '' ? [] : line.split(' '), VALUES)

describe('arguments', () => {
  it.each([
    ['', []],
    ['a b', ['a', 'b']],
    ['a -o file b', ['a', 'b']],
    ['-ofile b', ['b']],
    ['--out file b', ['b']],
    ['--out=file b', ['b']],
    ['-vo file b', ['b']],
    ['-v b --flag c', ['b', 'c']],
    ['a -- -o b', ['a', '-o', 'b']],
    ['-', ['-']],
    ['a --out', ['a']],
  ])('of "%s" have the words %j', (line, words) => {
    expect(read(line).words).toEqual(words)
  })

  it.each([
    ['-XPOST', 'POST'],
    ['-X=POST', 'POST'],
    ['-sX POST', 'POST'],
    ['--request POST', 'POST'],
    ['--request=PUT -X POST', 'POST'],
    ['-X', ''],
    ['-s', null],
    ['-- -X POST', null],
  ])('of "%s" give the option %j', (line, value) => {
    expect(read(line).value('-X', '--request')).toBe(value)
  })

  it.each([
    ['--dry-run', true],
    ['--dry-run=client', true],
    ['--dry-run=true', true],
    ['--dry-run=false', false],
    ['--dry-run=none', false],
    ['--dry-runs', false],
    ['x', false],
  ])('of "%s" have a dry run: %s', (line, has) => {
    expect(read(line).has('--dry-run')).toBe(has)
  })

  it('may have names of several letters behind one dash', () => {
    const given = readArguments(['-chdir=infra', 'apply', '-var', 'a=b', '-auto-approve'], optionNames('-var'), 'whole')
    expect(given.words).toEqual(['apply'])
    expect(given.all('-chdir', '-var')).toEqual(['infra', 'a=b'])
    expect(given.has('-auto-approve')).toBe(true)
  })
})
