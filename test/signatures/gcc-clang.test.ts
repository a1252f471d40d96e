import { describe, expect, it } from 'vitest'
import gcc from '../../src/signatures/gcc-clang.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `a.c: In function ‘main’:
a.c:4:11: error: ‘undeclared_thing’ undeclared (first use in this function)
    4 |   int y = undeclared_thing;
      |           ^~~~~~~~~~~~~~~~
a.c:4:11: note: each undeclared identifier is reported only once for each function it appears in
a.c:5:19: warning: initialization of ‘const char *’ from ‘int’ makes pointer from integer without a cast [-Wint-conversion]
a.c:6:19: error: expected ‘;’ before ‘}’ token
    6 |   return helper(y)
`
const WERROR = 'w.c: In function ‘main’:\nw.c:1:22: error: unused variable ‘unused’ [-Werror=unused-variable]\n    1 | int main(void) { int unused; return 0; }\ncc1: all warnings being treated as errors\n'
const LINKER = "/usr/bin/ld: /tmp/ccq1ktXh.o: in function `main':\nb.c:(.text+0xa): undefined reference to `helper'\ncollect2: error: ld returned 1 exit status\n"
const TWICE = "/usr/bin/ld: /tmp/ccgnUXBr.o: in function `f':\ndup2.c:(.text+0x0): multiple definition of `f'; /tmp/ccSvNfkG.o:dup1.c:(.text+0x0): first defined here\ncollect2: error: ld returned 1 exit status\n"
const LLD = 'ld.lld: error: undefined symbol: helper\n>>> referenced by b.c\nclang: error: linker command failed with exit code 1 (use -v to see invocation)\n'
const MACOS = 'Undefined symbols for architecture arm64:\n  "_helper", referenced from:\n      _main in b-1f2e3d.o\nld: symbol(s) not found for architecture arm64\nclang: error: linker command failed with exit code 1 (use -v to see invocation)\n'
const header = (text: string, name: string) => `inc.c:1:10: fatal error: ${name}: No such file or directory\n    1 | #include ${text}\n      |          ^~~~~~~~\ncompilation terminated.\n`

describe('gcc and clang', () => {
  it('know their own commands, alone', () => {
    for (const line of ['gcc x.c', 'g++ -c x.cc', 'cc x.c', 'clang-15 x.c', 'clang++ x.cpp', 'x86_64-linux-gnu-gcc-12 x.c', '/usr/bin/gcc x.c']) expect(knowing(line)).toEqual(['gcc-clang'])
    for (const line of ['clang-format x.c', 'clang-tidy x.c', 'gccgo x.go', 'ccache x']) expect(gcc.knows(typed(line))).toBeNull()
  })

  it.each([
    ['gcc -Wall -o app main.c src/x.c', true, ['tool:p/gcc', 'file:p/main.c', 'file:p/src/x.c']],
    ['cc main.o -o app', true, ['tool:p/cc']],
    ['gcc --version', true, ['tool:p/gcc']],
    ['gcc -dumpmachine', true, ['tool:p/gcc']],
    ['gcc -E main.c', false, ['tool:p/gcc', 'file:p/main.c']],
    ['gcc --help', false, ['tool:p/gcc']],
    ['gcc', false, ['tool:p/gcc']],
  ])('verify with %s: %s', (line, verifies, keys) => {
    expect(gcc.knows(typed(line, 'p'))).toMatchObject({ verifies, delegates: false, keys })
  })

  it.each([
    ['gcc, a header', header('"nope.h"', 'nope.h'), { passed: false }],
    ['gcc, warnings', WERROR, { passed: false }],
    ['the linker', LINKER, { passed: false }],
    ['clang', 'a.c:1:2: error: x\n1 warning and 2 errors generated.\n', { passed: false }],
    ['warned', 'a.c:1:2: warning: x\n1 warning generated.\n', null],
    ['silent', '', null],
  ])('close: %s', (_, output, summary) => {
    expect(gcc.summary(output)).toEqual(summary)
  })

  it.each([
    ['compiler', RED, ['a.c: error: ‘undeclared_thing’ undeclared (first use in this function)', 'a.c: error: expected ‘;’ before ‘}’ token']],
    ['compiler, warnings', WERROR, ['w.c: error: unused variable ‘unused’ [-Werror=unused-variable]']],
    ['header of the repository', header('"nope.h"', 'nope.h'), ['inc.c: error: nope.h: No such file or directory']],
    ['linker', LINKER, ["b.c: undefined reference to `helper'"]],
    ['linker, whose object is made up', "/usr/bin/ld: /tmp/ccq1ktXh.o: undefined reference to `helper'\n", ["ld: undefined reference to `helper'"]],
    ['linker, with lines', "/usr/bin/ld: src/main.c:12: undefined reference to `helper'\n", ["src/main.c: undefined reference to `helper'"]],
    ['linker, twice', TWICE, ["dup2.c: multiple definition of `f'"]],
    ['linker of LLVM', LLD, ['ld: undefined symbol: helper']],
    ['linker of macOS', MACOS, ['ld: "_helper", referenced from:']],
  ])('say what the %s says', (_, output, lines) => {
    expect(failureOf(gcc, 'gcc x.c', output)).toEqual({ class: 'red', lines, keys: [] })
  })

  it.each([
    ['gcc -c nope.c', 'cc1: fatal error: nope.c: No such file or directory\ncompilation terminated.\n', 'path-missing', ['absent:p/nope.c']],
    ['clang nope.c', "clang: error: no such file or directory: 'nope.c'\nclang: error: no input files\n", 'path-missing', ['absent:p/nope.c']],
    ['cc', 'cc: fatal error: no input files\ncompilation terminated.\n', 'usage', ['tool:p/cc']],
    ['gcc b.c -lnopelib', '/usr/bin/ld: cannot find -lnopelib: No such file or directory\ncollect2: error: ld returned 1 exit status\n', null, []],
    ['gcc inc.c', header('<openssl/nope.h>', 'openssl/nope.h'), null, []],
    ['gcc inc.c', header('<openssl/nope.h>', 'openssl/nope.h') + RED, 'red', []],
  ])('tell classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(gcc, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('leave unknown options to the fallback, and places in other languages to others', () => {
    expect(gcc.failure(ended('gcc --bogus a.c', 'gcc: error: unrecognized command-line option ‘--bogus’\n'))).toBeNull()
    expect(gcc.failure(ended('make', 'a.py:3: error: Name "x" is not defined\nA.java:3: error: cannot find symbol\n'))).toBeNull()
  })

  it('give one signature under another path, line, object and offset', () => {
    const other = LINKER.replace('ccq1ktXh', 'ccZZ99aa').replace('0xa', '0x1f4')
    expect(settled(failureOf(gcc, 'gcc b.c', other))).toEqual(settled(failureOf(gcc, 'gcc b.c', LINKER)))
    expect(failureOf(gcc, 'gcc a.c', RED.replaceAll(':4:11', ':40:1')).lines).toEqual(failureOf(gcc, 'gcc a.c', RED).lines)
  })
})
