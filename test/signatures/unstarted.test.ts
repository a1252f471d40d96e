import { describe, expect, it } from 'vitest'
import { toolchains } from '../../src/signatures.ts'
import type { Toolchain } from '../../src/model/toolchain.ts'
import { isUnstarted } from './asking.ts'

const named = (id: string): Toolchain => toolchains.find((one) => one.id === id) as Toolchain
const TAP = 'TAP version 13\n# Subtest: adds\nnot ok 1 - adds\n  ---\n  failureType: \'testCodeFailure\'\n  error: \'1 !== 2\'\n  code: \'ERR_ASSERTION\'\n  name: \'AssertionError\'\n  ...\n1..1\n# tests 1\n# pass 0\n# fail 1\n'
const FAILED = '======================================================================\nFAIL: test_a (tests.test_a.A.test_a)\n----------------------------------------------------------------------\nTraceback (most recent call last):\n  File "tests/test_a.py", line 4, in test_a\n    self.assertEqual(1, 2)\nAssertionError: 1 != 2\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nFAILED (failures=1)\n'
const GONE = '======================================================================\nERROR: tests (unittest.loader._FailedTest.tests)\n----------------------------------------------------------------------\nImportError: Failed to import test module: tests\nTraceback (most recent call last):\n  File "/usr/lib/python3/unittest/loader.py", line 137, in loadTestsFromName\n    module = __import__(module_name)\nModuleNotFoundError: No module named \'tests.gone\'\n\n\n----------------------------------------------------------------------\nRan 1 test in 0.000s\n\nFAILED (errors=1)\n'

describe('a runner that did not find what it was told to run', () => {
  it.each([
    ['make', 'make test', "make: *** No rule to make target 'test'.  Stop.\n"],
    ['make', 'make -C .. test', "make: *** No rule to make target 'test'.  Stop.\n"],
    ['make', 'make', 'make: *** No targets specified and no makefile found.  Stop.\n'],
    ['package-scripts', 'npm test', 'npm error Missing script: "test"\nnpm error\nnpm error To see a list of scripts, run:\n'],
    ['package-scripts', 'npm t', 'npm error Missing script: "test"\n'],
    ['package-scripts', 'npm test -w b', 'npm error No workspaces found:\nnpm error   --workspace=b\n'],
    ['package-scripts', 'npm test', 'npm ERR! Missing script: "test"\n'],
    ['package-scripts', 'pnpm run check', ' ERR_PNPM_NO_SCRIPT  Missing script: check\n'],
    ['python', 'python3 -m nowhere', '/usr/bin/python3: No module named nowhere\n'],
    ['python', 'python3 tests/run.py', "python3: can't open file '/srv/app/tests/run.py': [Errno 2] No such file or directory\n"],
    ['unittest', 'python3 -m unittest tests.gone', GONE],
    ['pytest', 'pytest tests/gone', 'ERROR: file or directory not found: tests/gone\n'],
    ['pytest', 'pytest tests/test_a.py::gone', "ERROR: not found: /srv/app/tests/test_a.py::gone\n(no match in any of [<Module test_a.py>])\n"],
    ['node-test', 'node --test test/gone.js', "Could not find 'test/gone.js'\n"],
    ['node', 'node test.js', "node:internal/modules/cjs/loader:1\nError: Cannot find module '/srv/app/test.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1:1)\n\nNode.js v20.0.0\n"],
    ['shell', 'sh check.sh', 'sh: 0: cannot open check.sh: No such file\n'],
    ['mocha', 'mocha gone.js', 'Error: No test files found: "gone.js"\n'],
  ])('is told by %s: %s', (id, line, output) => {
    expect(isUnstarted(named(id), line, output, 2)).toBe(true)
  })

  it.each([
    ['make', 'make test', 'echo no\nError: no\nmake: *** [Makefile:2: test] Error 1\n'],
    ['make', 'make test', "make: *** No rule to make target 'x'.  Stop.\nok 1\nok 2\nError: the total is wrong\nmake: *** [Makefile:2: test] Error 1\n"],
    ['make', 'make test', "make: *** No rule to make target 'a.c', needed by 'test'.  Stop.\n"],
    ['make', 'make test', "ci.mk: No such file or directory\nmake: *** No rule to make target 'ci.mk'.  Stop.\n"],
    ['make', 'make test', "make[1]: *** No rule to make target 'test'.  Stop.\nmake: *** [Makefile:2: test] Error 2\n"],
    ['package-scripts', 'npm test', '\n> a@1.0.0 test\n> npm run build && node t.js\n\nnpm error Missing script: "build"\nnpm error\n'],
    ['package-scripts', 'npm test', '\n> test\n> cd b && npm test\n\nnpm error Missing script: "test"\nnpm error\n'],
    ['package-scripts', 'npm test', 'npm error Missing script: "build"\n'],
    ['package-scripts', 'npm test', 'Error: the total is wrong\n'],
    ['unittest', 'python3 -m unittest tests.test_a', FAILED],
    ['node-test', 'node --test test/a.test.js', TAP],
    ['node', 'node test.js', "node:internal/modules/cjs/loader:1\nError: Cannot find module './gone.js'\nRequire stack:\n- /srv/app/test.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1:1)\n\nNode.js v20.0.0\n"],
  ])('is no matter of what failed when it ran: %s', (id, line, output) => {
    expect(isUnstarted(named(id), line, output, 1)).toBe(false)
  })
})
