import { describe, expect, it } from 'vitest'
import cmake from '../../src/signatures/cmake.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const RED = `Test project /repo/b
    Start 1: fine
1/3 Test #1: fine .............................   Passed    0.00 sec
    Start 2: bad
2/3 Test #2: bad ..............................***Failed    0.00 sec
checking
error: 3 rows are wrong

    Start 3: worse
Could not find executable nosuchprog
3/3 Test #3: worse ............................***Not Run   0.00 sec

33% tests passed, 2 tests failed out of 3

Total Test time (real) =   0.01 sec

The following tests FAILED:
	  2 - bad (Failed)
	  3 - worse (Not Run)
Errors while running CTest
Output from these tests are in: /repo/b/Testing/Temporary/LastTest.log
Use "--rerun-failed --output-on-failure" to re-run the failed cases verbosely.
`
const GREEN = 'Test project /repo/b\n1/1 Test #1: fine .............................   Passed    0.00 sec\n\n100% tests passed, 0 tests failed out of 1\n\nTotal Test time (real) =   0.00 sec\n'
const configured = (head: string, said: string) => `-- Detecting C compile features - done\nCMake Error at CMakeLists.txt:3${head}:\n${said}\n\n\n-- Configuring incomplete, errors occurred!\nSee also "/repo/b/CMakeFiles/CMakeOutput.log".\n`
const PACKAGE = configured(' (find_package)', '  By not providing "FindNope.cmake" in CMAKE_MODULE_PATH this project has\n  asked CMake to find a package configuration file provided by "Nope", but\n  CMake did not find one.\n\n  Could not find a package configuration file provided by "Nope" with any of\n  the following names:')

describe('CMake', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['cmake -S . -B build', 'cmake --build build', 'ctest --test-dir build', 'ctest']) expect(knowing(line)).toEqual(['cmake'])
  })

  it.each([
    ['cmake --build build', { verifies: true, delegates: true, keys: ['tool:p/cmake', 'file:p/CMakeLists.txt', 'file:p/CMakePresets.json'] }],
    ['cmake -S src -B build', { verifies: false, delegates: false, keys: ['tool:p/cmake', 'file:p/src/CMakeLists.txt', 'file:p/src/CMakePresets.json'] }],
    ['ctest', { verifies: true, delegates: false, keys: ['tool:p/ctest', 'file:p/CMakeLists.txt', 'file:p/CMakePresets.json'] }],
    ['ctest -N', { verifies: false }],
    ['cmake --version', { verifies: true, readsSources: false, keys: ['tool:p/cmake'] }],
  ])('verifies where it builds or tests: %s', (line, invocation) => {
    expect(cmake.knows(typed(line, 'p'))).toMatchObject(invocation)
  })

  it.each([
    ['passed', GREEN, { passed: true }],
    ['failed', RED, { passed: false }],
    ['not configured', PACKAGE, { passed: false }],
    ['none found', 'Test project /repo/b\nNo tests were found!!!\n', null],
    ['cut short', '100% tests passed, 0 tests failed out of 1\n', null],
    ['built', '[100%] Built target a\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(cmake.summary(output)).toEqual(summary)
  })

  it('names failed tests, and what they printed where that was shown', () => {
    expect(failureOf(cmake, 'ctest', RED, 8)).toEqual({ class: 'red', lines: ['test bad (Failed)', 'error: 3 rows are wrong', 'test worse (Not Run)'], keys: [] })
  })

  it.each([
    ['cmake -S . -B b', PACKAGE, null, [`CMake Error at CMakeLists.txt (find_package): By not providing "FindNope.cmake" in CMAKE_MODULE_PATH this project has asked CMake to find a package configuration file provided by "Nope", but CMake did not find one. Could not find a package configuration file provided by "Nope" with any of the follow`], []],
    ['cmake .', configured(' (message)', '  we stop here\n\n  because'), 'red', ['CMake Error at CMakeLists.txt (message): we stop here because'], []],
    ['cmake .', configured('', '  Parse error.  Function missing ending ")".  End of file reached.'), 'red', ['CMake Error at CMakeLists.txt: Parse error. Function missing ending ")". End of file reached.'], []],
    ['cmake .', configured(' (cmake_minimum_required)', '  CMake 9.10 or higher is required.  You are running version 3.25.1'), 'dependency', ['CMake Error at CMakeLists.txt (cmake_minimum_required): CMake 9.10 or higher is required.'], ['tool:p/cmake']],
    ['cmake -S nope -B b', 'CMake Error: The source directory "/repo/p/nope" does not exist.\nSpecify --help for usage, or press the help button on the CMake GUI.\n', 'path-missing', ['CMake Error: The source directory "/repo/p/nope" does not exist.'], ['absent:p/nope']],
    ['cmake --build nope', 'Error: /repo/p/nope is not a directory\n', 'path-missing', ['Error: /repo/p/nope is not a directory'], ['absent:p/nope']],
    ['ctest --test-dir nope', 'Internal ctest changing into directory: /repo/p/nope\nFailed to change working directory to "/repo/p/nope" : No such file or directory\n', 'path-missing', ['Failed to change working directory to "/repo/p/nope" : No such file or directory'], ['absent:p/nope']],
    ['cmake --bogus', "CMake Error: Unknown argument --bogus\nCMake Error: Run 'cmake --help' for all supported options.\n", 'usage', ['CMake Error: Unknown argument --bogus'], ['tool:p/cmake']],
    ['cmake -G Nope .', 'CMake Error: Could not create named generator Nope\n\nGenerators\n', 'usage', ['CMake Error: Could not create named generator Nope'], ['tool:p/cmake']],
  ])('tells classes apart: %s', (line, output, kind, lines, keys) => {
    expect(failureOf(cmake, line, output, 1, 'p')).toEqual({ class: kind, lines, keys })
  })

  it('passes over tests that only took too long', () => {
    expect(cmake.failure(ended('ctest', RED.replace('bad (Failed)', 'bad (Timeout)').replace('\t  3 - worse (Not Run)\n', ''), 8))).toBe('transient')
    expect(cmake.failure(ended('cmake --build b', 'gmake: *** [Makefile:101: all] Error 2\n', 2))).toBeNull()
  })

  it('gives one signature under another path, line and time', () => {
    expect(settled(failureOf(cmake, 'ctest', RED.replaceAll('/repo', '/srv/x').replaceAll('0.00 sec', '1.20 sec')))).toEqual(settled(failureOf(cmake, 'ctest', RED)))
    expect(failureOf(cmake, 'cmake .', PACKAGE.replace('txt:3', 'txt:30')).lines).toEqual(failureOf(cmake, 'cmake .', PACKAGE).lines)
  })
})
