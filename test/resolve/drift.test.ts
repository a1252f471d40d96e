import { describe, expect, it } from 'vitest'
import { driftInWords, keyInWords } from '../../src/resolve/drift.ts'

describe('a drifted key in words', () => {
  it.each([
    ['tool:npm', 'npm 11.19.1', 'npm 11.20.0', 'tool:npm: was npm 11.19.1, is npm 11.20.0'],
    ['file:package.json', null, null, 'file:package.json: has changed'],
    ['manifests:package.json', null, null, 'the files called "package.json": has changed'],
    ['reads:[".","npm","test"]', null, null, 'what "npm test" can reach: has changed'],
    ['reads:["packages/a","node","a.js"]', null, null, 'what "node a.js" can reach from packages/a: has changed'],
  ])('says of %s what became of it', (key, was, is, words) => {
    expect(driftInWords({ key, was, is, unreadable: null, sealed: true })).toBe(words)
  })

  it.each(['reads:x', 'reads:["."]', 'reads:[1,2]', 'file:a'])('leaves %s as it is', (key) => {
    expect(keyInWords(key)).toBe(key)
  })
})
