import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { askedBy } from '../../../../src/probes/reads/make/asked.ts'
import { ground } from '../../ground.ts'

const MAKEFILE = 'CFLAGS = -Wall\n-include local.mk\nOBJ = $(patsubst %,src/%.o,main sum)\n\napp: $(OBJ)\n\tcc -o $@ $^\n\nsrc/%.o: src/%.c include/all.h\n\tcc -c $<\n\ntest: app\n\t./app $$(ls src) src/*.c\n\n.PHONY: test\n'

describe('what a make asks for', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    ['what its makefile leads to', MAKEFILE, ['test'], ['Makefile', 'all', 'app', 'local', 'main', 'makefile', 'sum', 'test']],
    ['the goals too', 'a:\n', ['-C', '.', 'one.o', 'X=1'], ['a', 'one']],
    ['the makefile that is named', 'all:\n', ['-f', 'Makefile', 'all'], ['Makefile', 'all']],
    ['by the stem of a pattern', 'libone.so: \nlib%.so: %.x gen/%_y.z\n', [], ['Makefile', 'makefile', 'one']],
    ['by the stem of what a rule of its own leads to', 'foo.tab.o:\n%.tab.c: %.y\n', [], ['Makefile', 'foo', 'makefile']],
  ])('is %s', async (_, Makefile, args, parts) => {
    expect(await askedBy(args, '.', ground({ Makefile }).world())).toEqual(parts)
  })

  it.each<[string, string, readonly string[], Record<string, string>?]>([
    ['a pattern of files', 'a: $(wildcard src/*.c)\n', []],
    ['a pattern of files that nothing uses', 'X := $(wildcard src/*.c)\na:\n', []],
    ['one in a recipe', 'a:\n\techo $(wildcard *.c)\n', []],
    ['one as a prerequisite', 'a: src/*.c\n', []],
    ['one as a target', '*.x:\n\ttrue\n', []],
    ['one by a pattern rule', 'a.o:\n%.o: s*/%.c\n', []],
    ['a shell', 'X := $(shell ls)\na:\n', []],
    ['an assignment by a shell', 'X != ls\na:\n', []],
    ['a text as a makefile', 'X := $(eval b: c)\na:\n', []],
    ['a function over two lines', 'a:\n\techo $(wildcard\\\n *.c)\n', []],
    ['a function by another', 'f = $(1)\na:\n\techo $(call f,x)\n', []],
    ['conditions', 'ifdef X\na: b\nendif\nc:\n', []],
    ['folders that are searched', 'VPATH = src\na: b\n', []],
    ['folders that the environment has searched', 'a: b\n', [], { VPATH: 'src' }],
    ['flags of the environment', 'a: b\n', [], { MAKEFLAGS: 'r' }],
    ['a variable of the environment', 'a: $(X)\n', [], { X: 'y' }],
    ['a function of the environment in a recipe', 'a:\n\techo $(X)\n', [], { X: '$(wildcard *)' }],
    ['a function of the environment in a recipe of its own', 'a: a.o\n', [], { CFLAGS: '$(wildcard *)' }],
    ['a function of its words', 'a:\n\techo $(X)\n', ['X=$(wildcard *)']],
    ['a library', 'a: -lfoo\n', []],
    ['a member of an archive', 'a: lib.a(x.o)\n', []],
    ['a rule for all names', 'a: b\n%: %.x\n', []],
    ['names that are worked out late', '.SECONDEXPANSION:\na: $$@.c\n', []],
    ['makefiles from elsewhere', 'a:\n', ['-I', 'x']],
    ['a makefile from its standard input', 'a:\n', ['-f', '-']],
    ['a makefile among headers of the system', 'include stdio.h\na:\n', []],
    ['a library that it loads', 'load x.so\na:\n', []],
    ['no makefile', '', ['-f', 'none/of/it\u0007']],
  ])('is not told of %s', async (_, Makefile, args, env) => {
    expect(await askedBy(args, '.', ground({ Makefile, 'src/a.c': '' }).world({ env: env ?? {} }))).toBe(null)
  })
})

