import { describe, expect, it } from 'vitest'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Proof, appendProof, gateDigest, noteParts, noteReds, partsIn, proofsIn, redDigest, redsIn } from '../../src/host/proofs.ts'
import { commandOf } from '../../src/model/command.ts'
import { stage } from '../stage.ts'

const proof = (more: Partial<Proof> = {}): Proof => ({ gate: gateDigest(commandOf(['npm', 'test'])), commit: 'c'.repeat(40), outcome: 'PROVEN', red: redDigest('✖ adds'), ...more })

describe('what prove showed', () => {
  it('is noted by gate and commit, of which the last word counts', () => {
    const { repository, files } = stage()
    const all = [proof(), proof({ commit: 'd'.repeat(40), outcome: 'VACUOUS', red: null }), proof({ outcome: 'FLAKY', red: null })]
    for (const one of all) appendProof(one, repository, files)
    expect(proofsIn(repository, files)).toEqual([all[2], all[1]])
  })

  it('is nothing in a clone that noted nothing, and in a line that a crash cut short', () => {
    const { repository, files } = stage()
    expect([proofsIn(repository, files), redsIn(repository, files).size]).toEqual([[], 0])
    appendProof(proof(), repository, files)
    appendFileSync(join(repository.commonDir, 'remnant/proofs'), `${'a'.repeat(64)} ${'c'.repeat(40)} PROV`)
    expect(proofsIn(repository, files)).toEqual([proof()])
  })

  it('holds no text of a session', () => {
    const { repository, files } = stage()
    appendProof(proof(), repository, files)
    noteReds(new Map([['e'.repeat(64), ['✖ adds']]]), repository, files)
    for (const name of ['proofs', 'reds']) expect(Buffer.from(files.read(join(repository.commonDir, 'remnant', name)) ?? []).toString()).not.toMatch(/npm|adds/)
  })
})

describe('how a gate had been red in its session', () => {
  it('is noted once for each claim', () => {
    const { repository, files } = stage()
    const [a, b] = ['a'.repeat(64), 'b'.repeat(64)]
    noteReds(new Map([[a, ['x', 'y']]]), repository, files)
    noteReds(new Map([[a, ['y', 'z']], [b, ['x']]]), repository, files)
    expect(redsIn(repository, files)).toEqual(new Map([[a, new Set(['x', 'y', 'z'].map(redDigest))], [b, new Set([redDigest('x')])]]))
    expect(Buffer.from(files.read(join(repository.commonDir, 'remnant/reds')) ?? []).toString().trim().split('\n')).toHaveLength(4)
  })
})

describe('what may be the fix besides a residual\'s whole patch', () => {
  it('is noted once for each claim, and a line that a crash cut short is none', () => {
    const { repository, files } = stage()
    const [claim, one, two] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
    noteParts(new Map([[claim, [one]]]), repository, files)
    noteParts(new Map([[claim, [one, two]]]), repository, files)
    appendFileSync(join(repository.commonDir, 'remnant/parts'), `${claim} ${'d'.repeat(40)}`)
    expect(partsIn(repository, files)).toEqual(new Map([[claim, new Set([one, two])]]))
    expect(redsIn(repository, files).size).toBe(0)
  })
})
