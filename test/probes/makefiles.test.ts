import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import makefiles from '../../src/probes/makefiles.ts'
import { ground, valueOf } from './ground.ts'

const HASH = /^[0-9a-f]{64}$/
const RULE = 'test:\n\ttrue\n'

interface Shape {
  readonly files: Readonly<Record<string, string>>
  readonly argument?: string
  readonly env?: Readonly<Record<string, string>>
}

/** Whether a change of one file changes the value. */
async function counts({ files, argument = '["."]', env = {} }: Shape, path: string, text: string | null = 'X = changed\n'): Promise<boolean> {
  const { top, write, world, git } = ground({ '.gitignore': '*.local.mk\nignored/\n', ...files })
  const before = await valueOf(makefiles, argument, world({ env }))
  expect(before).toMatch(HASH)
  if (text === null) git('rm', '-qf', path)
  else if (path.startsWith('../')) writeFileSync(join(top, path), text)
  else write(path, text)
  return (await valueOf(makefiles, argument, world({ env }))) !== before
}

describe('makefiles', () => {
  it.each<[string, Shape, string, boolean]>([
    ['the makefile', { files: { Makefile: RULE } }, 'Makefile', true],
    ['one before it in the order', { files: { Makefile: RULE } }, 'GNUmakefile', true],
    ['one behind it in the order', { files: { GNUmakefile: RULE, Makefile: RULE } }, 'Makefile', false],
    ['one that is included', { files: { Makefile: `include local.mk\n${RULE}`, 'local.mk': '' } }, 'local.mk', true],
    ['one that may be included', { files: { Makefile: `-include local.mk\n${RULE}` } }, 'local.mk', true],
    ['one that git ignores', { files: { Makefile: `-include my.local.mk\n${RULE}` } }, 'my.local.mk', true],
    ['one that an included one includes', { files: { Makefile: `include a.mk\n${RULE}`, 'a.mk': 'sinclude b.inc\n' } }, 'b.inc', true],
    ['one in a branch of a condition', { files: { Makefile: `ifdef CI\n  include ci.mk\nendif\n${RULE}`, 'ci.mk': '' } }, 'ci.mk', true],
    ['one by a variable', { files: { Makefile: `DIR := build\ninclude $(DIR)/rules.conf\n${RULE}`, 'build/rules.conf': '' } }, 'build/rules.conf', true],
    ['one by a pattern', { files: { Makefile: `include build/*.mk\n${RULE}`, 'build/a.mk': '' } }, 'build/a.mk', true],
    ['one that only running tells', { files: { Makefile: `-include $(shell ls parts)\n${RULE}`, 'parts/a.mk': '' } }, 'parts/a.mk', true],
    ['a new one, where only running tells', { files: { Makefile: `-include $(wildcard *.mk)\n${RULE}` } }, 'new.local.mk', true],
    ['the named one', { files: { 'other.mk': RULE }, argument: '[".","-f","other.mk"]' }, 'other.mk', true],
    ['the usual one, where another is named', { files: { Makefile: RULE, 'other.mk': RULE }, argument: '[".","-f","other.mk"]' }, 'Makefile', false],
    ['one in a folder that is searched', { files: { Makefile: `include a.mk\n${RULE}`, 'inc/a.mk': '' }, argument: '[".","-I","inc"]' }, 'inc/a.mk', true],
    ['one of another folder', { files: { 'sub/Makefile': `include ../shared.mk\n${RULE}`, 'shared.mk': '' }, argument: '["sub"]' }, 'shared.mk', true],
    ['one of the environment', { files: { Makefile: RULE, 'first.mk': '' }, env: { MAKEFILES: 'first.mk' } }, 'first.mk', true],
    ['one that the command itself puts first', { files: { Makefile: RULE, 'first.mk': '' }, argument: '[".","MAKEFILES=first.mk"]' }, 'first.mk', true],
    ['one by a variable that the command sets', { files: { Makefile: `CONF := dev\ninclude $(CONF).inc\n${RULE}`, 'dev.inc': '', 'ci.inc': '' }, argument: '[".","CONF=ci"]' }, 'ci.inc', true],
    ['one by a variable that the command sets otherwise', { files: { Makefile: `CONF := dev\ninclude $(CONF).inc\n${RULE}`, 'dev.inc': '', 'ci.inc': '' }, argument: '[".","CONF=ci"]' }, 'dev.inc', false],
    ['one by a variable that overrides the command', { files: { Makefile: `override CONF := dev\ninclude $(CONF).mk\n${RULE}`, 'dev.mk': '', 'ci.mk': '' }, argument: '[".","CONF=ci"]' }, 'dev.mk', true],
    ['one outside', { files: { Makefile: `include ../outside.mk\n${RULE}` }, argument: '["."]' }, '../outside.mk', true],
    ['a source', { files: { Makefile: `include local.mk\n${RULE}`, 'local.mk': '', 'a.c': '' } }, 'a.c', false],
    ['a makefile that nothing includes', { files: { Makefile: RULE, 'local.mk': '' } }, 'local.mk', false],
    ['what a comment or a recipe speaks of', { files: { Makefile: `# include local.mk\ntest:\n\tinclude local.mk\n` } }, 'local.mk', false],
  ])('%s counts, or not', async (_, shape, path, does) => {
    expect(await counts(shape, path)).toBe(does)
  })

  it('are another where one goes away', async () => {
    expect(await counts({ files: { Makefile: `-include local.mk\n${RULE}`, 'local.mk': '' } }, 'local.mk', null)).toBe(true)
  })

  it('end where they include one another', async () => {
    expect(await valueOf(makefiles, '["."]', ground({ Makefile: 'include a.mk\n', 'a.mk': 'include Makefile\ninclude a.mk\n' }).world())).toMatch(HASH)
  })

  it.each(['', '[]', '{}', '[1]', 'x'])('are none by %j', async (argument) => {
    expect(await valueOf(makefiles, argument, ground().world())).toContain('it names no folder')
  })
})
