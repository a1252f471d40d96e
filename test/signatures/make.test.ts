import { describe, expect, it } from 'vitest'
import make from '../../src/signatures/make.ts'
import { ended, failureOf, knowing, typed } from './asking.ts'

const FILES = ['tool:make', 'file:GNUmakefile', 'file:makefile', 'file:Makefile']
const COMPILE = 'gcc -c a.c\na.c: In function ‘main’:\na.c:1:20: error: ‘x’ undeclared (first use in this function)\n    1 | int main(){ return x; }\nmake: *** [Makefile:10: cc] Error 1\n'

describe('make', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['make', 'make test', 'gmake -j4 all']) expect(knowing(line)).toEqual(['make'])
  })

  it.each([
    ['make test', [...FILES, 'makefiles:["."]']],
    ['make -f ci.mk test', ['tool:make', 'file:ci.mk', 'makefiles:[".","-f","ci.mk"]']],
    ['make -fci.mk -Iinc --include-dir=more test', ['tool:make', 'file:GNUmakefile', 'file:makefile', 'file:Makefile', 'makefiles:[".","-f","ci.mk","-I","inc","-I","more"]']],
    ['make -C sub test', ['tool:make', 'file:sub/GNUmakefile', 'file:sub/makefile', 'file:sub/Makefile', 'makefiles:["sub"]']],
    ['make -C .. test', FILES],
  ])('rests on the makefile: %s', (line, keys) => {
    expect(make.knows(typed(line))).toMatchObject({ delegates: true, keys })
  })

  it.each([['make test', true], ['make lint test', true], ['make -j 4 all', true], ['make --version', true], ['make', false], ['make deploy', false], ['make test publish', false], ['make -n test', false], ['make --dry-run test', false], ['make run', false]])('verifies with %s: %s', (line, verifies) => {
    expect(make.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['stopped', COMPILE, { passed: false }],
    ['went on', 'make: *** [Makefile:2: all] Error 1\nmore\n', null],
    ['ignored', 'false\nmake: [Makefile:14: warn] Error 1 (ignored)\n', null],
    ['nothing to do', "make: Nothing to be done for 'all'.\n", null],
  ])('closes: %s', (_, output, summary) => {
    expect(make.summary(output)).toEqual(summary)
  })

  it('says what the compiler said, then which target stopped', () => {
    expect(failureOf(make, 'make cc', COMPILE, 2)).toEqual({ class: 'red', lines: ['a.c:1:20: error: ‘x’ undeclared (first use in this function)', 'make: *** [Makefile:10: cc] Error 1'], keys: [] })
    expect(failureOf(make, 'make all', 'false\nmake: *** [Makefile:2: all] Error 1\n', 2).lines).toEqual(['false', 'make: *** [Makefile:2: all] Error 1'])
    expect(failureOf(make, 'make all', './check\nerror: 3 rows are wrong\nbye\nmake: *** [Makefile:2: all] Error 1\n', 2).lines).toEqual(['error: 3 rows are wrong', 'make: *** [Makefile:2: all] Error 1'])
    expect(failureOf(make, 'make all', 'Makefile:2: *** missing separator.  Stop.\n', 2)).toEqual({ class: 'red', lines: ['Makefile:2: *** missing separator. Stop.'], keys: [] })
  })

  it.each([
    ['make nope', "make: *** No rule to make target 'nope'.  Stop.\n", 'usage', [...FILES, 'absent:nope', 'env:MAKEFILES', 'tree:.']],
    ['make dep', "make: *** No rule to make target 'nope.c', needed by 'dep'.  Stop.\n", 'path-missing', [...FILES, 'absent:nope.c', 'env:MAKEFILES', 'tree:.']],
    ['make -C sub nope', "make: *** No rule to make target 'nope'.  Stop.\n", 'usage', ['tool:make', 'file:sub/GNUmakefile', 'file:sub/makefile', 'file:sub/Makefile', 'absent:sub/nope', 'env:MAKEFILES', 'tree:.']],
    ['make -Csub --directory=deep nope', "make: *** No rule to make target 'nope'.  Stop.\n", 'usage', ['tool:make', 'file:sub/deep/GNUmakefile', 'file:sub/deep/makefile', 'file:sub/deep/Makefile', 'absent:sub/deep/nope', 'env:MAKEFILES', 'tree:.']],
    ['make -C sub', 'make: *** sub: No such file or directory.  Stop.\n', 'path-missing', ['absent:sub']],
    ['make -C a --directory=b/c test', 'make: *** b/c: No such file or directory.  Stop.\n', 'path-missing', ['absent:a/b/c']],
    ['make -C ../sub', 'make: *** ../sub: No such file or directory.  Stop.\n', null, []],
    ['make -C .. nope', "make: *** No rule to make target 'nope'.  Stop.\n", null, []],
    ['make -C sub -f nope.mk', "make: nope.mk: No such file or directory\nmake: *** No rule to make target 'nope.mk'.  Stop.\n", 'path-missing', ['absent:sub/nope.mk']],
    ['make', 'make: *** No targets specified and no makefile found.  Stop.\n', 'path-missing', ['absent:GNUmakefile', 'absent:makefile', 'absent:Makefile']],
    ['make -f nope.mk', "make: nope.mk: No such file or directory\nmake: *** No rule to make target 'nope.mk'.  Stop.\n", 'path-missing', ['absent:nope.mk']],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(make, line, output, 2)).toMatchObject({ class: kind, keys })
  })

  it('leaves missing and forbidden programs to the fallback', () => {
    expect(make.failure(ended('make miss', 'make: nopetool: No such file or directory\nmake: *** [Makefile:4: miss] Error 127\n', 2))).toBeNull()
    expect(make.failure(ended('make test', 'ok\n', 2))).toBeNull()
    expect(make.failure(ended('make -C sub', 'make: *** other: No such file or directory.  Stop.\n', 2))).toBeNull()
  })

  it('passes over what was killed', () => {
    expect(make.failure(ended('make sig', 'make: *** [Makefile:19: sig] Killed\n', 2))).not.toMatchObject({ class: 'red' })
  })
})
