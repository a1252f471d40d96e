import { describe, expect, it } from 'vitest'
import gradle from '../../src/signatures/gradle.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const wrong = (words: string) => `
FAILURE: Build failed with an exception.

* What went wrong:
${words}

* Try:
> Run with --stacktrace option to get the stack trace.
> Get more help at https://help.gradle.org.

BUILD FAILED in 3s
2 actionable tasks: 2 executed
`
const RED = `> Task :compileJava UP-TO-DATE
> Task :test FAILED

IntellijVersionsTest > shouldResolve() FAILED
    org.opentest4j.AssertionFailedError at IntellijVersionsTest.kt:23

CalculatorTest > adds() FAILED
    java.lang.AssertionError: expected:<3> but was:<2>
        at org.junit.Assert.fail(Assert.java:89)

4 tests completed, 2 failed
${wrong("Execution failed for task ':test'.\n> There were failing tests. See the report at: file:///repo/build/reports/tests/test/index.html")}`
const UNCOMPILED = `> Task :compileJava FAILED
/repo/src/main/java/demo/A.java:2: error: cannot find symbol
public class A { int add() { return c; } }
                                    ^
  symbol:   variable c
  location: class A
1 error
${wrong("Execution failed for task ':compileJava'.\n> Compilation failed; see the compiler error output for details.")}`
const FILES = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts']

describe('Gradle', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['gradle test', './gradlew :app:test', '../gradlew check', 'gradlew.bat test']) expect(knowing(line)).toEqual(['gradle'])
  })

  it('rests on its build files up to the root, its wrapper and Java', () => {
    expect(gradle.knows(typed('./gradlew test', 'app'))?.keys).toEqual(expect.arrayContaining(['file:app/gradlew', 'tool:app/java', 'file:app/build.gradle.kts', 'file:settings.gradle', 'file:gradle/wrapper/gradle-wrapper.properties']))
  })

  it.each([
    ['./gradlew test', true], ['./gradlew clean build', true], ['gradle :app:check --tests X', true], ['gradle spotlessCheck detekt', true], ['gradle assemble', true], ['gradle compileKotlin', true], ['gradle --version', true],
    ['gradle clean', false], ['gradle publish', false], ['gradle bootRun', false], ['gradle test publish', false], ['gradle test --dry-run', false], ['gradle test --continuous', false], ['gradle', false], ['gradle spotlessApply', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(gradle.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['succeeded', 'BUILD SUCCESSFUL in 3s\n2 actionable tasks: 1 executed, 1 up-to-date\n', { passed: true }],
    ['failed', RED, { passed: false }],
    ['went on', 'BUILD SUCCESSFUL in 3s\n> app@1.0.0 test\n', null],
    ['quoted', 'it said BUILD SUCCESSFUL in 3s\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(gradle.summary(output)).toEqual(summary)
  })

  it('names failed tests with their exceptions, and the task, without the place of the report', () => {
    expect(failureOf(gradle, './gradlew test', RED)).toEqual({
      class: 'red',
      lines: [
        'CalculatorTest > adds() FAILED', 'java.lang.AssertionError: expected:<3> but was:<2>',
        'IntellijVersionsTest > shouldResolve() FAILED', 'org.opentest4j.AssertionFailedError at IntellijVersionsTest.kt:23',
        "Execution failed for task ':test'.", '> There were failing tests.',
      ],
      keys: [],
    })
  })

  it.each([
    ['javac', UNCOMPILED, '/repo/src/main/java/demo/A.java: error: cannot find symbol: variable c'],
    ['kotlinc', `e: file:///repo/src/A.kt:3:9 Unresolved reference 'c'.\n${wrong("Execution failed for task ':compileKotlin'.\n> Compilation error. See log for more details")}`, "/repo/src/A.kt: error: Unresolved reference 'c'."],
    ['kotlinc, older', `e: /repo/src/A.kt: (3, 9): Unresolved reference: c\n${wrong("Execution failed for task ':compileKotlin'.\n> Compilation error. See log for more details")}`, '/repo/src/A.kt: error: Unresolved reference: c'],
  ])('says what %s said', (_, output, line) => {
    expect(failureOf(gradle, './gradlew build', output)).toMatchObject({ class: 'red', lines: expect.arrayContaining([line]) })
  })

  it.each([
    ['gradle bogus', wrong("Task 'bogus' not found in root project 'demo'."), 'usage', ['tool:p/gradle', ...FILES.flatMap((name) => [`file:p/${name}`]), ...FILES.map((name) => `file:${name}`)]],
    ['gradle test --bogus', wrong("Problem configuring task :test from command line.\n> Unknown command-line option '--bogus'."), 'usage', ['tool:p/gradle', ...FILES.map((name) => `file:p/${name}`), ...FILES.map((name) => `file:${name}`)]],
    ['gradle test', wrong("Directory '/repo/p' does not contain a Gradle build."), 'path-missing', [...FILES.map((name) => `absent:p/${name}`), ...FILES.map((name) => `absent:${name}`)]],
    ['./gradlew test', 'Error: Could not find or load main class org.gradle.wrapper.GradleWrapperMain\nCaused by: java.lang.ClassNotFoundException: org.gradle.wrapper.GradleWrapperMain\n', 'path-missing', ['absent:p/gradle/wrapper/gradle-wrapper.jar']],
    ['gradle test --offline', wrong("Could not resolve all files for configuration ':testCompileClasspath'.\n> Could not resolve no.such:thing:9.\n  Required by:\n      root project :\n   > No cached version of no.such:thing:9 available for offline mode."), null, []],
  ])('tells classes apart: %s', (line, output, kind, keys) => {
    expect(failureOf(gradle, line, output, 1, 'p')).toMatchObject({ class: kind, keys })
  })

  it('misses modules and plugins that no repository has', () => {
    const module = wrong("Could not resolve all files for configuration ':testCompileClasspath'.\n> Could not find no.such:thing:9.\n  Searched in the following locations:\n    - https://repo.example/no/such/thing/9/thing-9.pom\n  Required by:\n      root project :")
    expect(failureOf(gradle, 'gradle test', module)).toMatchObject({ class: 'dependency', lines: ['Could not find no.such:thing:9'], keys: expect.arrayContaining(['tool:gradle', 'file:build.gradle']) })
    expect(failureOf(gradle, 'gradle test', wrong("Plugin [id: 'no.such', version: '1'] was not found in any of the following sources:")).lines).toEqual(["Plugin [id: 'no.such', version: '1'] was not found"])
  })

  it('passes over the network, and says nothing without its heading', () => {
    expect(gradle.failure(ended('gradle test', wrong("Could not resolve all files for configuration ':x'.\n> Could not resolve a:b:1.\n   > Could not GET 'https://repo.example/a'.")))).toBe('transient')
    expect(gradle.failure(ended('npm test', 'A > b FAILED\n    Error: x\n'))).toBeNull()
  })

  it('gives one signature under another path, line and time', () => {
    expect(settled(failureOf(gradle, 'gradle build', UNCOMPILED.replaceAll('/repo', '/srv/other').replace('A.java:2', 'A.java:20').replace('in 3s', 'in 1m 2s')))).toEqual(settled(failureOf(gradle, 'gradle build', UNCOMPILED)))
  })
})
