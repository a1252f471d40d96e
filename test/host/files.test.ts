import { chmodSync, linkSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openFiles } from '../../src/host/files.ts'

const files = openFiles()

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'remnant-files-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const textAt = (path: string): string => Buffer.from(files.read(path) ?? 'nothing').toString('utf8')
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('reading', () => {
  it('is null where there is no such file, below a file too', () => {
    const dir = folder()
    writeFileSync(join(dir, 'a'), '')
    expect([files.read(join(dir, 'b')), files.read(join(dir, 'x/y')), files.read(join(dir, 'a/b'))]).toEqual([null, null, null])
    expect([files.stat(join(dir, 'b')), files.stat(join(dir, 'a/b'))]).toEqual([null, null])
    expect([files.list(join(dir, 'b')), files.list(join(dir, 'a/b'))]).toEqual([[], []])
  })

  it('refuses a folder and what is no file, without waiting for it', () => {
    const dir = folder()
    execFileSync('mkfifo', [join(dir, 'fifo')])
    expect(() => files.read(dir)).toThrow(expect.objectContaining({ fault: 'malformed', message: expect.stringContaining('is no file') }))
    expect(() => files.read(join(dir, 'fifo'))).toThrow(expect.objectContaining({ fault: 'malformed' }))
  })

  it('lists names in order, with what they are', () => {
    const dir = folder()
    for (const name of ['b', 'ä', 'a', 'B']) writeFileSync(join(dir, name), '')
    mkdirSync(join(dir, 'c'))
    symlinkSync('a', join(dir, 'link'))
    expect(files.list(dir)).toEqual([
      { name: 'B', kind: 'file' },
      { name: 'a', kind: 'file' },
      { name: 'b', kind: 'file' },
      { name: 'c', kind: 'folder' },
      { name: 'link', kind: 'other' },
      { name: 'ä', kind: 'file' },
    ])
  })

  it('tells kind, size, mode, the later of the two times, and what file it is', () => {
    const path = join(folder(), 'a')
    writeFileSync(path, 'four', { mode: 0o640 })
    chmodSync(path, 0o640)
    const { mtimeMs, ctimeMs } = statSync(path)
    expect(files.stat(path)).toEqual({ kind: 'file', size: 4, mode: 0o640, changed: Math.max(mtimeMs, ctimeMs), id: expect.any(String) })
    linkSync(path, `${path}-too`)
    writeFileSync(`${path}-other`, 'four')
    expect([files.stat(`${path}-too`)?.id, files.stat(`${path}-other`)?.id].map((id) => id === files.stat(path)?.id)).toEqual([true, false])
  })

  it('streams a file, and says so where it can not be opened', async () => {
    const dir = folder()
    writeFileSync(join(dir, 'a'), 'x'.repeat(600_000))
    let size = 0
    for await (const chunk of files.stream(join(dir, 'a'))) size += chunk.byteLength
    expect(size).toBe(600_000)
    const drain = async (path: string): Promise<void> => {
      for await (const _chunk of files.stream(path)) size += 1
    }
    await expect(drain(join(dir, 'none'))).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/none" can't be read: there is no such file$/) })
    await expect(drain(dir)).rejects.toMatchObject({ fault: 'malformed', message: expect.stringMatching(/it is a folder$/) })
  })
})

describe('writing', () => {
  it('makes the folders, keeps the file private, and leaves no neighbour', () => {
    const dir = folder()
    const path = join(dir, 'x/y/z.json')
    files.write(path, 'one')
    files.write(path, Buffer.from('two'))
    expect([textAt(path), modeOf(path), readdirSync(join(dir, 'x/y'))]).toEqual(['two', 0o600, ['z.json']])
  })

  it('gives the mode that is asked for, whatever the umask', () => {
    const path = join(folder(), 'hook')
    files.write(path, '#!/bin/sh\n', 0o755)
    expect(modeOf(path)).toBe(0o755)
  })

  it('replaces a link, not what it points to', () => {
    const dir = folder()
    writeFileSync(join(dir, 'target'), 'kept')
    symlinkSync('target', join(dir, 'link'))
    files.write(join(dir, 'link'), 'new')
    expect([textAt(join(dir, 'target')), textAt(join(dir, 'link'))]).toEqual(['kept', 'new'])
  })

  it('leaves the old content where the new can not be put in its place', () => {
    const dir = folder()
    mkdirSync(join(dir, 'taken'))
    writeFileSync(join(dir, 'taken/inner'), '')
    expect(() => files.write(join(dir, 'taken'), 'x')).toThrow(expect.objectContaining({ fault: 'unwritable', message: expect.stringContaining("can't be written") }))
    expect(readdirSync(dir)).toEqual(['taken'])
    writeFileSync(join(dir, 'a'), 'old')
    expect(() => files.write(join(dir, 'a/b'), 'x')).toThrow(expect.objectContaining({ fault: 'unwritable' }))
    expect(textAt(join(dir, 'a'))).toBe('old')
  })

  it('names a full disk, and not the folders above', () => {
    let thrown: unknown
    try {
      files.append('/dev/full', 'x\n')
    } catch (error) {
      thrown = error
    }
    expect(thrown).toMatchObject({ fault: 'unwritable', message: '"/dev/full" can\'t be written: the disk is full' })
    const deep = join(folder(), 'one/two/three/four')
    mkdirSync(deep, { recursive: true })
    expect(() => files.write(join(deep, '../four'), 'x')).toThrow(expect.objectContaining({ message: expect.stringMatching(/^"two\/three\/four" can't be written/) }))
  })

  it('appends whole lines to a private file', () => {
    const path = join(folder(), 'journals/a.jsonl')
    files.append(path, '{"a":1}\n')
    files.append(path, '{"b":2}\n')
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['{"a":1}\n{"b":2}\n', 0o600])
  })

  it('removes a file, a link or an empty folder, twice too, and no folder that holds something', () => {
    const dir = folder()
    writeFileSync(join(dir, 'a'), '')
    symlinkSync('a', join(dir, 'link'))
    mkdirSync(join(dir, 'empty'))
    mkdirSync(join(dir, 'full'))
    writeFileSync(join(dir, 'full/x'), '')
    files.remove(join(dir, 'link'))
    expect(existsSync(join(dir, 'a'))).toBe(true)
    for (const name of ['a', 'a', 'empty', 'none/below']) files.remove(join(dir, name))
    expect(() => files.remove(join(dir, 'full'))).toThrow(expect.objectContaining({ fault: 'unwritable' }))
    expect(readdirSync(dir)).toEqual(['full'])
  })
})
