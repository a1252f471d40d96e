import { describe } from 'vitest'
import homeDirectory from '../../src/ephemera/home-directory.ts'
import { finds } from './finds.ts'

describe('home-directory', () => {
  finds(homeDirectory, [
    ['ls /home/anna/x', '/home/anna'],
    ['/Users/anna/Library/x', '/Users/anna'],
    ['C:\\Users\\anna\\x', 'C:\\Users\\anna'],
    ['/c/Users/anna/x', '/c/Users/anna'],
    ['/root/.npm', '/root'],
    ['cat ~/.npmrc', '~'],
    ['cd ~anna/x', '~anna'],
    ['-I/home/anna/include', '/home/anna'],
    ['file:///home/anna/a.js', '/home/anna'],
    ['HEAD~2/x'],
    ['GET /users/12'],
    ['src/home/index.ts'],
    ['/rootfs/x'],
    ['http://x.dev/home/a'],
    ['v~/x'],
    ['/srv/home/x'],
  ])
})