const name = fc.constantFrom('a', 'ab', 'main', 'sum.x', 'x.tab', 'lib_q', 'src/main', 'src/z', 'd/e/f')
const ending = fc.constantFrom('', '.o', '.c', '.y', '.x', '.tab.c', '.h', '.txt', '.sh', '.tex', '.s')
const file = fc.tuple(name, ending).map((parts) => parts.join(''))
const rule = fc.tuple(file, fc.array(file, { maxLength: 3 })).map(([target, all]) => `${target}: ${all.filter((one) => one !== target).join(' ')}\n\techo made $@ of $^\n`)
const pattern = fc.constantFrom('%.o: %.c\n\techo $< $@\n', 'd/%.o: src/%.c a.h\n\techo $< $@\n', 'lib_%.x: %.y\n\techo $<\n', '%.tab.c %.tab.h: %.y\n\techo $<\n', 'src/%: d/pre_%_post.in\n\techo $<\n', 's%.x: m%.txt | src\n\techo $<\n', '%.y: gen/%.q\n\techo $<\n')
const variable = fc.constantFrom('V = $(addsuffix .o,m n)\nall2: $(V)\n', 'W := src/p.c\nall3: $(W:.c=.o) $(notdir $(W))\n', '-include more.mk deps/x.d\n', '.PHONY: a main\n', 'CFLAGS += -O2\n')
const makefile = fc.tuple(fc.array(rule, { minLength: 1, maxLength: 4 }), fc.array(pattern, { maxLength: 3 }), fc.array(variable, { maxLength: 3 })).map((parts) => parts.flat().join(''))
const stray = fc.oneof(
  fc.tuple(file, fc.constantFrom('', '.c', '.o', ',v', '.y', '.sh', '.w', '.p', '.txt')).map((parts) => parts.join('')),
  fc.constantFrom('NOTES', 'src/extra.c', 'GNUmakefile', 'makefile', 'more.mk', 'more.mk.sh', 's.main', 'RCS/main.c,v', 'SCCS/s.ab', 'src/RCS/z.c', 'm.y', 'n.c', 'p.c', 'src/p.y', 'gen/main.q', 'src/pre_main_post.in', 'd/pre_z_post.in', 'mum.txt', 'q.y', 'x.y', 'local', 'Makefile.c', 'Makefile.sh', 'sum', 'zzz.o', 'src', 'deps/x.d'),
)

const hasMake = spawnSync('make', ['--version'], { encoding: 'utf8' }).stdout?.startsWith('GNU Make') === true

describe.runIf(hasMake)('what a make asks for, by what GNU make itself says', () => {
  const env = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

  it('holds one of the parts, whatever the makefile says', async () => {
    let tried = 0
    let changed = 0
    await fc.assert(
      fc.asyncProperty(makefile, fc.array(stray, { maxLength: 5 }), fc.array(stray, { minLength: 6, maxLength: 12 }), fc.option(file, { nil: null }), async (text, there, strays, goal) => {
        const made = ground()
        const write = (path: string): boolean => {
          try {
            mkdirSync(dirname(join(made.top, path)), { recursive: true })
            writeFileSync(join(made.top, path), '', { flag: 'wx' })
            return true
          } catch {
            return false
          }
        }
        made.write('Makefile', text)
        for (const path of there) if (!/akefile|\.mk|\.d$/.test(path)) write(path)
        const args = goal === null ? [] : [goal]
        const parts = await askedBy(args, '.', made.world())
        if (parts === null) return
        const run = (...more: string[]) => spawnSync('make', [...more, '-n', ...args], { cwd: made.top, env, encoding: 'utf8' })
        const holds = (path: string): boolean => parts.some((part) => (path.replace(/\/+$/, '').split('/').at(-1) ?? '').includes(part))
        for (const [, path = ''] of run('-d').stdout.matchAll(/^ *(?:Trying (?:implicit|rule) prerequisite|Considering target file|File|Looking for a rule with (?:implicit|explicit|intermediate) file|Reading makefile|Found an implicit rule for) '([^']+)'/gm)) {
          expect(holds(path), `${path} by ${text}`).toBe(true)
          tried += 1
        }
        const before = outcomeOf(run())
        for (const path of strays) {
          if (!write(path)) continue
          if (outcomeOf(run()) !== before) {
            changed += 1
            expect(path.split('/').some((step, i, all) => holds(step) || (i < all.length - 1 && holds(all.slice(0, i + 1).join('/')))), `${path} by ${text}`).toBe(true)
          }
          // Makefiles are made anew even where nothing else is.
          for (const one of [path, 'more.mk', 'deps/x.d']) rmSync(join(made.top, one), { force: true })
          made.write('Makefile', text)
        }
      }),
      { numRuns: 40, seed: 11 },
    )
    // Nothing is shown by what never happens.
    expect(tried).toBeGreaterThan(400)
    expect(changed).toBeGreaterThan(0)
  }, 120_000)
})

const outcomeOf = ({ status, stdout, stderr }: { status: number | null; stdout: string; stderr: string }): string => JSON.stringify([status, stdout, stderr.replace(/modification time .*|Clock skew.*/g, '')])
