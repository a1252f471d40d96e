import { describe, expect, it } from 'vitest'
import names from '../../src/probes/names.ts'
import { sha256 } from '../../src/base/digest.ts'
import { ground, valueOf } from './ground.ts'

describe('names', () => {
  it('is what lies in a folder by mode and name, sorted', async () => {
    const { world, write } = ground({ 'src/b.js': '', 'src/a/deep/x.js': '', 'src/é.js': '', 'top.txt': '' })
    write('src/run.sh', '', 0o755)
    expect(await valueOf(names, 'src', world())).toBe(sha256('040000 a\n100644 b.js\n100644 é.js\n100755 run.sh\n'))
    expect(await valueOf(names, '.', world())).toBe(sha256('040000 src\n100644 top.txt\n'))
    expect(await valueOf(names, 'none', world())).toBe('absent')
    expect(await valueOf(names, 'top.txt', world())).toBe('absent')
  })

  it('changes with a name or a mode, not with content, deeper names, or what git ignores', async () => {
    const { world, write, git } = ground({ 'src/b.js': '', 'src/a/x.js': '', '.gitignore': '*.log\n' })
    const before = await valueOf(names, 'src', world())
    write('src/b.js', 'changed')
    write('src/a/y.js', '')
    write('src/x.log', '')
    expect(await valueOf(names, 'src', world())).toBe(before)
    write('src/b.js', '', 0o755)
    expect(await valueOf(names, 'src', world())).not.toBe(before)
    write('src/b.js', '', 0o644)
    expect(await valueOf(names, 'src', world())).toBe(before)
    git('mv', 'src/b.js', 'src/c.js')
    expect(await valueOf(names, 'src', world())).not.toBe(before)
  })

  it('leads nowhere else', async () => {
    expect(await valueOf(names, '../x', ground().world())).toContain('leads out of the work tree')
    expect(await valueOf(names, '.git', ground().world())).toContain('is no part of the environment')
  })
})
