import { describe, expect, it } from 'vitest'
import type { Entry } from '../../src/guard/entry.ts'
import { HEAD_BYTES, claimsFile, commandName, entriesFor, rangeOf, readHead, targetName } from '../../src/guard/form.ts'

const entry = (command: string): Entry => ({ is: 'green', claim_id: 'a', digest: 'b', rank: 'own', grounds: [], command })

function lookUp(file: string, name: string): readonly Entry[] {
  const bytes = Buffer.from(file)
  const head = readHead(bytes.toString('utf8', 0, HEAD_BYTES))
  if (head === null) throw new Error('no head')
  const { from, to } = rangeOf(name, head)
  return entriesFor(name, bytes.toString('utf8', from, to))
}

describe('the file of claims', () => {
  const many = Array.from({ length: 2000 }, (_, i) => `tool-${i} é`)
  const file = claimsFile(many.map((command) => ({ name: commandName(command), entry: entry(command) })), ['npm publish'])

  it('finds each entry again in its shard, and nothing else', () => {
    for (const command of many) expect(lookUp(file, commandName(command))).toEqual([entry(command)])
    expect(lookUp(file, commandName('tool-2000 é'))).toEqual([])
    expect(lookUp(file, targetName('tool-1 é'))).toEqual([])
  })

  it('keeps several entries of one name', () => {
    const two = claimsFile([entry('x'), { ...entry('x'), claim_id: 'c' }].map((one) => ({ name: 'n', entry: one })), [])
    expect(lookUp(two, 'n')).toHaveLength(2)
  })

  it('says by what a mutation is seen', () => {
    expect(readHead(file.slice(0, HEAD_BYTES))?.mutations).toEqual(['npm publish'])
  })

  it.each(['', 'git-remnant-claims 2\n{}\n', 'something else'])('is none that begins with %j', (text) => {
    expect(readHead(text)).toBeNull()
  })

  it.each(['[["git push"]]', '[[""]]', '[1]', '[null]', '{"0":"git push","length":1}', '"git push"'])('is none where its mutations are no words: %s', (mutations) => {
    const text = claimsFile([], ['git push'])
    expect(readHead(text.replace('["git push"]', mutations))).toBeNull()
  })

  it('has a head that is read whole', () => {
    expect(Buffer.byteLength(file.split('\n').slice(0, 2).join('\n'))).toBeLessThan(HEAD_BYTES)
  })
})
