import { describe, expect, it } from 'vitest'
import absolutePath from '../../src/ephemera/absolute-path.ts'
import { finds } from './finds.ts'

describe('absolute-path', () => {
  finds(absolutePath, [
    ['at /usr/lib/x/a.js', '/usr/lib/x/a.js'],
    ['(/opt/app/b.py)', '/opt/app/b.py'],
    ['file:///opt/app/b.js:3', '/opt/app/b.js'],
    ['D:\\work\\a.ts', 'D:\\work\\a.ts'],
    ['D:/code/a.ts', 'D:/code/a.ts'],
    ['/usr/bin/python3.', '/usr/bin/python3'],
    ['-L/usr/lib/x', '/usr/lib/x'],
    ['GET /users'],
    ['src/a/b.ts'],
    ['./a/b'],
    ['http://x.dev/a/b'],
    ['a / b'],
    ['@scope/pkg/x'],
    ['<path>/a.js'],
    ['~/a/b'],
  ])
  it.each([
    ['/usr/lib/a.js', '<path>/a.js'],
    ['D:\\work\\a.ts', '<path>/a.ts'],
    ['/opt/node_modules/foo/lib/a.js', '<path>/node_modules/foo/lib/a.js'],
    ['/usr/lib/python3/site-packages/foo/a.py', '<path>/site-packages/foo/a.py'],
  ])('makes %j comparable as %j', (found, comparable) => expect(absolutePath.replace(found)).toBe(comparable))
})
