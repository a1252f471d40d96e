import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canonical } from '../../../src/base/canonical.ts'
import { sha256 } from '../../../src/base/digest.ts'
import { openFiles } from '../../../src/host/files.ts'
import { type Tombstones, openTombstones } from '../../../src/store/sync/tombstones.ts'

let dir: string
let tombstones: Tombstones
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'remnant-tombstones-'))
  tombstones = openTombstones(dir, openFiles())
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const [A, B] = ['a'.repeat(64), 'b'.repeat(64)]
const at = (...path: string[]): string => join(dir, 'remnant/tombstones', ...path)

describe('tombstones', () => {
  it('are canonical objects named by their digest, in files of their owner', () => {
    tombstones.add({ remnant: A, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    const bytes = canonical({ schema: 'git-remnant/tombstone/1', remnant: A, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    expect(readdirSync(at(A))).toEqual([`${sha256(bytes)}.json`])
    expect(Buffer.from(openFiles().read(at(A, `${sha256(bytes)}.json`)) ?? []).toString()).toBe(bytes)
    expect(statSync(at(A, `${sha256(bytes)}.json`)).mode & 0o777).toBe(0o600)
    expect([tombstones.has(A), tombstones.has(B), [...tombstones.all()]]).toEqual([true, false, [A]])
    expect(tombstones.audit()).toEqual([])
  })

  it('tell of several the latest', () => {
    for (const [day, replaced_by] of [['01', null], ['03', B], ['02', null]] as const) tombstones.add({ remnant: A, forgotten_at: `2026-06-${day}T12:00:00Z`, replaced_by })
    expect(tombstones.read(A)).toMatchObject({ forgotten_at: '2026-06-03T12:00:00Z', replaced_by: B })
    expect(tombstones.read(B)).toBeNull()
  })

  it('are lifted whole, once', () => {
    tombstones.add({ remnant: A, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    expect([tombstones.lift(A), tombstones.has(A), tombstones.lift(A)]).toEqual([true, false, false])
    expect(readdirSync(at())).toEqual([])
  })

  it.each([
    ['bytes that do not hash to the name', '{}', sha256('x'), 'does not hash to its name'],
    ['no JSON', 'x', sha256('x'), 'not JSON'],
    ['another form', '{"schema":"git-remnant/tombstone/1"}', sha256('{"schema":"git-remnant/tombstone/1"}'), 'is not in its form'],
  ])('keep away also where one can not be read: %s', (_, text, name, fault) => {
    tombstones.add({ remnant: A, forgotten_at: '2026-06-01T12:00:00Z', replaced_by: null })
    rmSync(at(A, readdirSync(at(A))[0] as string))
    writeFileSync(at(A, `${name}.json`), text)
    expect(tombstones.has(A)).toBe(true)
    expect(tombstones.read(A)).toBeNull()
    expect(tombstones.audit()).toEqual([{ path: at(A, `${name}.json`), fault: expect.stringContaining(fault) }])
  })
})
