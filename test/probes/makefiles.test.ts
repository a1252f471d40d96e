import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import makefiles from '../../src/probes/makefiles.ts'
import { ground, valueOf } from './ground.ts'

const HASH = /^[0-9a-f]{64}$/
const RULE = 'test:\n\ttrue\n'

const SUB = { 'sub/Makefile': '-include inc.mk\ntest:\n\ttrue\n', 'sub/inc.mk': '', 'sub/a.c': '' }
/** Ways in which a recipe starts a make in `sub`. */
const SUBMAKES: readonly (readonly [string, string])[] = [
  ['-C', '\t$(MAKE) -C sub test\n'],
  ['-C in one word', '\t@${MAKE} -kCsub $@\n'],
  ['its name', '\t+make --no-print-directory --directory=sub test\n'],
  ['cd', '\tcd sub && make test\n'],
  ['cd in brackets', '\t@(cd ./sub; $(MAKE) test)\n'],
  ['a branch', '\tif true; then cd sub; $(MAKE) test; fi\n'],
  ['two lines', '\tcd sub && \\\n\t  $(MAKE) test\n'],
  ['a variable', '\t$(MAKE) -C $(DIR) test\nDIR := sub\n'],
  ['a command of a variable', '\t$(SUBMAKE) test\nSUBMAKE = $(MAKE) -C sub\n'],
  ['its own folder', '\t$(MAKE) -C $(CURDIR)/sub test\n'],
  ['a condition', 'ifdef CI\n\t$(MAKE) -C sub test\nendif\n'],
]

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
    ...SUBMAKES.flatMap(([what, recipe]): [string, Shape, string, boolean][] => [
      [`that of a make in a recipe, by ${what},`, { files: { Makefile: `test:\n${recipe}`, ...SUB } }, 'sub/Makefile', true],
      [`what that one includes, by ${what},`, { files: { Makefile: `test:\n${recipe}`, ...SUB } }, 'sub/inc.mk', true],
      [`one that comes before that one, by ${what},`, { files: { Makefile: `test:\n${recipe}`, ...SUB } }, 'sub/GNUmakefile', true],
      [`a source, by ${what},`, { files: { Makefile: `test:\n${recipe}`, ...SUB } }, 'sub/a.c', false],
    ]),
    ['that of a make in another folder than the one that is started', { files: { Makefile: 'test:\n\t$(MAKE) -C sub\n', ...SUB, 'other/Makefile': '' } }, 'other/Makefile', false],
    ['that of any make, where only running tells', { files: { Makefile: 'test:\n\t$(MAKE) -C $(shell pwd)/sub\n', ...SUB, 'other/Makefile': '' } }, 'other/Makefile', true],
    ['that of any make, where a shell goes through folders', { files: { Makefile: 'test:\n\tfor d in *; do $(MAKE) -C $$d; done\n', ...SUB } }, 'sub/Makefile', true],
    ['that of any make, where it is a target', { files: { Makefile: 'test: sub\nsub:\n\t$(MAKE) -C $@\n', ...SUB } }, 'sub/Makefile', true],
    ['that of any make, where its options are not known', { files: { Makefile: 'test:\n\t$(MAKE) $(X) y\n', ...SUB } }, 'sub/Makefile', true],
    ['one of a make in a recipe, by name', { files: { Makefile: 'test:\n\tmake -C sub -f build.rules $@\n', 'sub/build.rules': '', ...SUB } }, 'sub/build.rules', true],
    ['one of a make in a recipe, by a variable that the command sets', { files: { Makefile: 'test:\n\t$(MAKE) -C sub $@\n', 'sub/Makefile': 'CONF = dev\ninclude $(CONF).inc\n' }, argument: '[".","CONF=ci"]' }, 'sub/ci.inc', true],
    ['one of a make in a recipe, by a variable that the recipe sets', { files: { Makefile: 'test:\n\t$(MAKE) -C sub CONF=ci\n', 'sub/Makefile': 'CONF = dev\ninclude $(CONF).inc\n' } }, 'sub/ci.inc', true],
    ['one of a make outside', { files: { Makefile: 'test:\n\t$(MAKE) -C .. -f outside.mk\n' } }, '../outside.mk', true],
    ['one of a make in a make in a make', { files: { Makefile: 'test:\n\t$(MAKE) -C sub\n', 'sub/Makefile': 'x:\n\tcd deep && $(MAKE)\n', 'sub/deep/Makefile': '' } }, 'sub/deep/Makefile', true],
    ['that of a make that only a comment speaks of', { files: { Makefile: '# $(MAKE) -C sub\ntest:\n\ttrue\n', ...SUB } }, 'sub/Makefile', false],
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
    expect(await valueOf(makefiles, '["."]', ground({ Makefile: 'a:\n\t$(MAKE) b\n\t$(MAKE) -C sub\n', 'sub/Makefile': 'a:\n\tmake -C ..\n' }).world())).toMatch(HASH)
  })

  it('are of no more makes than can be told', async () => {
    expect(await valueOf(makefiles, '["."]', ground({ Makefile: 'a:\n\tcd a && $(MAKE)\n', 'a/Makefile': 'a:\n\t$(MAKE) X=$(X)x Y$(Y)=1 -C ../a Z=$(Z)x\n' }).world())).toMatch(HASH)
    expect(await valueOf(makefiles, '["."]', ground({ Makefile: Array.from({ length: 60 }, (_, i) => `a${i}:\n\t$(MAKE) -C d${i}\n`).join('') }).world())).toContain('more makes than can be told')
  })

  it.each(['', '[]', '{}', '[1]', 'x'])('are none by %j', async (argument) => {
    expect(await valueOf(makefiles, argument, ground().world())).toContain('it names no folder')
  })
})
