import { describe, expect, it } from 'vitest'
import maven from '../../src/signatures/maven.ts'
import { ended, failureOf, knowing, settled, typed } from './asking.ts'

const HELP = `[ERROR] 
[ERROR] To see the full stack trace of the errors, re-run Maven with the -e switch.
[ERROR] Re-run Maven using the -X switch to enable full debug logging.
[ERROR] 
[ERROR] For more information about the errors and possible solutions, please read the following articles:
[ERROR] [Help 1] http://cwiki.apache.org/confluence/display/MAVEN/MojoFailureException
`
const closes = (how: string, at = '2026-06-01T10:00:00Z') =>
  `[INFO] ------------------------------------------------------------------------\n[INFO] BUILD ${how}\n[INFO] ------------------------------------------------------------------------\n[INFO] Total time:  3.431 s\n[INFO] Finished at: ${at}\n[INFO] ------------------------------------------------------------------------\n`
const RED = `[INFO] Running demo.ATest
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.270 s <<< FAILURE! -- in demo.ATest
[ERROR] demo.ATest.boom -- Time elapsed: 0.007 s <<< ERROR!
java.lang.IllegalStateException: boom happened
	at demo.ATest.boom(ATest.java:6)

[ERROR] demo.ATest.adds -- Time elapsed: 0.169 s <<< FAILURE!
org.opentest4j.AssertionFailedError: sum is off ==> expected: <3> but was: <2>
	at org.junit.jupiter.api.AssertionFailureBuilder.build(AssertionFailureBuilder.java:151)
	at demo.ATest.adds(ATest.java:5)

[INFO] 
[INFO] Results:
[INFO] 
[ERROR] Failures: 
[ERROR]   ATest.adds:5 sum is off ==> expected: <3> but was: <2>
[ERROR] Errors: 
[ERROR]   ATest.boom:6 IllegalState boom happened
[INFO] 
[ERROR] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0
[INFO] 
${closes('FAILURE')}[ERROR] Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project demo: There are test failures.
[ERROR] 
[ERROR] Please refer to /repo/target/surefire-reports for the individual test results.
[ERROR] -> [Help 1]
${HELP}`
const UNCOMPILED = `[INFO] -------------------------------------------------------------
[ERROR] COMPILATION ERROR : 
[INFO] -------------------------------------------------------------
[ERROR] /repo/src/main/java/demo/A.java:[2,67] cannot find symbol
  symbol:   variable c
  location: class demo.A
[ERROR] /repo/src/main/java/demo/A.java:[2,81] incompatible types: int cannot be converted to java.lang.String
[INFO] 2 errors 
${closes('FAILURE')}[ERROR] Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.14.1:compile (default-compile) on project demo: Compilation failure: Compilation failure: 
[ERROR] /repo/src/main/java/demo/A.java:[2,67] cannot find symbol
[ERROR]   symbol:   variable c
[ERROR]   location: class demo.A
[ERROR] /repo/src/main/java/demo/A.java:[2,81] incompatible types: int cannot be converted to java.lang.String
[ERROR] -> [Help 1]
${HELP}`
const error = (words: string) => `${closes('FAILURE')}[ERROR] ${words} -> [Help 1]\n${HELP}`
const unread = (words: string) => `[ERROR] The build could not read 1 project -> [Help 1]\n[ERROR]   \n[ERROR]   The project  (/repo/p/pom.xml) has 1 error\n[ERROR]     ${words}\n${HELP}`
const unresolved = (words: string) => error(`Failed to execute goal on project demo: Could not resolve dependencies for project demo:demo:jar:1.0: ${words}`)

