import { describe, expect, it } from 'vitest'
import temporaryPath from '../../src/ephemera/temporary-path.ts'
import { finds } from './finds.ts'

describe('temporary-path', () => {
  finds(temporaryPath, [
    ['cat /tmp/a1/x.json', '/tmp/a1/x.json'],
    ['cp /private/tmp/x /var/tmp/y', '/private/tmp/x', '/var/tmp/y'],
    ['/var/folders/zz/abc/T/tmp.1 is gone', '/var/folders/zz/abc/T/tmp.1'],
    ['see /tmp/x.', '/tmp/x'],
    ['file:///tmp/x/y.js:3:4', '/tmp/x/y.js'],
    ['docker run -v /tmp/x:/data', '/tmp/x'],
    ['gcc -I/tmp/inc a.c', '/tmp/inc'],
    ['/dev/shm/sem.1', '/dev/shm/sem.1'],
    ['/run/user/1000/bus', '/run/user/1000/bus'],
    ['%TEMP%\\x\\y.txt', '%TEMP%\\x\\y.txt'],
    ['C:\\Users\\anna\\AppData\\Local\\Temp\\a1\\b.txt', 'C:\\Users\\anna\\AppData\\Local\\Temp\\a1\\b.txt'],
    ['C:/Users/anna/AppData/Local/Temp/a1', 'C:/Users/anna/AppData/Local/Temp/a1'],
    ['`/tmp` must be writable'],
    ['src/tmp/x.ts'],
    ['http://host/tmp/x'],
    ['/srv/tmp/x'],
    ['tmp/x'],
    ['./tmp/x'],
  ])
  it.each([
    ['/tmp/a1b2/settings.json', '<tmp>/settings.json'],
    ['/tmp/tmp8xk2', '<tmp>'],
    ['/tmp/x/tmp8xk2.json', '<tmp>'],
  ])('makes %j comparable as %j', (found, comparable) => expect(temporaryPath.replace(found)).toBe(comparable))
})