describe('Maven', () => {
  it('knows its own commands, alone', () => {
    for (const line of ['mvn test', './mvnw -B verify', 'mvnd test', '../mvnw test']) expect(knowing(line)).toEqual(['maven'])
  })

  it('rests on its project, its configuration and Java', () => {
    expect(maven.knows(typed('./mvnw test', 'p'))?.keys).toEqual(expect.arrayContaining(['file:p/mvnw', 'tool:p/java', 'file:p/pom.xml', 'file:pom.xml', 'file:.mvn/maven.config', 'file:.mvn/wrapper/maven-wrapper.properties']))
    expect(maven.knows(typed('mvn -f app test'))?.keys).toContain('file:app/pom.xml')
    expect(maven.knows(typed('mvn -f app.xml test'))?.keys).not.toContain('file:pom.xml')
  })

  it.each([
    ['mvn test', true], ['mvn clean install', true], ['mvn -B -pl app verify', true], ['mvn spotless:check', true], ['mvn -v', true],
    ['mvn clean', false], ['mvn deploy', false], ['mvn test deploy', false], ['mvn spring-boot:run', false], ['mvn install -DskipTests', false], ['mvn dependency:tree', false], ['mvn', false],
  ])('verifies with %s: %s', (line, verifies) => {
    expect(maven.knows(typed(line))?.verifies).toBe(verifies)
  })

  it.each([
    ['succeeded', closes('SUCCESS'), { passed: true }],
    ['failed', RED, { passed: false }],
    ['succeeded, though tests failed', `[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n${closes('SUCCESS')}`, null],
    ['cut short', '[INFO] BUILD SUCCESS\n', null],
    ['quoted', 'the log said BUILD SUCCESS\n', null],
  ])('closes: %s', (_, output, summary) => {
    expect(maven.summary(output)).toEqual(summary)
  })

  it('names failed tests with their exceptions, sorted', () => {
    expect(failureOf(maven, 'mvn test', RED)).toEqual({
      class: 'red',
      lines: ['demo.ATest.adds', 'org.opentest4j.AssertionFailedError: sum is off ==> expected: <3> but was: <2>', 'demo.ATest.boom', 'java.lang.IllegalStateException: boom happened'],
      keys: [],
    })
  })

  it('takes them from the closing list where only that is left', () => {
    expect(failureOf(maven, 'mvn test', RED.slice(RED.indexOf('[INFO] Results'))).lines).toEqual(['ATest.adds sum is off ==> expected: <3> but was: <2>', 'ATest.boom IllegalState boom happened'])
  })

  it('says what the compiler said, once', () => {
    expect(failureOf(maven, 'mvn compile', UNCOMPILED)).toEqual({
      class: 'red',
      lines: ['/repo/src/main/java/demo/A.java: cannot find symbol: variable c', '/repo/src/main/java/demo/A.java: incompatible types: int cannot be converted to java.lang.String'],
      keys: [],
    })
  })

  it.each([
    ['mvn bogus', error('Unknown lifecycle phase "bogus". You must specify a valid lifecycle phase or a goal in the format <x>.'), 'usage', ['Unknown lifecycle phase "bogus"'], ['tool:p/mvn']],
    ['mvn clean:nope', error("Could not find goal 'nope' in plugin org.apache.maven.plugins:maven-clean-plugin:2.5 among available goals clean, help"), 'usage', ["Could not find goal 'nope' in plugin org.apache.maven.plugins:maven-clean-plugin:2.5"], ['tool:p/mvn']],
    ['mvn --bogus', 'Unable to parse command line options: Unrecognized option: --bogus\n\nusage: mvn [options]\n', 'usage', ['Unrecognized option: --bogus'], ['tool:p/mvn']],
    ['mvn', error('No goals have been specified for this build. You must specify a valid lifecycle phase.'), 'usage', ['No goals have been specified for this build.'], ['tool:p/mvn']],
    ['mvn test', error('The goal you specified requires a project to execute but there is no POM in this directory (/repo/p). Please verify you invoked Maven from the correct directory.'), 'path-missing', ['there is no POM in this directory'], ['absent:p/pom.xml']],
    ['mvn -f nope.xml test', unread('Non-readable POM /repo/p/nope.xml: /repo/p/nope.xml (No such file or directory)'), 'path-missing', ['Non-readable POM (No such file or directory)'], ['absent:p/nope.xml']],
    ['mvn test', unread('Non-readable POM /repo/p/pom.xml: no more data available - expected end tag </project> to close start tag <project> from line 1, parser stopped on END_TAG seen ...</dependencies>\\n\\n... @6:1'), 'red', ['Non-readable POM /repo/p/pom.xml: no more data available - expected end tag </project> to close start tag <project> from line 1'], []],
    ['mvn test', unresolved('Could not find artifact no.such:thing:jar:9 in central (https://repo.example/maven2)'), 'dependency', ['Could not find artifact no.such:thing:jar:9'], ['tool:p/mvn', 'file:p/pom.xml', 'file:pom.xml']],
    ['mvn test', unresolved('Failure to find no.such:thing:jar:9 in https://repo.example/maven2 was cached in the local repository'), 'dependency', ['Could not find artifact no.such:thing:jar:9'], ['tool:p/mvn', 'file:p/pom.xml', 'file:pom.xml']],
    ['mvn -o test', unresolved('Cannot access central (https://repo.example/maven2) in offline mode and the artifact no.such:thing:jar:9 has not been downloaded from it before.'), null, ['in offline mode, and the artifact no.such:thing:jar:9 has not been downloaded'], []],
    ['mvn -Dtest=Zz test', error('Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project demo: No tests matching pattern "Zz" were executed!'), 'red', ['Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.2.5:test (default-test) on project demo: No tests matching pattern "Zz" were executed!'], []],
  ])('tells classes apart: %s', (line, output, kind, lines, keys) => {
    expect(failureOf(maven, line, output, 1, 'p')).toEqual({ class: kind, lines, keys })
  })

  it('passes over the network, and says nothing of what is only logged', () => {
    expect(maven.failure(ended('mvn test', unresolved('Could not transfer artifact a:b:jar:1 from/to central (https://repo.example/maven2): Connection refused')))).toBe('transient')
    expect(maven.failure(ended('npm test', '[ERROR] Connection refused\n[ERROR] Could not find artifact a:b in x\n'))).toBeNull()
  })

  it('gives one signature under another path, line and time', () => {
    expect(settled(failureOf(maven, 'mvn test', RED.replaceAll('0.169 s', '1.2 s').replaceAll(':5', ':50')))).toEqual(settled(failureOf(maven, 'mvn test', RED)))
    expect(settled(failureOf(maven, 'mvn compile', UNCOMPILED.replaceAll('/repo', '/srv/other').replaceAll('[2,67]', '[20,7]')))).toEqual(settled(failureOf(maven, 'mvn compile', UNCOMPILED)))
  })
})
